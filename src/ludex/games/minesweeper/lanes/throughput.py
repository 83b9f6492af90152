"""The vector environment under random play, as work that can be timed."""

import time
from collections.abc import Callable
from typing import Final

from ludex.core.seeding import CHANCE
from ludex.games.minesweeper.config import EnvConfig
from ludex.games.minesweeper.lanes.lanes import Lanes
from ludex.kernels.sampling import RandomActions

LEAST_STEPS: Final = 20_000
"""Steps of one piece of work at least: much more than looking at the clock costs."""


class RandomPlay:
    """Lanes that are played with random legal actions; a lane that ends begins anew."""

    def __init__(self, cfg: EnvConfig, num_lanes: int, threads: int = 1, seed: int = 0) -> None:
        self._lanes = Lanes(cfg, num_lanes, threads=threads)
        self._sampler = RandomActions(num_lanes, seed, CHANCE)
        self._turns = -(-LEAST_STEPS // num_lanes)
        self._lanes.reset(seed)

    def play(self) -> int:
        """Draw actions and step; returns the steps."""
        lanes, draw = self._lanes, self._sampler.draw
        for _ in range(self._turns):
            lanes.step(draw(lanes.mask))
        return self._turns * lanes.num_lanes

    def draw(self) -> int:
        """Only draw the actions, as often, from the masks as they stand."""
        lanes, draw = self._lanes, self._sampler.draw
        for _ in range(self._turns):
            draw(lanes.mask)
        return self._turns * lanes.num_lanes


def wall_rate(work: Callable[[], int], seconds: float) -> float:
    """Units per second on the clock on the wall, for work that several threads share."""
    work()
    done, begin = 0, time.perf_counter()
    while (spent := time.perf_counter() - begin) < seconds:
        done += work()
    return done / spent
