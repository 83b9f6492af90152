"""The expert's choice where rules prove nothing, from certainty by counting to the dearest guess."""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.layout import HIDDEN
from ludex.games.minesweeper.solver.assess import assess
from ludex.games.minesweeper.solver.closed import closed_guess
from ludex.games.minesweeper.solver.deduce import MINE
from ludex.games.minesweeper.solver.edge import NONE
from ludex.games.minesweeper.solver.foresight import best_guess
from ludex.games.minesweeper.solver.quick import safest
from ludex.games.minesweeper.solver.shortlist import make_shortlist
from ludex.games.minesweeper.solver.solutions import Solutions, list_solutions
from ludex.games.minesweeper.solver.thinking import NODES, SOLUTIONS, WON, Thinking
from ludex.games.minesweeper.solver.tree import Tree, search_tree
from ludex.games.minesweeper.solver.workspace import Workspace
from ludex.kernels.jit import kernel, to_index

FAILED: Final = 0
COUNT: Final = 1
ENDGAME: Final = 2
UNAVOIDABLE: Final = 3
FORESIGHT: Final = 4
"""How a cell was found: counting proves it safe, every solution was searched, or it is a guess."""


@kernel
def expert_cell(
    numbers: NDArray[np.int8],
    cols: int,
    mines: int,
    near: NDArray[np.int16],
    bits: NDArray[np.int8],
    work: Workspace,
    solutions: Solutions,
    tree: Tree,
    thinking: Thinking,
    most_solutions: int,
    most_nodes: int,
) -> tuple[int, int, float]:
    """The cell to reveal, how it was found, and the logarithm of the number of solutions.

    If `assess` fails, what it says stands in their place. `numbers` is written to and left as it was.
    """
    log_count = assess(numbers, cols, mines, near, bits, work, thinking.probability)
    thinking.figures[:] = 0
    if log_count < 0.0:
        return NONE, FAILED, log_count
    cell = safest(numbers, thinking.probability)
    if thinking.probability[cell] == 0.0:
        return cell, COUNT, log_count
    left, components = mines, to_index(work.figures[0])
    for other in range(len(numbers)):
        left -= numbers[other] == HIDDEN and work.known[other] == MINE
    if log_count <= math.log(most_solutions + 0.5):
        count, columns = list_solutions(numbers, near, work, components, left, solutions)
        if count > 0:
            column, won = search_tree(tree, solutions, count, columns, most_nodes)
            thinking.figures[NODES] = tree.nodes[0]
            if column >= 0:
                thinking.figures[SOLUTIONS] = count
                thinking.figures[WON] = won
                return to_index(solutions.cell[column]), ENDGAME, log_count
    cell, won, count = closed_guess(numbers, near, work, components, solutions, tree, most_nodes)
    if cell != NONE:
        thinking.figures[NODES] += tree.nodes[0]
        thinking.figures[SOLUTIONS] = count
        thinking.figures[WON] = won
        return cell, UNAVOIDABLE, log_count
    make_shortlist(numbers, near, work, thinking)
    place = best_guess(numbers, cols, mines, near, bits, work, thinking, log_count)
    return to_index(thinking.cell[place]), FORESIGHT, log_count
