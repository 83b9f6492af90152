"""Which cells are worth a closer look before a guess."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.geometry import DEGREE
from ludex.games.minesweeper.layout import HIDDEN
from ludex.games.minesweeper.solver.edge import NONE
from ludex.games.minesweeper.solver.quick import safest
from ludex.games.minesweeper.solver.thinking import MOST_SHORTLISTED, SHORTLISTED, UNTRIED, Thinking
from ludex.games.minesweeper.solver.workspace import Workspace
from ludex.kernels.jit import kernel

NEARLY_SAFEST: Final = 0.9
"""A cell that is less safe than this share of the safest is not looked at."""
_CORNER: Final = 3
"""Neighbours of a corner, the cell most likely to be a zero."""


@kernel
def make_shortlist(numbers: NDArray[np.int8], near: NDArray[np.int16], work: Workspace, thinking: Thinking) -> None:
    """List the safest cells, safest first. Of those that no number touches only corners and the next ones count."""
    first = safest(numbers, thinking.probability)
    most = 1.0 - thinking.probability[first]
    count = 0
    for cell in range(len(numbers)):
        if numbers[cell] != HIDDEN:
            continue
        safety = 1.0 - thinking.probability[cell]
        if safety < NEARLY_SAFEST * most or not _is_near(cell, near, work):
            continue
        place = min(count, MOST_SHORTLISTED - 1)
        if count >= MOST_SHORTLISTED and thinking.safety[place] >= safety:
            continue
        while place > 0 and thinking.safety[place - 1] < safety:
            thinking.cell[place] = thinking.cell[place - 1]
            thinking.safety[place] = thinking.safety[place - 1]
            place -= 1
        thinking.cell[place] = cell
        thinking.safety[place] = safety
        count = min(count + 1, MOST_SHORTLISTED)
    if count == 0:
        thinking.cell[0] = first
        thinking.safety[0] = most
        count = 1
    for i in range(count):
        thinking.fate[i] = UNTRIED
    thinking.figures[SHORTLISTED] = count


@kernel
def _is_near(cell: int, near: NDArray[np.int16], work: Workspace) -> bool:
    """Whether a cell is at the edge, next to it, or in a corner."""
    if work.box_of[cell] != NONE or near[cell, DEGREE] <= _CORNER:
        return True
    for i in range(near[cell, DEGREE]):
        if work.box_of[near[cell, i]] != NONE:
            return True
    return False
