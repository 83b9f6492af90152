"""The player that guesses as people do: by the number next to a cell. The seed's third baseline."""

import numpy as np
from numpy.typing import NDArray

from ludex.core.agent import Decision
from ludex.core.game import Mask
from ludex.core.jit import kernel, to_index
from ludex.core.limit import Limit
from ludex.core.options import NoOptions
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.minesweeper.agents.sight import Sight
from ludex.games.minesweeper.agents.telling import guessed, opened, percent, proven
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.geometry import DEGREE
from ludex.games.minesweeper.layout import HIDDEN
from ludex.games.minesweeper.position import View
from ludex.games.minesweeper.rules import proofs
from ludex.games.minesweeper.solver.deduce import MINE, UNKNOWN
from ludex.games.minesweeper.solver.quick import safe_by_rule, safest, untouched
from ludex.games.minesweeper.solver.workspace import Workspace


class HeuristicAgent:
    """Reveals what the rules prove safe, else the cell whose worst neighbouring number leaves it the safest."""

    def __init__(self, game: Minesweeper, name: str = "heuristic") -> None:
        self.name = name
        self._sight = Sight(game)

    def decide(self, view: View, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        sight, numbers = self._sight, self._sight.numbers(view)
        if untouched(numbers):
            return opened(sight)
        cell = safe_by_rule(numbers, sight.cols, sight.near, sight.bits, sight.work)
        if cell >= 0:
            return proven(sight, view.numbers, cell, proofs(view.numbers))
        guess_locally(numbers, sight.mines, sight.near, sight.work, sight.probability)
        cell = safest(numbers, sight.probability)
        safety = 1.0 - float(sight.probability[cell])
        note = f"{sight.names[cell]} looks safest by the numbers next to it, about {percent(safety)}"
        return guessed(sight, cell, sight.probability, note=note)

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
        _choose(rows, live, *sight.tables, sight.probability, *sight.beginning, actions, safety)


def heuristic(game: Minesweeper, options: NoOptions, services: Services, name: str) -> HeuristicAgent:
    """The factory of `heuristic`."""
    return HeuristicAgent(game, name)


@kernel
def guess_locally(
    numbers: NDArray[np.int8], mines: int, near: NDArray[np.int16], work: Workspace, probability: NDArray[np.float64]
) -> None:
    """Estimate every hidden cell by its worst neighbouring number alone, after the rules; elsewhere by what is left."""
    left, unknown = mines, 0
    for cell in range(len(numbers)):
        probability[cell] = np.nan
        if numbers[cell] == HIDDEN:
            left -= work.known[cell] == MINE
            unknown += work.known[cell] == UNKNOWN
            probability[cell] = 1.0 if work.known[cell] == MINE else -1.0
    for cell in range(len(numbers)):
        if numbers[cell] == HIDDEN:
            continue
        need, around = to_index(numbers[cell]), 0
        for i in range(near[cell, DEGREE]):
            other = near[cell, i]
            if numbers[other] == HIDDEN:
                need -= work.known[other] == MINE
                around += work.known[other] == UNKNOWN
        for i in range(near[cell, DEGREE]):
            other = near[cell, i]
            if numbers[other] == HIDDEN and work.known[other] == UNKNOWN:
                probability[other] = max(probability[other], need / around)
    for cell in range(len(numbers)):
        if probability[cell] == -1.0:
            probability[cell] = min(1.0, max(0.0, left / unknown))


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
) -> None:
    for lane in range(len(numbers)):
        if not live[lane]:
            continue
        if untouched(numbers[lane]):
            actions[lane], safety[lane] = opening, opening_safety
            continue
        cell = safe_by_rule(numbers[lane], cols, near, bits, work)
        safety[lane] = 1.0
        if cell < 0:
            guess_locally(numbers[lane], mines, near, work, probability)
            cell = safest(numbers[lane], probability)
            safety[lane] = 1.0 - probability[cell]
        actions[lane] = cell
