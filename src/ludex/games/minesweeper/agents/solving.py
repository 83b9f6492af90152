"""The base of all solving agents: openings and proven cells first, on one board or on many; guesses differ."""

import math
from abc import ABC, abstractmethod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.decision import Decision
from ludex.core.game import Mask
from ludex.core.limit import Limit
from ludex.core.seeding import Rng
from ludex.games.minesweeper.agents.decisions import SolverContext, decide_opening, decide_proven
from ludex.games.minesweeper.agents.lane_agent import LaneTurn
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.inference.assess import safe_by_rule, untouched
from ludex.games.minesweeper.rules.inference.forced_moves import proofs
from ludex.games.minesweeper.rules.inference.workspace import Workspace
from ludex.games.minesweeper.rules.layout import Numbers
from ludex.games.minesweeper.rules.position import View
from ludex.kernels.jit import kernel

UNDECIDED: Final = -2
"""Stands for the action of a lane where rules prove no safe cell."""


def safety_of(probability: float) -> float:
    """How safe a cell is that is a mine with this probability; 1.0 only if it certainly is none.

    >>> safety_of(0.0), safety_of(1e-300) < 1.0
    (1.0, True)
    """
    return 1.0 if probability == 0.0 else min(1.0 - float(probability), math.nextafter(1.0, 0.0))


class SolvingAgent(ABC):
    """Reveals what the rules prove safe; where they prove nothing, `guess` decides."""

    def __init__(self, game: Minesweeper, name: str, *, pairs: bool = True) -> None:
        """With `pairs`, numbers are also compared two by two."""
        self.name = name
        self.pairs = pairs
        self.context = SolverContext(game)

    @abstractmethod
    def guess(self, numbers: Numbers, rng: Rng) -> tuple[int, float]:
        """A cell of int8[HW] and how safe it is, 1.0 if that is certain; or `REST` to give up.

        `context.work.known` holds all that the rules prove of this position.
        """

    @abstractmethod
    def explain(self, numbers: Numbers, cell: int, safety: float) -> Decision:
        """The guess just made as a decision, with its explanation."""

    def decide(self, view: View, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        context, numbers = self.context, self.context.numbers(view)
        if untouched(numbers):
            return decide_opening(context)
        cell, safety = safe_by_rule(numbers, context.work, self.pairs), 1.0
        if cell < 0:
            cell, safety = self.guess(numbers, rng)
        if safety == 1.0:
            return decide_proven(context, view.numbers, cell, proofs(view.numbers, self.pairs))
        return self.explain(numbers, cell, safety)

    def choose(self, turn: LaneTurn) -> None:
        """The same on many boards, see `LaneAgent`. Guesses are rare, and made one by one."""
        work, rows = self.context.work, turn.numbers.reshape(len(turn.numbers), -1)
        settle_lanes(rows, turn.live, work, self.pairs, *self.context.beginning, turn.actions, turn.safety)
        for lane in np.flatnonzero(turn.live & (turn.actions == UNDECIDED)).tolist():
            row = rows[lane].copy()
            safe_by_rule(row, work, self.pairs)
            turn.actions[lane], turn.safety[lane] = self.guess(row, Rng(int(turn.states[lane])))


@kernel
def settle_lanes(
    numbers: Numbers,
    live: NDArray[np.bool_],
    work: Workspace,
    pairs: bool,
    opening: int,
    opening_safety: float,
    actions: NDArray[np.int64],
    safety: NDArray[np.float64],
) -> None:
    """Open untouched boards, reveal what rules prove safe, and leave the other live lanes UNDECIDED."""
    for lane in range(len(numbers)):
        if not live[lane]:
            continue
        if untouched(numbers[lane]):
            actions[lane], safety[lane] = opening, opening_safety
            continue
        cell = safe_by_rule(numbers[lane], work, pairs)
        actions[lane], safety[lane] = (cell if cell >= 0 else UNDECIDED), 1.0
