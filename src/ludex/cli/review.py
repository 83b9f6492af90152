"""`ludex review`: what an analyst says of every move of a match."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ludex.cli import parameters
from ludex.cli.operations import command_fields, perform, request_of, take_values, with_flags

if TYPE_CHECKING:
    from ludex.coach.model import Review, ReviewedMove
    from ludex.core.messages import Language

COLOURS: Final = {"brilliant": "cyan", "inaccuracy": "yellow", "mistake": "dark_orange", "blunder": "red"}
_FIELDS: Final = command_fields("review")
BAR: Final = 10
"""Characters of a win probability."""


def review(
    *,
    export: Annotated[
        Path | None, typer.Option(metavar="FILE", help="write the moves with evaluations and comments, like PGN")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="list every move, not only those that mattered")] = False,
    french: Annotated[bool, typer.Option("--french", help="reasons in French")] = False,
    as_json: parameters.Json = False,
    **values: Any,
) -> None:
    """Review a match and print the moves that mattered."""
    from ludex.cli.output import emit, note
    from ludex.coach.model import export_text
    from ludex.core.documents import write_text

    result: Any = perform("review", request_of("review", take_values(_FIELDS, values)))
    language: Language = "fr" if french else "en"
    if export is not None:
        write_text(export, export_text(result, language))
        note(f"wrote {export}")
    emit(result.document(), as_json, lambda: _render(result, every, language))


command = with_flags(review, review, _FIELDS, "review")


def _render(review: "Review", every: bool, language: "Language") -> Any:
    from rich.console import Group
    from rich.text import Text

    from ludex.core.record import player_names

    lines: list[Any] = []
    names = player_names(review.game, review.agents, language)
    for move in review.moves:
        if not every and not _matters(review, move):
            continue
        after = review.probabilities[move.ply + 1]
        line = Text.assemble(
            ("*" if move.ply in review.key_moments else " "),
            f"{move.ply + 1:4}. {names[move.player]} ",
            (f"{move.text:8} ", "bold"),
            (f"{move.move_class:10} ", COLOURS.get(move.move_class, "")),
            "" if after is None else f"{_bar(after)} {after:4.0%}",
            f"  lost {move.loss:.1%}" if move.loss >= 0.001 else "",
            f"  luck {move.luck:+.1%}" if move.luck is not None and abs(move.luck) >= 0.001 else "",
        )
        lines.append(line)
        if move.text != move.best and move.loss >= 0.001:
            lines.append(Text(f"       better: {move.better(language)}"))
        lines += [Text(f"       {reason.text(language)}", "italic") for reason in move.reasons]
    if lines and len(names) > 1:
        lines.insert(0, Text(f"bars: the chances of {names[0]} after each move", "dim"))
    return Group(*lines, *_summary(review, names, language))


def _matters(review: "Review", move: "ReviewedMove") -> bool:
    return move.move_class in COLOURS or move.ply in review.key_moments


def _bar(share: float) -> str:
    full = round(BAR * share)
    return "█" * full + "·" * (BAR - full)


def _summary(review: "Review", names: tuple[str, ...], language: "Language") -> list[str]:
    from collections import Counter

    lines = []
    for seat, accuracy in enumerate(review.accuracies):
        counts = Counter(move.move_class for move in review.moves if move.player == seat)
        listed = ", ".join(f"{count} {name}" for name, count in counts.items())
        luck = review.luck[seat]
        note = review.luck_notes[seat]
        chance = ("" if luck is None else f"; luck {luck:+.1%}") + (f", {note[language]}" if note else "")
        lines.append(f"{names[seat]}: accuracy {'-' if accuracy is None else f'{accuracy:.0f}'}{chance} ({listed})")
    return [*lines, f"analyst: {review.analyst}"]
