"""Solver labels for many boards at once: which states to keep, the mine probabilities, and the next move."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.agents.solver.assess import assess, untouched
from ludex.games.minesweeper.agents.solver.deduce import SAFE, deduce
from ludex.games.minesweeper.agents.solver.workspace import Workspace
from ludex.games.minesweeper.rules.layout import HIDDEN
from ludex.kernels.jit import draw_below, kernel

GUESS: Final = -2
"""Stands for the action of a lane where no cell is certainly safe."""
FEW: Final = 3
"""States with no more cells that rules prove safe are always kept."""


@kernel
def label_lanes(
    numbers: NDArray[np.int8],
    live: NDArray[np.bool_],
    mines: NDArray[np.int32],
    cols: int,
    near: NDArray[np.int16],
    bits: NDArray[np.int8],
    work: Workspace,
    states: NDArray[np.uint64],
    probability: NDArray[np.float64],
    kept: NDArray[np.bool_],
    actions: NDArray[np.int64],
) -> None:
    """For every live lane of `numbers: int8[N, HW]` write `probability: float64[N, HW]`, `kept` and `actions`.

    A state where rules prove n cells safe is kept with probability FEW/n, so that most of what is learned from is hard.
    An action is a certainly safe cell, each as likely, else GUESS.
    """
    for lane in range(len(numbers)):
        kept[lane] = False
        if not live[lane]:
            continue
        row = numbers[lane]
        if untouched(row):
            actions[lane] = draw_below(states, lane, len(row))
            continue
        deduce(row, cols, near, bits, work, False)
        proven = 0
        for cell in range(len(row)):
            proven += row[cell] == HIDDEN and work.known[cell] == SAFE
        if proven > FEW and draw_below(states, lane, proven) >= FEW:
            actions[lane] = _pick_known(row, work, draw_below(states, lane, proven))
            continue
        chances = probability[lane]
        if assess(row, cols, mines[lane], near, bits, work, chances) < 0.0:
            # Too complex to count: nothing is learned from it, and rules or chance go on.
            actions[lane] = _pick_known(row, work, 0) if proven > 0 else _pick_hidden(row, states, lane)
            continue
        kept[lane] = True
        safe = 0
        for cell in range(len(row)):
            safe += chances[cell] == 0.0
        actions[lane] = _pick_certain(chances, draw_below(states, lane, safe)) if safe > 0 else GUESS


@kernel
def _pick_known(row: NDArray[np.int8], work: Workspace, place: int) -> int:
    """The cell at index `place` of those that rules prove safe."""
    for cell in range(len(row)):
        if row[cell] == HIDDEN and work.known[cell] == SAFE:
            if place == 0:
                return cell
            place -= 1
    return GUESS


@kernel
def _pick_certain(chances: NDArray[np.float64], place: int) -> int:
    """The cell at index `place` of those with probability 0."""
    for cell in range(len(chances)):
        if chances[cell] == 0.0:
            if place == 0:
                return cell
            place -= 1
    return GUESS


@kernel
def _pick_hidden(row: NDArray[np.int8], states: NDArray[np.uint64], lane: int) -> int:
    """Any hidden cell."""
    hidden = 0
    for cell in range(len(row)):
        hidden += row[cell] == HIDDEN
    place = draw_below(states, lane, hidden)
    for cell in range(len(row)):
        if row[cell] == HIDDEN:
            if place == 0:
                return cell
            place -= 1
    return GUESS
