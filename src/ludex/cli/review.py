"""`ludex review`: what an analyst says of every move of a match."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ludex.cli import parameters
from ludex.cli.replay import replayed

if TYPE_CHECKING:
    from ludex.coach.model import Review, ReviewedMove
    from ludex.core.messages import Language

COLOURS: Final = {"brilliant": "cyan", "inaccuracy": "yellow", "mistake": "dark_orange", "blunder": "red"}
BAR: Final = 10
"""Characters of a win probability."""


def review(
    source: Annotated[
        str,
        typer.Argument(metavar="FILE|ID|LINE", help='a file, a stored match\'s id, or a line: "quoridor 9x9: e2 e8"'),
    ],
    export: Annotated[
        Path | None, typer.Option(metavar="FILE", help="write the moves with evaluations and comments, like PGN")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="list every move, not only those that mattered")] = False,
    french: Annotated[bool, typer.Option("--french", help="reasons in French")] = False,
    workers: parameters.Workers = 1,
    as_json: parameters.Json = False,
) -> None:
    """Review a match: the win probability after each ply, accuracies, mistakes, better moves and reasons.

    The game names its analyst; any other game is reviewed by an agent that plays every game. The review of a stored
    match is kept in the database, and made again when the analyst changes.
    """
    from ludex.cli.output import emit, note
    from ludex.coach.export import export_text
    from ludex.coach.review import require_over
    from ludex.core.documents import write_text
    from ludex.core.errors import BadRecord
    from ludex.core.line import is_line

    match, agents = replayed(source)
    if not match.moves:
        raise BadRecord(f"{source!r}: the match has no move that could be reviewed")
    if is_line(source) or Path(source).is_file():
        found = _reviewed(match, agents, workers)
    else:
        require_over(match)
        found = _stored(source, match, agents, workers)
    language: Language = "fr" if french else "en"
    if export is not None:
        write_text(export, export_text(found, language))
        note(f"wrote {export}")
    emit(found.document(), as_json, lambda: _render(found, every, language))


def _reviewed(match: Any, agents: tuple[str, ...], workers: int) -> "Review":
    from ludex.cli.output import progress
    from ludex.coach.parallel import review_of
    from ludex.coach.review import positions_of
    from ludex.operations.executors import executor_of
    from ludex.store.services import lazy_services

    executor = executor_of("local", workers, "auto")
    with progress("positions", len(positions_of(match))) as advance:
        return review_of(match, agents, executor=executor, services=lazy_services, advance=advance)


def _stored(match_id: str, match: Any, agents: tuple[str, ...], workers: int) -> "Review":
    """The review that the database keeps of a match; one that it does not keep is made and kept."""
    from ludex.coach.model import Review, stored_document
    from ludex.coach.review import fingerprint
    from ludex.store.database import Database

    with Database.open() as database:
        known = database.reviews.get(match_id, fingerprint(match))
        if known is not None:
            return Review.of_stored(known, agents)
        found = _reviewed(match, agents, workers)
        database.reviews.put(match_id, fingerprint(match), stored_document(found.document(), match_id))
    return found


def _render(review: "Review", every: bool, language: "Language") -> Any:
    from rich.console import Group
    from rich.text import Text

    lines: list[Any] = []
    for move in review.moves:
        if not every and not _matters(review, move):
            continue
        after = review.probabilities[move.ply + 1]
        player = review.agents[move.player] if review.agents else str(move.player + 1)
        line = Text.assemble(
            ("*" if move.ply in review.key_moments else " "),
            f"{move.ply + 1:4}. {player} ",
            (f"{move.text:8} ", "bold"),
            (f"{move.move_class:10} ", COLOURS.get(move.move_class, "")),
            "" if after is None else f"{_bar(after)} {after:4.0%} ",
            f" lost {move.loss:.1%}" if move.loss >= 0.001 else "",
            f" luck {move.luck:+.1%}" if move.luck is not None and abs(move.luck) >= 0.001 else "",
        )
        lines.append(line)
        if move.text != move.best and move.loss >= 0.001:
            lines.append(Text(f"       better: {move.better(language)}"))
        lines += [Text(f"       {reason.text(language)}", "italic") for reason in move.reasons]
    return Group(*lines, *_summary(review, language))


def _matters(review: "Review", move: "ReviewedMove") -> bool:
    return move.move_class in COLOURS or move.ply in review.key_moments


def _bar(share: float) -> str:
    full = round(BAR * share)
    return "█" * full + "·" * (BAR - full)


def _summary(review: "Review", language: "Language") -> list[str]:
    from collections import Counter

    lines = []
    for seat, accuracy in enumerate(review.accuracies):
        counts = Counter(move.move_class for move in review.moves if move.player == seat)
        listed = ", ".join(f"{count} {name}" for name, count in counts.items())
        name = review.agents[seat] if review.agents else f"player {seat + 1}"
        luck = review.luck[seat]
        note = review.luck_notes[seat]
        chance = ("" if luck is None else f"; luck {luck:+.1%}") + (f", {note[language]}" if note else "")
        lines.append(f"{name}: accuracy {'-' if accuracy is None else f'{accuracy:.0f}'}{chance} ({listed})")
    return [*lines, f"analyst: {review.analyst}"]
