"""The first look at a board: most moves of a game need no more."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.layout import HIDDEN
from ludex.games.minesweeper.solver.deduce import SAFE, deduce
from ludex.games.minesweeper.solver.edge import NONE
from ludex.games.minesweeper.solver.workspace import Workspace
from ludex.kernels.jit import kernel, to_index


@kernel
def untouched(numbers: NDArray[np.int8]) -> bool:
    """Whether nothing is revealed."""
    for cell in range(len(numbers)):
        if numbers[cell] != HIDDEN:
            return False
    return True


@kernel
def safe_by_rule(
    numbers: NDArray[np.int8], cols: int, near: NDArray[np.int16], bits: NDArray[np.int8], work: Workspace
) -> int:
    """A hidden cell that the rules prove safe, or -1; then `work.known` holds all that they prove."""
    finds = deduce(numbers, cols, near, bits, work, True)
    for i in range(finds):
        if work.known[work.found[i]] == SAFE:
            return to_index(work.found[i])
    return NONE


@kernel
def safest(numbers: NDArray[np.int8], probability: NDArray[np.float64]) -> int:
    """The hidden cell that is a mine least probably, the first of equals."""
    best = NONE
    for cell in range(len(numbers)):
        if numbers[cell] == HIDDEN and (best == NONE or probability[cell] < probability[best]):
            best = cell
    return best
