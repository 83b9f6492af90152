"""An action that a scripted player weighed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ludex.core.decision import Candidate, Decision
from ludex.core.game import Action
from ludex.games.skirmish.actions import Meaning

MOST_CANDIDATES: Final = 24


@dataclass(frozen=True, slots=True)
class Option:
    """A legal action and what it means."""

    action: Action
    meaning: Meaning


@dataclass(frozen=True, slots=True)
class Weighed:
    """An option, how good it is, and why."""

    option: Option
    score: float
    terms: Mapping[str, float] = field(default_factory=dict)
    note: str = ""
    """What it does, in words."""


def decision(weighed: Sequence[Weighed]) -> Decision:
    """The best of them, the first among equals, with the others behind it."""
    order = sorted(weighed, key=lambda one: -one.score)
    return Decision(
        action=order[0].option.action,
        candidates=tuple(
            Candidate(one.option.action, score=one.score, line=(one.option.action,), terms=one.terms)
            for one in order[:MOST_CANDIDATES]
        ),
        note=order[0].note,
    )
