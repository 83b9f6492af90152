"""A review as data, with its probabilities, accuracies and luck, and as text in the manner of PGN."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, Self

from pydantic import ConfigDict, Field

from ludex.coach.accuracy import MoveClass
from ludex.core.game import Outcome, Player
from ludex.core.messages import Language, Message, Texts
from ludex.core.options import StrictModel


@dataclass(frozen=True, slots=True)
class ReviewReason:
    """One sentence on why a move was better or worse, in every language."""

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")

    id: str
    """Of the message."""
    texts: Annotated[Texts, Field(alias="text")]
    cells: tuple[int, ...]
    """The cells of the board that it is about."""

    @classmethod
    def of(cls, message: Message) -> Self:
        return cls(message.id, message.texts(), message.cells)

    def text(self, language: Language = "en") -> str:
        return self.texts[language]


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """One move, judged."""

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")

    ply: int
    """How many plies came before it."""
    player: Player
    text: str
    move_class: Annotated[MoveClass, Field(alias="class")]
    expected: float
    """The mover's win probability with the best move; a draw counts half."""
    kept: float
    """The same after the move, before any chance."""
    loss: float
    luck: float | None
    """What chance then gave the mover, in win probability; None where it had no part."""
    forced: bool
    """There was no choice, so that it does not count for accuracy."""
    best: str
    line: tuple[str, ...]
    """The best move and how play is expected to go on."""
    reply: tuple[str, ...]
    """How play is expected to go on after the played move; empty where chance decides."""
    reasons: tuple[ReviewReason, ...]
    best_words: Texts | None = None
    """The best move as people read it; None where that is its notation."""

    def better(self, language: Language = "en") -> str:
        """The best move and how play is expected to go on; in words as well, where the game has them."""
        words = () if self.best_words is None else (f"({self.best_words[language]})",)
        return " ".join((*self.line[:1], *words, *self.line[1:]))


class ReviewDocument(StrictModel):
    """The review of a match, without the people and agents who played it."""

    game: str
    preset: str
    analyst: str
    version: str
    """Of the analyst, see `analyst_version`: another one makes another review."""
    outcome: Outcome | None
    probabilities: tuple[float | None, ...]
    """The first player's win probability in every position, from the first to the last; None: not known yet."""
    moves: tuple[ReviewedMove, ...]
    """Those that are judged so far, in their order."""
    accuracies: tuple[float | None, ...]
    """By player, 0 to 100; None without a choice."""
    luck: tuple[float | None, ...]
    """By player: what chance gave them less what it gave the others, in win probability; None without chance."""
    luck_notes: tuple[Texts | None, ...]
    """By player: what the dice gave in things that people count; None where the game says nothing."""
    key_moments: tuple[int, ...]
    """The plies that decided most, at most three, in their order."""
    done: int
    total: int
    """Positions that are assessed, and all of them."""


class Review(ReviewDocument):
    """What is known of a match."""

    agents: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        return self.done == self.total

    def document(self) -> dict[str, Any]:
        """As JSON."""
        return self.model_dump(mode="json", by_alias=True)

    @classmethod
    def of_stored(cls, document: Mapping[str, Any], agents: Sequence[str]) -> Self:
        """A review that the database keeps (`stored_document`), with the agents of the match."""
        known = {name: value for name, value in document.items() if name not in ("match", "complete")}
        return cls.model_validate({**known, "agents": agents})


def stored_document(document: Mapping[str, Any], match_id: str) -> dict[str, Any]:
    """A finished review as the database keeps it: without the agents, which stand in the match."""
    known = {name: value for name, value in document.items() if name != "agents"}
    return {**known, "match": match_id, "complete": True}


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
