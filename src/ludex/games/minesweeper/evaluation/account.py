"""The account of games in progress, kept beside the lanes they are played in."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.evaluation.played import Played
from ludex.games.minesweeper.lanes.buffers import COMPONENTS, REST
from ludex.games.minesweeper.lanes.lanes import Lanes


class Account:
    """Sums over the steps of one game a lane, from the reset on."""

    def __init__(self, lanes: Lanes) -> None:
        count = lanes.num_lanes
        self._lanes = lanes
        self._won = np.zeros(count, np.bool_)
        self._lost = np.zeros(count, np.bool_)
        self._stopped = np.zeros(count, np.bool_)
        self._steps = np.zeros(count, np.int64)
        self._invalid = np.zeros(count, np.int64)
        self._guesses = np.zeros(count)
        self._luck = np.ones(count)
        self._rewards = np.zeros((count, len(COMPONENTS)))

    @property
    def live(self) -> NDArray[np.bool_]:
        """bool[N], made anew: the lanes whose games go on."""
        return ~(self._lanes.over | self._stopped)

    def play(self, live: NDArray[np.bool_], actions: NDArray[np.int64], safety: NDArray[np.float64]) -> None:
        """Step the live lanes, and enter what came of it; an action of `REST` gives a live lane's game up."""
        lanes = self._lanes
        actions[~live] = REST
        moving = actions != REST
        self._stopped |= live & ~moving
        lanes.step(actions)
        self._steps += moving
        self._invalid += lanes.invalid
        self._won |= lanes.won
        self._lost |= lanes.terminated & ~lanes.won
        self._rewards += lanes.components
        # A flag risks nothing, and neither does what the rules forbid.
        reveals = moving & ~lanes.invalid & (actions < lanes.cfg.cells)
        risked = np.where(reveals, safety, 1.0)
        self._luck *= risked
        self._guesses += np.where(np.isnan(risked), np.nan, risked < 1.0)

    def close(self, thought_seconds: float, cpu_seconds: float) -> Played:
        """The games as they are now, with the time shared out evenly."""
        lanes, count = self._lanes, self._lanes.num_lanes
        return Played(
            won=self._won,
            lost=self._lost,
            stopped=self._stopped,
            progress=lanes.opened / (lanes.cfg.cells - lanes.mines),
            steps=self._steps,
            invalid=self._invalid,
            decisions=self._steps + self._stopped,
            guesses=self._guesses,
            luck=self._luck,
            rewards=self._rewards,
            thought_seconds=np.full(count, thought_seconds / count),
            cpu_seconds=np.full(count, cpu_seconds / count),
        )
