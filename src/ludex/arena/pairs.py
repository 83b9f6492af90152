"""Side-swapped pairs of games: the unit in which agents are compared.

Both games of a pair have the same seed and the same random opening; the agents change seats between them. In a game for
one player there are no seats to change: the unit is a single game, and agents are compared on the same seeds.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Self

from ludex.arena.terms import Terms
from ludex.core.errors import AgentFault, DeclaredAbort
from ludex.core.game import Action, Json, Outcome, points
from ludex.core.match import TIME_FORFEIT
from ludex.core.record import Record
from ludex.core.seeding import generator

PAIR_STREAM = 128
"""Stream from which the seeds of pairs are drawn."""
MOST_PAIRS = 50
"""A task has at most so many pairs, so that an interruption loses little of quick games."""
TASKS = 64
"""Slow games are cut into about as many tasks. Neither depends on the workers, and so no result does."""


@dataclass(frozen=True, slots=True, order=True)
class PairKey:
    """Which pair of a tournament or duel."""

    seats: tuple[int, ...]
    """Which of the terms' agents meet, by their numbers."""
    index: int
    """The pair's own: it determines the seed."""


@dataclass(frozen=True, slots=True)
class PairTask:
    """Some pairs of the same agents, for one worker."""

    terms: Terms
    seats: tuple[int, ...]
    indices: tuple[int, ...]

    @property
    def swaps(self) -> tuple[bool, ...]:
        """Whether seats are swapped, for each game of a pair."""
        return (False, True)[: len(self.seats)]


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a game was forfeited."""

    code: str
    """Of the `AgentFault`: a crash or broken protocol, an illegal choice, or no answer in time."""
    message: str

    @classmethod
    def of(cls, error: AgentFault) -> Self:
        return cls(error.code, error.message)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game, with agents and times in the order of the pair's key whatever their seats."""

    seed: int
    swapped: bool
    """Whether the first agent sat in seat 1."""
    actions: tuple[Action, ...]
    outcome: Outcome
    micros: tuple[tuple[int, ...], ...]
    """How long each agent took for each of its decisions, late ones included, in microseconds."""
    fault: Fault | None = None
    """What the loser did, if the game was forfeited."""
    transcripts: tuple[tuple[Json, ...], ...] = ()
    """What each agent asked and heard, of agents that keep it, such as language models."""

    @property
    def points(self) -> float:
        """The first agent's, 0..1."""
        return points(self.outcome.scores[1 if self.swapped else 0])

    @property
    def loser(self) -> int:
        """The agent that lost, 0 or 1 in the order of the key; only for lost games."""
        return int(self.points > 0.5)

    @property
    def lost_on_time(self) -> int | None:
        """The agent that did, 0 or 1 in the order of the key."""
        return self.loser if self.outcome.reason == TIME_FORFEIT else None


Pair = tuple[PlayedGame, ...]
"""Two games; in a game for one player a single one."""


def pair_score(pair: Pair) -> float:
    """The first agent's share of a pair's points, 0..1."""
    return sum(game.points for game in pair) / len(pair)


class AbortedGame(DeclaredAbort):
    """A game of an evaluation ended with a declared abort and so has no score."""


def task_size(pairs: int, *, one_by_one: bool) -> int:
    """How many pairs a task has: one where a finished pair must be known at once, to stop or to be kept."""
    return 1 if one_by_one else max(1, min(MOST_PAIRS, pairs // TASKS))


def pair_tasks(terms: Terms, seats: tuple[int, ...], indices: Iterable[int], size: int) -> Iterator[PairTask]:
    """The pairs of these agents, cut into tasks."""
    remaining = iter(indices)
    while some := tuple(islice(remaining, size)):
        yield PairTask(terms, seats, some)


def pair_seed(terms: Terms, index: int) -> int:
    """The seed both games of a pair are played with."""
    return generator(terms.seed, index, PAIR_STREAM).seed()


def record_of(terms: Terms, seats: tuple[int, ...], played: PlayedGame) -> Record:
    """A game of these seats as it is stored."""
    agents = tuple(terms.agents[agent] for agent in (seats[::-1] if played.swapped else seats))
    board = (terms.game, terms.version, terms.preset)
    return Record(*board, played.seed, played.actions, agents, played.outcome)
