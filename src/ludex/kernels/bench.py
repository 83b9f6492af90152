"""How fast any game is: random plies of its batch environment, and of the plain contract."""

from collections.abc import Callable
from typing import Final

from ludex.core.batch import BatchEnv
from ludex.core.bench import BenchRow, rates
from ludex.core.game import AnyGame, legal_actions
from ludex.core.match import Match
from ludex.core.registry import make, resolve, spec
from ludex.core.seeding import CHANCE, OPENING
from ludex.kernels.sampling import RandomActions

UNIT: Final = "plies per CPU-second"
LANES: Final = 256


def bench(game_id: str, seconds: float) -> list[BenchRow]:
    """Random legal actions on the default board, in the game's batch environment where it has one, and in matches."""
    game, batch = make(game_id), spec(game_id).learning.batch
    works = {} if batch is None else {f"batch, {LANES} lanes, one thread": _batch(resolve(batch)(game, LANES))}
    works["plain contract, one match at a time"] = _matches(game)
    return [BenchRow(name, UNIT, rate) for name, rate in rates(works, seconds).items()]


def _batch(lanes: BatchEnv) -> Callable[[], int]:
    mask, sampler = lanes.reset(1)[1]["mask"], RandomActions(lanes.num_lanes, 1, CHANCE)

    def work() -> int:
        lanes.step(sampler.draw(mask))
        return lanes.num_lanes

    return work


def _matches(game: AnyGame) -> Callable[[], int]:
    seeds = iter(range(1 << 62))

    def work() -> int:
        match = Match(game, next(seeds))
        while not match.over:
            match.play(match.rng(OPENING).choice(legal_actions(match.legal())))
        return match.ply

    return work
