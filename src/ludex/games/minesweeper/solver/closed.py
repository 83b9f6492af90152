"""Guesses that nothing can spare: components that touch no other unknown cell, with the same mines in every solution.

Nothing that happens elsewhere will ever tell more about such a component, not even the number of mines left. A 50/50 is
the smallest of them. To play it at once loses nothing, and what must be lost is lost before more time is spent.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.jit import kernel, to_index
from ludex.games.minesweeper.geometry import DEGREE
from ludex.games.minesweeper.layout import HIDDEN
from ludex.games.minesweeper.solver.deduce import UNKNOWN
from ludex.games.minesweeper.solver.edge import NONE
from ludex.games.minesweeper.solver.solutions import Solutions, list_component
from ludex.games.minesweeper.solver.tree import Tree, search_tree
from ludex.games.minesweeper.solver.workspace import Workspace

MOST_CLOSED: Final = 24
"""Cells of a component that is worth a look."""


@kernel
def closed_guess(
    numbers: NDArray[np.int8],
    near: NDArray[np.int16],
    work: Workspace,
    components: int,
    mines: int,
    solutions: Solutions,
    tree: Tree,
    most_nodes: int,
) -> tuple[int, int, int]:
    """The best first cell of a closed component, with its solutions won and all; NONE and zeros if there is none."""
    begin = 0
    for component in range(components):
        end = to_index(work.component_end[component])
        last = work.component_layer[component + 1] - 1
        if work.layer[last + 1] - work.layer[last] == 1 and _is_closed(numbers, near, work, begin, end):
            count, columns = list_component(numbers, near, work, component, mines, solutions)
            if count > 1:
                column, won = search_tree(tree, solutions, count, columns, most_nodes)
                if column >= 0:
                    return to_index(solutions.cell[column]), won, count
        begin = end
    return NONE, 0, 0


@kernel
def _is_closed(numbers: NDArray[np.int8], near: NDArray[np.int16], work: Workspace, begin: int, end: int) -> bool:
    """Whether the unknown neighbours of a component's cells are all its own."""
    cells = 0
    for place in range(begin, end):
        cells += work.box_size[work.order[place]]
    if cells > MOST_CLOSED:
        return False
    for place in range(begin, end):
        box = work.order[place]
        for i in range(work.box_size[box]):
            cell = work.box_cells[box, i]
            for j in range(near[cell, DEGREE]):
                other = near[cell, j]
                unknown = numbers[other] == HIDDEN and work.known[other] == UNKNOWN
                if unknown and not _among(work, begin, end, to_index(work.box_of[other])):
                    return False
    return True


@kernel
def _among(work: Workspace, begin: int, end: int, box: int) -> bool:
    """Whether a box, or NONE, is one of these places'."""
    for place in range(begin, end):
        if work.order[place] == box:
            return True
    return False
