"""The player that only makes moves it can prove: the seed's solver without guesses."""

import numpy as np
from numpy.typing import NDArray

from ludex.core.agent import Candidate, Decision
from ludex.core.game import Mask
from ludex.core.jit import draw_below, kernel
from ludex.core.limit import Limit
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.minesweeper.agents.sight import Sight
from ludex.games.minesweeper.agents.telling import opened, proven
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.lanes.buffers import REST
from ludex.games.minesweeper.layout import HIDDEN
from ludex.games.minesweeper.options import RulesOptions
from ludex.games.minesweeper.position import View
from ludex.games.minesweeper.rules import proofs
from ludex.games.minesweeper.solver.deduce import MINE
from ludex.games.minesweeper.solver.quick import safe_by_rule, untouched
from ludex.games.minesweeper.solver.workspace import Workspace


class RulesAgent:
    """Reveals what the rules prove safe. Where nothing is, it gives up, or guesses any cell that is no proven mine."""

    def __init__(self, game: Minesweeper, guesses: bool = False, name: str = "rules") -> None:
        self.name = name
        self._sight = Sight(game)
        self._guesses = guesses

    def decide(self, view: View, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        sight, numbers = self._sight, self._sight.numbers(view)
        if untouched(numbers):
            return opened(sight)
        forced = proofs(view.numbers)
        cell = safe_by_rule(numbers, sight.cols, sight.near, sight.bits, sight.work)
        if cell >= 0:
            return proven(sight, view.numbers, cell, forced)
        mines = {one.cell for one in forced if one.kind == "flag"}
        open_cells = [cell for cell in np.flatnonzero(numbers == HIDDEN).tolist() if cell not in mines]
        if not self._guesses:
            return Decision(
                action=open_cells[0], stats={"how": "stuck"}, note="no rule proves a safe cell", resigns=True
            )
        chosen = rng.choice(open_cells)
        share = 1.0 / len(open_cells)
        return Decision(
            action=chosen,
            candidates=tuple(Candidate(cell, prob=share, line=(cell,)) for cell in open_cells),
            stats={"how": "guess"},
            note=f"no rule proves a safe cell: {sight.names[chosen]} by chance",
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
        _choose(rows, live, states, *sight.tables, *sight.beginning, self._guesses, actions, safety)


def rules(game: Minesweeper, options: RulesOptions, services: Services, name: str) -> RulesAgent:
    """The factory of `rules`."""
    return RulesAgent(game, options.guess == "uniform", name)


@kernel
def _choose(
    numbers: NDArray[np.int8],
    live: NDArray[np.bool_],
    states: NDArray[np.uint64],
    cols: int,
    mines: int,
    near: NDArray[np.int16],
    bits: NDArray[np.int8],
    work: Workspace,
    opening: int,
    opening_safety: float,
    guesses: bool,
    actions: NDArray[np.int64],
    safety: NDArray[np.float64],
) -> None:
    for lane in range(len(numbers)):
        if not live[lane]:
            continue
        if untouched(numbers[lane]):
            actions[lane], safety[lane] = opening, opening_safety
            continue
        actions[lane] = safe_by_rule(numbers[lane], cols, near, bits, work)
        safety[lane] = 1.0
        if actions[lane] < 0:
            safety[lane] = np.nan
            actions[lane] = _any(numbers[lane], work, states, lane) if guesses else REST


@kernel
def _any(numbers: NDArray[np.int8], work: Workspace, states: NDArray[np.uint64], lane: int) -> int:
    """A hidden cell that is no proven mine, each equally likely."""
    count = 0
    for cell in range(len(numbers)):
        count += numbers[cell] == HIDDEN and work.known[cell] != MINE
    left = draw_below(states, lane, count)
    for cell in range(len(numbers)):
        if numbers[cell] == HIDDEN and work.known[cell] != MINE:
            if left == 0:
                return cell
            left -= 1
    return REST
