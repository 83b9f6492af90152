"""What the engine's tests share: engines on any board, what they said between depths, positions, random walls."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.core.decision import Decision
from ludex.core.limit import Limit
from ludex.games.quoridor.agents.master.agent import MasterAgent
from ludex.games.quoridor.agents.master.moves import code_of
from ludex.games.quoridor.agents.master.race import SQUARES, fill
from ludex.games.quoridor.agents.solver import Solution, solve
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.options import MasterOptions
from ludex.games.quoridor.rules.position import Position
from tests.games.quoridor.support import game_of, live_steps, row_of, scattered
from tests.games.support import TRAP
from tests.reference import quoridor as reference
from tests.reference.quoridor import State


def engine(game: Quoridor, **options: Any) -> MasterAgent:
    """A fresh engine with a small table."""
    return MasterAgent(game, MasterOptions(**{"hash": 1, **options}))


def decision_of(agent: MasterAgent, game: Quoridor, position: Position, limit: Limit) -> Decision:
    return agent.decide(position, game.legal(position), rng=TRAP, limit=limit)


def reports(
    agent: MasterAgent, game: Quoridor, position: Position, *, depth: int, time_ms: int | None = None
) -> list[Decision]:
    """What an engine says after every depth."""
    reported: list[Decision] = []
    last = decision_of(agent, game, position, Limit(depth=depth, time_ms=time_ms, report=reported.append))
    assert reported[-1] == last
    return reported


def score_of(decision: Decision) -> int:
    score = decision.candidates[0].score
    assert score is not None
    return int(score)


def untimed(decision: Decision) -> tuple[Any, ...]:
    """All of a decision but its speed."""
    stats = {name: value for name, value in decision.stats.items() if name != "nps"}
    return decision.action, decision.value, decision.candidates, stats, decision.note


@cache
def solution_of(size: int, walls: int) -> Solution:
    return solve(game_of(size, walls))


def forgotten(position: Position) -> Position:
    """The position as if the game began with it."""
    return position._replace(seen=position.seen[-1:])


def positions(count: int, size: int, walls: int, seed: int) -> list[Position]:
    """Live positions without a past."""
    return [forgotten(position) for _, position, _ in islice(live_steps(10**9, size, walls, seed), count)]


def walled(rng: random.Random, size: int, count: int) -> frozenset[str]:
    """Random walls, as many as fit of `count`, whomever they cut off."""
    walls: set[str] = set()
    for wall in rng.sample(reference.all_walls(size), 2 * (size - 1) ** 2):
        if len(walls) < count and reference.fits(wall, walls):
            walls.add(wall)
    return frozenset(walls)


def walled_states(count: int, size: int, most: int, left: tuple[int, int], seed: int) -> Iterator[State]:
    """Positions with up to this many random walls, in which neither player is cut off."""
    rng = random.Random(seed)
    while count:
        walls = walled(rng, size, rng.randint(0, most))
        state = reference.start(size, 0)._replace(walls=walls, left=left, turn=rng.randrange(2))
        state = scattered(rng, state)
        if all(reference.distance(state, player) is not None for player in (0, 1)):
            yield state
            count -= 1


def square_of(index: int, size: int) -> reference.Square:
    return index % size, index // size


@cache
def codes(size: int) -> dict[str, int]:
    """The engine's move of every text."""
    return {text: code_of(action, size) for action, text in enumerate(reference.all_moves(size))}


def field_of(state: State, player: int) -> NDArray[np.int8]:
    field = np.zeros(SQUARES, np.int8)
    fill(row_of(state), player, state.size, game_of(state.size).geometry, field)
    return field
