"""A review as data: the judged moves of a match with its probabilities, accuracies and luck."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from ludex.coach.classes import MoveClass
from ludex.core.game import Outcome, Player
from ludex.core.messages import Language, Message


@dataclass(frozen=True, slots=True)
class Reason:
    """One sentence, in every language."""

    id: str
    """Of the message."""
    texts: Mapping[Language, str]
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

    ply: int
    """How many plies came before it."""
    player: Player
    text: str
    move_class: MoveClass
    expected: float
    """The mover's win probability with the best move."""
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
    best_words: Mapping[Language, str] | None = None
    """The best move as people read it; None where that is its notation, and before the review is finished."""
    reasons: tuple[Reason, ...] = ()

    def better(self, language: Language = "en") -> str:
        """The best move and how play is expected to go on; in words as well, where the game has them."""
        line = " ".join(self.line)
        return line if self.best_words is None else f"{line} ({self.best_words[language]})"

    def document(self) -> dict[str, Any]:
        """As JSON, reasons in every language."""
        return {
            "ply": self.ply,
            "player": self.player,
            "text": self.text,
            "class": self.move_class,
            "expected": self.expected,
            "kept": self.kept,
            "loss": self.loss,
            "luck": self.luck,
            "forced": self.forced,
            "best": self.best,
            "best_words": None if self.best_words is None else dict(self.best_words),
            "line": [*self.line],
            "reply": [*self.reply],
            "reasons": [
                {"id": reason.id, "text": dict(reason.texts), "cells": [*reason.cells]} for reason in self.reasons
            ],
        }

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """What `document` wrote, also after a journey as JSON."""
        known = {name: value for name, value in document.items() if name not in ("class", "reasons", "line", "reply")}
        return cls(
            **known,
            move_class=document["class"],
            line=tuple(document["line"]),
            reply=tuple(document["reply"]),
            reasons=tuple(Reason(one["id"], one["text"], tuple(one["cells"])) for one in document["reasons"]),
        )


@dataclass(frozen=True, slots=True)
class Review:
    """What is known of a match."""

    game: str
    preset: str
    agents: tuple[str, ...]
    analyst: str
    version: str
    """Of the analyst, see `analyst_version`."""
    outcome: Outcome | None
    probabilities: tuple[float | None, ...]
    """The first player's win probability in every position, from the first to the last; None: not known yet."""
    moves: tuple[ReviewedMove, ...]
    """Those that are judged, in their order."""
    accuracies: tuple[float | None, ...]
    """By player, 0 to 100; None without a choice."""
    luck: tuple[float | None, ...]
    """By player: what chance gave them less what it gave the others, in win probability; None without chance."""
    luck_notes: tuple[Mapping[Language, str] | None, ...]
    """By player: what the dice gave in things that people count; None where the game says nothing."""
    key_moments: tuple[int, ...]
    """The plies that decided most, at most three, in their order."""
    done: int
    total: int
    """Positions that are assessed, and all of them."""

    @property
    def complete(self) -> bool:
        return self.done == self.total

    def document(self) -> dict[str, Any]:
        """As JSON."""
        outcome = self.outcome
        return {
            "game": self.game,
            "preset": self.preset,
            "agents": [*self.agents],
            "analyst": self.analyst,
            "version": self.version,
            "outcome": None if outcome is None else {"scores": [*outcome.scores], "reason": outcome.reason},
            "probabilities": [*self.probabilities],
            "moves": [move.document() for move in self.moves],
            "accuracies": [*self.accuracies],
            "luck": [*self.luck],
            "luck_notes": [*self.luck_notes],
            "key_moments": [*self.key_moments],
            "done": self.done,
            "total": self.total,
        }

    @classmethod
    def read(cls, document: Mapping[str, Any], agents: Sequence[str] = ()) -> Self:
        """What `document` wrote, also after a journey as JSON; the agents are not stored with a review."""
        outcome = document["outcome"]
        plain = ("game", "preset", "analyst", "version", "done", "total")
        rows = ("probabilities", "accuracies", "luck", "luck_notes", "key_moments")
        known: dict[str, Any] = {name: document[name] for name in plain}
        known |= {name: tuple(document[name]) for name in rows}
        return cls(
            **known,
            agents=tuple(agents),
            outcome=None if outcome is None else Outcome(tuple(outcome["scores"]), outcome["reason"]),
            moves=tuple(map(ReviewedMove.read, document["moves"])),
        )


def stored_document(document: Mapping[str, Any], match_id: str) -> dict[str, Any]:
    """A finished review as the database keeps it: without the agents, which stand in the match."""
    return {
        **{name: value for name, value in document.items() if name != "agents"},
        "match": match_id,
        "complete": True,
    }
