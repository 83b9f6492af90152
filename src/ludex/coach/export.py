"""A review as text: the moves of a match with evaluations and comments, in the manner of PGN."""

from collections.abc import Iterator
from typing import Final

from ludex.coach.accuracy import MoveClass
from ludex.coach.model import Review, ReviewedMove
from ludex.core.messages import Language

MARKS: Final[dict[MoveClass, str]] = {
    "brilliant": "!!",
    "best": "",
    "good": "",
    "inaccuracy": "?!",
    "mistake": "?",
    "blunder": "??",
}
"""The marks behind a move, as chess writes them."""
WIDTH: Final = 100


def export_text(review: Review, language: Language = "en") -> str:
    """The whole text: tags in brackets, then the moves, each with the first player's win probability after it."""
    tags = {
        "Game": review.game,
        "Board": review.preset,
        **{f"Player{seat + 1}": agent for seat, agent in enumerate(review.agents)},
        "Result": _result(review),
        "Analyst": f"{review.analyst} ({review.version})",
        **{f"Accuracy{seat + 1}": f"{one:.1f}" for seat, one in enumerate(review.accuracies) if one is not None},
        **{f"Luck{seat + 1}": f"{one:+.3f}" for seat, one in enumerate(review.luck) if one is not None},
    }
    head = "\n".join(f'[{name} "{_escape(value)}"]' for name, value in tags.items())
    return f"{head}\n\n{_wrap(_words(review, language))}\n"


def _result(review: Review) -> str:
    if review.outcome is None:
        return "*"
    return f"{' : '.join(f'{score:g}' for score in review.outcome.scores)} ({review.outcome.reason})"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _words(review: Review, language: Language) -> Iterator[str]:
    for move in review.moves:
        yield f"{move.ply + 1}."
        yield f"{move.text}{MARKS[move.move_class]}"
        yield from f"{{{'; '.join(_comments(review, move, language))}}}".split()


def _comments(review: Review, move: ReviewedMove, language: Language) -> Iterator[str]:
    after = review.probabilities[move.ply + 1]
    if after is not None:
        yield f"{100 * after:.0f} %"
    if move.luck:
        yield f"luck {100 * move.luck:+.0f} %"
    yield from (reason.text(language) for reason in move.reasons)
    if MARKS[move.move_class].startswith("?"):
        yield f"better: {move.better(language)}"


def _wrap(words: Iterator[str]) -> str:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines)
