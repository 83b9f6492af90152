"""Solver labels for many boards at once: which states to keep, the mine probabilities, and the next move.

`label_lanes` is the exact teacher's, `force_lanes` that of forced moves.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.rules.inference.assess import assess, safest, untouched
from ludex.games.minesweeper.rules.inference.deduce import MINE, SAFE, deduce
from ludex.games.minesweeper.rules.inference.workspace import Workspace
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
def force_lanes(
    numbers: NDArray[np.int8],
    mask: NDArray[np.bool_],
    live: NDArray[np.bool_],
    flags: NDArray[np.bool_],
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
    """For every live lane of `numbers: int8[N, HW]` write `kept`, whether it has a forced move, and `actions`.

    Forced are the reveals of cells that rules prove safe and, where the mask has them, flags on proven mines that have
    none; each is as likely. A lane without one reveals the safest cell that its mask allows, and is not kept.
    """
    size = numbers.shape[1]
    has_flags = mask.shape[1] > size
    for lane in range(len(numbers)):
        kept[lane] = False
        if not live[lane]:
            continue
        row = numbers[lane]
        if untouched(row):
            actions[lane] = draw_below(states, lane, size)
            continue
        deduce(row, cols, near, bits, work, False)
        forced = 0
        for cell in range(size):
            forced += _forced(row, flags[lane], work, has_flags, cell)
        if forced > 0:
            kept[lane] = True
            place = draw_below(states, lane, forced)
            for cell in range(size):
                if _forced(row, flags[lane], work, has_flags, cell):
                    if place == 0:
                        actions[lane] = cell if work.known[cell] == SAFE else size + cell
                    place -= 1
            continue
        chances = probability[lane]
        if assess(row, cols, mines[lane], near, bits, work, chances) < 0.0:
            actions[lane] = _pick_hidden(row, states, lane)
            continue
        for cell in range(size):
            if not mask[lane, cell] and row[cell] == HIDDEN:
                # Behind every cell that may be revealed, even a certain mine.
                chances[cell] = 2.0
        actions[lane] = safest(row, chances)


@kernel
def _forced(row: NDArray[np.int8], flags: NDArray[np.bool_], work: Workspace, has_flags: bool, cell: int) -> bool:
    """Whether rules prove what to do with a cell: reveal it, or set a flag."""
    if row[cell] != HIDDEN:
        return False
    return work.known[cell] == SAFE or (has_flags and work.known[cell] == MINE and not flags[cell])


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
