"""The player that knows every probability, and takes the safest cell without looking further."""

import numpy as np
from numpy.typing import NDArray

from ludex.core.agent import Decision
from ludex.core.game import Mask
from ludex.core.jit import kernel
from ludex.core.limit import Limit
from ludex.core.options import NoOptions
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.minesweeper.agents.sight import Sight
from ludex.games.minesweeper.agents.telling import guessed, opened, percent, proven
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.position import View
from ludex.games.minesweeper.rules import proofs
from ludex.games.minesweeper.solver.assess import assess
from ludex.games.minesweeper.solver.probabilities import refuse
from ludex.games.minesweeper.solver.quick import safe_by_rule, safest, untouched
from ludex.games.minesweeper.solver.workspace import Workspace

UNCOUNTED = -3.0
"""A rule proved the cell, and nothing was counted."""


class ExactAgent:
    """Reveals a cell that is safe for certain, else the one that is a mine least probably."""

    def __init__(self, game: Minesweeper, name: str = "exact") -> None:
        self.name = name
        self._sight = Sight(game)

    def decide(self, view: View, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        sight, numbers = self._sight, self._sight.numbers(view)
        if untouched(numbers):
            return opened(sight)
        cell, log_count = _cell(numbers, *sight.tables, sight.probability)
        refuse(log_count, view.numbers, sight.mines)
        if log_count == UNCOUNTED or sight.probability[cell] == 0.0:
            return proven(sight, view.numbers, cell, proofs(view.numbers))
        safety = 1.0 - float(sight.probability[cell])
        return guessed(
            sight, cell, sight.probability, note=f"{sight.names[cell]} is the safest cell, {percent(safety)} safe"
        )

    def choose(
        self,
        numbers: NDArray[np.int8],
        live: NDArray[np.bool_],
        states: NDArray[np.uint64],
        actions: NDArray[np.int64],
        safety: NDArray[np.float64],
    ) -> None:
        """The same on many boards, see `lane_agent`."""
        sight, rows = self._sight, numbers.reshape(len(numbers), -1)
        lane = _choose(rows, live, *sight.tables, sight.probability, *sight.beginning, actions, safety)
        if lane >= 0:
            refuse(assess(rows[lane].copy(), *sight.tables, sight.probability), numbers[lane], sight.mines)


def exact(game: Minesweeper, options: NoOptions, services: Services, name: str) -> ExactAgent:
    """The factory of `exact`."""
    return ExactAgent(game, name)


@kernel
def _cell(
    numbers: NDArray[np.int8],
    cols: int,
    mines: int,
    near: NDArray[np.int16],
    bits: NDArray[np.int8],
    work: Workspace,
    probability: NDArray[np.float64],
) -> tuple[int, float]:
    """The cell to reveal, and the logarithm of the number of solutions, UNCOUNTED or what `assess` says instead."""
    cell = safe_by_rule(numbers, cols, near, bits, work)
    if cell >= 0:
        return cell, UNCOUNTED
    log_count = assess(numbers, cols, mines, near, bits, work, probability)
    return (safest(numbers, probability) if log_count >= 0.0 else -1), log_count


@kernel
def _choose(
    numbers: NDArray[np.int8],
    live: NDArray[np.bool_],
    cols: int,
    mines: int,
    near: NDArray[np.int16],
    bits: NDArray[np.int8],
    work: Workspace,
    probability: NDArray[np.float64],
    opening: int,
    opening_safety: float,
    actions: NDArray[np.int64],
    safety: NDArray[np.float64],
) -> int:
    """Choose in every live lane; returns the first lane whose position cannot be counted, or -1."""
    for lane in range(len(numbers)):
        if not live[lane]:
            continue
        if untouched(numbers[lane]):
            actions[lane], safety[lane] = opening, opening_safety
            continue
        cell, log_count = _cell(numbers[lane], cols, mines, near, bits, work, probability)
        if cell < 0:
            return lane
        actions[lane] = cell
        safety[lane] = 1.0 if log_count == UNCOUNTED else 1.0 - probability[cell]
    return -1
