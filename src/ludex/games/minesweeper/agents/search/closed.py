"""Unavoidable guesses: components that touch no other unknown cell, where counting mines will not help.

Play elsewhere can reveal only how many mines such a component has. Let V(m) be the most solutions with m mines that
any play wins which knows m from the start. Given m, the component and the rest of the board are independent, so no play
wins more than V(m) times what the rest is worth then. A plan that wins V(m) of the solutions for every m at once,
without knowing m, reaches that bound and leaves the rest with m known: waiting gains nothing. There is such a plan
exactly where best play over all solutions wins the sum of the V(m), and a 50/50 is the smallest case. Guessing there at
once saves time.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.agents.search.solutions import ANY, Solutions, list_component
from ludex.games.minesweeper.agents.search.tree import Tree, search_tree
from ludex.games.minesweeper.rules.geometry import DEGREE
from ludex.games.minesweeper.rules.inference.deduce import UNKNOWN
from ludex.games.minesweeper.rules.inference.frontier import NONE
from ludex.games.minesweeper.rules.inference.workspace import Workspace
from ludex.games.minesweeper.rules.layout import HIDDEN
from ludex.kernels.jit import kernel, to_index

MOST_CLOSED: Final = 24
"""The most cells of a component that is searched."""


@kernel
def closed_guess(
    numbers: NDArray[np.int8],
    near: NDArray[np.int16],
    work: Workspace,
    components: int,
    solutions: Solutions,
    tree: Tree,
    most_nodes: int,
) -> tuple[int, int, int]:
    """The best first cell of a closed component, with its solutions won and all; NONE and zeros if there is none."""
    begin = 0
    for component in range(components):
        end = to_index(work.component_end[component])
        if _is_closed(numbers, near, work, begin, end):
            count, columns = list_component(numbers, near, work, component, ANY, solutions)
            if count > 1:
                column, won = search_tree(tree, solutions, count, columns, most_nodes)
                if column >= 0:
                    cell = to_index(solutions.cell[column])
                    if won == _won_by_count(numbers, near, work, component, won, solutions, tree, most_nodes):
                        return cell, won, count
        begin = end
    return NONE, 0, 0


@kernel
def _won_by_count(
    numbers: NDArray[np.int8],
    near: NDArray[np.int16],
    work: Workspace,
    component: int,
    won: int,
    solutions: Solutions,
    tree: Tree,
    most_nodes: int,
) -> int:
    """The sum of the V(m), where `won` is what best play wins without knowing m; NONE if a search is too long."""
    last = work.component_layer[component + 1] - 1
    begin, end = to_index(work.layer[last]), to_index(work.layer[last + 1])
    possible = 0
    for entry in range(begin, end):
        possible += work.alive[entry]
    if possible == 1:
        return won
    total = 0
    for entry in range(begin, end):
        if work.alive[entry]:
            count, columns = list_component(numbers, near, work, component, to_index(work.used[entry]), solutions)
            most = count
            if count > 1:
                column, most = search_tree(tree, solutions, count, columns, most_nodes)
                if column < 0:
                    return NONE
            total += most
    return total


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
