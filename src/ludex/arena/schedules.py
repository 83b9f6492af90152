"""Who meets whom: round robin, gauntlet, Swiss.

A format returns one round after another, given the points so far. Each meeting is a number of pairs with swapped sides.
The indices of a round continue those of the last, so that no agent sees an opening twice.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, log2
from typing import Protocol

from ludex.core.errors import BadOption

Meeting = tuple[int, ...]
"""The numbers of the agents that meet, in rising order; in a league the one that plays."""
Round = tuple[Meeting, ...]
LADDER = "ladder"
PATIENCE = 20_000
"""Attempts to find a Swiss round without repeated opponents."""


class Format(Protocol):
    """A plan of rounds."""

    @property
    def name(self) -> str: ...

    @property
    def meetings(self) -> int:
        """How many there will be, over all rounds."""
        ...

    def next_round(self, past: Sequence[Round], points: Sequence[float]) -> Round:
        """The meetings of the next round, given the rounds and points so far; empty after the last."""
        ...


@dataclass(frozen=True, slots=True)
class OneRound:
    """All meetings at once."""

    name: str
    round: Round

    @property
    def meetings(self) -> int:
        return len(self.round)

    def next_round(self, past: Sequence[Round], points: Sequence[float]) -> Round:
        return () if past else self.round


def round_robin(agents: int) -> OneRound:
    """Every agent against every other, once."""
    return OneRound("round-robin", tuple(combinations(range(agents), 2)))


def ladder(agents: int) -> OneRound:
    """Every agent against every other as often as they meet; agents join at any time."""
    return OneRound(LADDER, tuple(combinations(range(agents), 2)))


def gauntlet(agents: int) -> OneRound:
    """The first against each of the others."""
    return OneRound("gauntlet", tuple((0, other) for other in range(1, agents)))


def league(agents: int) -> OneRound:
    """Every agent alone, on the same seeds: for games of one player."""
    return OneRound("league", tuple((agent,) for agent in range(agents)))


@dataclass(frozen=True, slots=True)
class Swiss:
    """In every round those meet who have about as many points and have not met before; if one is left over, it rests.

    Who rests is the last who has not rested yet, and gets what the winner of every game would: `rest` points.
    """

    agents: int
    rounds: int
    rest: float
    name: str = "swiss"

    def __post_init__(self) -> None:
        most = self.agents - 1 + self.agents % 2
        if not 1 <= self.rounds <= most:
            raise BadOption(f"{self.agents} agents can play 1 to {most} Swiss rounds, found {self.rounds}")

    @property
    def meetings(self) -> int:
        return self.rounds * (self.agents // 2)

    def next_round(self, past: Sequence[Round], points: Sequence[float]) -> Round:
        if len(past) >= self.rounds:
            return ()
        met = Counter(meeting for earlier in past for meeting in earlier)
        rests = [len(past) - sum(agent in meeting for meeting in met.elements()) for agent in range(self.agents)]
        standing = [own + self.rest * rests[agent] for agent, own in enumerate(points)]
        # Of equals the one that was named first.
        order = sorted(range(self.agents), key=lambda agent: (-standing[agent], agent))
        if self.agents % 2:
            order.remove(min(reversed(order), key=lambda agent: rests[agent]))
        return tuple(_pair_players(order, met))


def _pair_players(order: Sequence[int], met: Mapping[Meeting, int]) -> list[Meeting]:
    """Pair players with similar points that have not met; if that is impossible, those that met least often."""
    patience = PATIENCE
    meetings: list[Meeting] = []

    def seat(waiting: Sequence[int]) -> bool:
        nonlocal patience
        if not waiting:
            return True
        first, *others = waiting
        for other in others:
            patience -= 1
            meeting = (min(first, other), max(first, other))
            if patience < 0 or meeting in met:
                continue
            meetings.append(meeting)
            if seat([agent for agent in others if agent != other]):
                return True
            meetings.pop()
        return False

    if seat(order):
        return meetings
    waiting = list(order)
    while waiting:
        first = waiting.pop(0)
        other = min(waiting, key=lambda agent: met.get((min(first, agent), max(first, agent)), 0))
        waiting.remove(other)
        meetings.append((min(first, other), max(first, other)))
    return meetings


FORMATS: Mapping[str, Callable[[int], Format]] = {"round-robin": round_robin, "gauntlet": gauntlet}


def format_of(name: str | None, *, players: int, agents: int, games: int, rounds: int | None) -> Format:
    """The format of this name; of a game for one player there is only the league."""
    if name == LADDER and players == 2 and rounds is None:
        return ladder(agents)
    if agents < 2:
        raise BadOption(f"a tournament needs at least two agents, found {agents}")
    if rounds is not None and name != "swiss":
        raise BadOption("only a Swiss tournament has --rounds")
    if players == 1:
        if name not in (None, "league"):
            raise BadOption(f"a game for one player has a league, not a {name}: agents play the same seeds")
        return league(agents)
    if name == "swiss":
        return Swiss(agents, ceil(log2(agents)) if rounds is None else rounds, rest=float(games))
    format_name = "round-robin" if name is None else name
    if format_name not in FORMATS:
        raise BadOption(f"a game for two has the formats {', '.join(FORMATS)}, swiss, found {format_name!r}")
    return FORMATS[format_name](agents)
