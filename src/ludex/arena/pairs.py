"""Side-swapped pairs of games: the unit in which agents are compared.

Both games of a pair have the same seed and the same random opening; the agents change seats between them.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ludex.arena.entrants import Entrant, make_entrant
from ludex.core.agent import Decision
from ludex.core.errors import DeclaredAbort
from ludex.core.game import Action, AnyGame, Mask, Outcome, points
from ludex.core.limit import Limit
from ludex.core.match import play
from ludex.core.record import Record
from ludex.core.registry import make, resolve
from ludex.core.seeding import Rng, generator
from ludex.core.services import Services
from ludex.core.spec import Ref

PAIR_STREAM = 128
"""Stream from which the seeds of pairs are drawn."""


@dataclass(frozen=True, slots=True)
class PairTask:
    """Some consecutive pairs, for one worker."""

    game: str
    preset: str
    agents: tuple[str, str]
    limits: tuple[int | None, int | None, int | None]
    """time_ms, depth, nodes: a `Limit` itself holds a flag that cannot travel."""
    seed: int
    first: int
    count: int
    opening_plies: int
    services: Ref | None
    """`() -> Services`, called in the worker."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game, with agents and times in the order of the task whatever their seats."""

    seed: int
    swapped: bool
    """Whether the first agent sat in seat 1."""
    actions: tuple[Action, ...]
    outcome: Outcome
    seconds: tuple[float, float]
    moves: tuple[int, int]

    @property
    def points(self) -> float:
        """The first agent's, 0..1."""
        return points(self.outcome.scores[1 if self.swapped else 0])


Pair = tuple[PlayedGame, PlayedGame]


class AbortedGame(DeclaredAbort):
    """A game of an evaluation ended with a declared abort and so has no score."""

    code = "aborted_game"


class _Clocked:
    """An entrant with a clock beside it."""

    def __init__(self, agent: Entrant) -> None:
        self.name = agent.name
        self.seconds = 0.0
        self.moves = 0
        self._agent = agent

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        begin = time.perf_counter()
        decision = self._agent.decide(view, legal, rng=rng, limit=limit)
        self.seconds += time.perf_counter() - begin
        self.moves += 1
        return decision

    def budget(self, common: Limit) -> Limit:
        return self._agent.budget(common)

    def follow(self, moves: Sequence[str]) -> None:
        self._agent.follow(moves)


def play_pairs(task: PairTask) -> list[Pair]:
    """Play a task's pairs. The same task gives the same games in any process."""
    game = make(task.game, task.preset)
    services: Services | None = None if task.services is None else resolve(task.services)()
    entrants = [make_entrant(game, text, services) for text in task.agents]
    time_ms, depth, nodes = task.limits
    limit = Limit(time_ms=time_ms, depth=depth, nodes=nodes)
    try:
        return [
            (
                _play(game, entrants, pair_seed(task.seed, index), False, limit, task.opening_plies),
                _play(game, entrants, pair_seed(task.seed, index), True, limit, task.opening_plies),
            )
            for index in range(task.first, task.first + task.count)
        ]
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


def _play(
    game: AnyGame, agents: list[Entrant], seed: int, swapped: bool, limit: Limit, opening_plies: int
) -> PlayedGame:
    clocked = [_Clocked(agent) for agent in agents]
    seats = clocked[::-1] if swapped else clocked
    match = play(game, seats, seed=seed, limit=limit, opening_plies=opening_plies)
    if match.outcome is None:
        raise AbortedGame(f"{game.info.id} seed {seed} ended without a score: {match.aborted}")
    first, second = clocked
    return PlayedGame(
        seed, swapped, match.actions, match.outcome, (first.seconds, second.seconds), (first.moves, second.moves)
    )
