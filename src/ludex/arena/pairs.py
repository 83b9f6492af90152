"""Side-swapped pairs of games: the unit in which agents are compared.

Both games of a pair have the same seed and the same random opening; the agents change seats between them.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ludex.arena.entrants import Entrant, make_entrant
from ludex.arena.terms import Terms
from ludex.core.agent import Decision
from ludex.core.errors import DeclaredAbort
from ludex.core.game import Action, AnyGame, Mask, Outcome, points
from ludex.core.kernels import load_kernels
from ludex.core.limit import Limit
from ludex.core.match import TIME_FORFEIT, play
from ludex.core.record import Record
from ludex.core.registry import make, resolve
from ludex.core.seeding import Rng, generator
from ludex.core.services import Services

PAIR_STREAM = 128
"""Stream from which the seeds of pairs are drawn."""


@dataclass(frozen=True, slots=True)
class PairTask:
    """Some pairs of a duel, for one worker."""

    terms: Terms
    indices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game, with agents and times in the order of the terms whatever their seats."""

    seed: int
    swapped: bool
    """Whether the first agent sat in seat 1."""
    actions: tuple[Action, ...]
    outcome: Outcome
    micros: tuple[tuple[int, ...], tuple[int, ...]]
    """How long each agent thought about each of its decisions, one that came too late among them, in microseconds."""

    @property
    def points(self) -> float:
        """The first agent's, 0..1."""
        return points(self.outcome.scores[1 if self.swapped else 0])

    @property
    def lost_on_time(self) -> int | None:
        """The agent that did, 0 or 1 in the order of the terms."""
        if self.outcome.reason != TIME_FORFEIT:
            return None
        return int(self.points > 0.5)


Pair = tuple[PlayedGame, PlayedGame]


def pair_score(pair: Pair) -> float:
    """The first agent's share of a pair's points, 0..1."""
    return (pair[0].points + pair[1].points) / 2


class AbortedGame(DeclaredAbort):
    """A game of an evaluation ended with a declared abort and so has no score."""

    code = "aborted_game"


class _Timed:
    """An entrant with a stopwatch beside it."""

    def __init__(self, agent: Entrant) -> None:
        self.name = agent.name
        self.micros: list[int] = []
        self._agent = agent

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        begin = time.perf_counter_ns()
        decision = self._agent.decide(view, legal, rng=rng, limit=limit)
        self.micros.append(round((time.perf_counter_ns() - begin) / 1000))
        return decision

    def budget(self, common: Limit) -> Limit:
        return self._agent.budget(common)

    def follow(self, moves: Sequence[str]) -> None:
        self._agent.follow(moves)


def play_pairs(task: PairTask) -> dict[int, Pair]:
    """Play a task's pairs, each under its index. The same task gives the same games in any process."""
    terms = task.terms
    game = make(terms.game, terms.preset)
    if terms.timed:
        load_kernels(terms.game)
    services: Services | None = None if terms.services is None else resolve(terms.services)()
    entrants = [make_entrant(game, text, services) for text in terms.agents]
    try:
        return {
            index: (_play(game, entrants, terms, index, False), _play(game, entrants, terms, index, True))
            for index in task.indices
        }
    finally:
        for entrant in entrants:
            entrant.close()


def pair_seed(seed: int, index: int) -> int:
    """The seed both games of a pair are played with."""
    return generator(seed, index, PAIR_STREAM).bits()


def record_of(game: AnyGame, agents: tuple[str, str], played: PlayedGame) -> Record:
    """A played game as it is stored."""
    info = game.info
    seats = agents[::-1] if played.swapped else agents
    return Record(info.id, info.version, info.preset, played.seed, played.actions, seats, played.outcome)


def _play(game: AnyGame, agents: list[Entrant], terms: Terms, index: int, swapped: bool) -> PlayedGame:
    seed = pair_seed(terms.seed, index)
    timed = [_Timed(agent) for agent in agents]
    seats = timed[::-1] if swapped else timed
    match = play(game, seats, seed=seed, limit=terms.limit, clock=terms.clock, opening_plies=terms.opening_plies)
    if match.outcome is None:
        raise AbortedGame(f"{game.info.id} seed {seed} ended without a score: {match.aborted}")
    first, second = timed
    return PlayedGame(seed, swapped, match.actions, match.outcome, (tuple(first.micros), tuple(second.micros)))
