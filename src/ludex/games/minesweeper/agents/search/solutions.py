"""Listing every solution, where there are few: what each unknown cell would show in each of them."""

from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.rules.inference.forced_moves import MINE, UNKNOWN
from ludex.games.minesweeper.rules.inference.frontier import NONE
from ludex.games.minesweeper.rules.inference.workspace import Workspace
from ludex.games.minesweeper.rules.layout import DEGREE, HIDDEN, MOST_CELLS, Numbers
from ludex.kernels.jit import kernel, to_index

MOST_SOLUTIONS: Final = 1 << 13
MOST_UNKNOWN: Final = 128
EXPLODES: Final = 9
"""What a cell shows where it is a mine."""
DOES_NOT_FIT: Final = -1
ANY: Final = -1
"""Any number of mines."""


class Solutions:
    """The record's fields. S counts solutions, U unknown cells."""

    cell: Annotated[NDArray[np.int16], MOST_UNKNOWN]
    """[U]: the cell of each column."""
    column: Annotated[NDArray[np.int16], MOST_CELLS]
    """[cells]: an unknown cell's column, or -1."""
    shown: Annotated[NDArray[np.uint8], MOST_SOLUTIONS, MOST_UNKNOWN]
    """[S, U]: what the cell shows if the solution is true: 0..8 or EXPLODES."""
    mined: Annotated[NDArray[np.uint8], MOST_UNKNOWN]
    """[U]: the solution being built."""
    entry: Annotated[NDArray[np.int32], MOST_CELLS]
    step: Annotated[NDArray[np.int32], MOST_CELLS]
    subset: Annotated[NDArray[np.int32], MOST_CELLS]
    """[B]: at each place of the order, the current step of the walk through the layers."""
    base: Annotated[NDArray[np.int32], MOST_CELLS]
    """[B]: mines of earlier components."""
    chosen: Annotated[NDArray[np.int16], MOST_UNKNOWN + 1]
    """[U]: which cells of the rest are mines."""


@kernel
def list_solutions(
    numbers: Numbers, work: Workspace, first: int, last: int, mines: int, whole: bool, out: Solutions
) -> tuple[int, int]:
    """Write down all solutions of the components from `first` to before `last`, after `assess`.

    Of the `whole` board these are all components, and the cells that no number touches have the mines left. Other
    components touch no unknown cell but their own, and `mines` may be ANY. Returns how many solutions there are and
    their columns, DOES_NOT_FIT for both.
    """
    for cell in range(len(numbers)):
        out.column[cell] = NONE
    columns = 0
    for place in range(_begin(work, first), _begin(work, last)):
        box = work.order[place]
        if columns + work.box_size[box] > MOST_UNKNOWN:
            return DOES_NOT_FIT, DOES_NOT_FIT
        for i in range(work.box_size[box]):
            out.cell[columns] = work.box_cells[box, i]
            out.column[work.box_cells[box, i]] = columns
            columns += 1
    first_rest = columns
    if whole:
        for cell in range(len(numbers)):
            if numbers[cell] == HIDDEN and work.known[cell] == UNKNOWN and work.box_of[cell] == NONE:
                if columns == MOST_UNKNOWN:
                    return DOES_NOT_FIT, DOES_NOT_FIT
                out.cell[columns] = cell
                out.column[cell] = columns
                columns += 1
    count = _walk(numbers, work, first, last, mines, first_rest, columns, out)
    return count, DOES_NOT_FIT if count == DOES_NOT_FIT else columns


@kernel
def _begin(work: Workspace, component: int) -> int:
    """The place in the order of a component's first box."""
    return to_index(work.component_end[component - 1]) if component > 0 else 0


@kernel
def _walk(
    numbers: Numbers, work: Workspace, first: int, last: int, mines: int, first_rest: int, columns: int, out: Solutions
) -> int:
    """List every path through the layers of some components that leads to a solution; returns how many there are."""
    alone = last - first == 1 and first_rest == columns
    begin, end = _begin(work, first), _begin(work, last)
    count, place, component, used, entering = 0, begin, first, 0, True
    while place >= begin:
        if place == end:
            count = _list_rest(numbers, work, out, count, first_rest, columns, 0 if alone else mines - used)
            if count == DOES_NOT_FIT:
                return DOES_NOT_FIT
            place, entering = place - 1, False
            continue
        while place < _begin(work, component):
            component -= 1
        while place >= work.component_end[component]:
            component += 1
        box = to_index(work.order[place])
        if entering:
            if place == _begin(work, component):
                out.entry[place] = work.layer[work.component_layer[component]]
                out.base[place] = used
            else:
                out.entry[place] = work.step_to[out.step[place - 1]]
                out.base[place] = out.base[place - 1]
            out.step[place] = work.first_step[out.entry[place]] - 1
            out.subset[place] = NONE
        if not _next_choice(work, box, place, out):
            place, entering = place - 1, False
            continue
        column = to_index(out.column[work.box_cells[box, 0]])
        for i in range(work.box_size[box]):
            out.mined[column + i] = (out.subset[place] >> i) & 1
        used = to_index(out.base[place]) + to_index(work.used[work.step_to[out.step[place]]])
        whole = place + 1 == work.component_end[component]
        entering = not whole or (
            mines in (ANY, used) if alone else work.after_can[(component + 1) * (mines + 1) + used] != 0
        )
        if entering:
            place += 1
    return count


@kernel
def _next_choice(work: Workspace, box: int, place: int, out: Solutions) -> bool:
    """The next subset of a box's cells, or the first of the next step that is part of a solution; False at the end."""
    subset = _next_subset(to_index(out.subset[place]), to_index(work.box_size[box]))
    entry = to_index(out.entry[place])
    while subset == NONE:
        out.step[place] += 1
        if out.step[place] >= work.first_step[entry + 1]:
            return False
        if work.alive[work.step_to[out.step[place]]]:
            placed = to_index(work.least[entry]) + to_index(out.step[place]) - to_index(work.first_step[entry])
            subset = (1 << placed) - 1
    out.subset[place] = subset
    return True


@kernel
def _next_subset(subset: int, size: int) -> int:
    """The next greater number with as many bits, or -1 if it needs more than `size` bits or there was none before."""
    if subset <= 0:
        return -1
    low = subset & -subset
    ripple = subset + low
    following = ripple | (((subset ^ ripple) >> 2) // low)
    return following if following < 1 << size else -1


@kernel
def _list_rest(numbers: Numbers, work: Workspace, out: Solutions, found: int, begin: int, end: int, mines: int) -> int:
    """Every choice of the mines left among the cells that no number touches."""
    size = end - begin
    if mines < 0 or mines > size:
        return found
    for i in range(mines):
        out.chosen[i] = i
    while True:
        for i in range(size):
            out.mined[begin + i] = 0
        for i in range(mines):
            out.mined[begin + out.chosen[i]] = 1
        if found == MOST_SOLUTIONS:
            return DOES_NOT_FIT
        _show(numbers, work, out, found, end)
        found += 1
        last = mines - 1
        while last >= 0 and out.chosen[last] == size - mines + last:
            last -= 1
        if last < 0:
            return found
        out.chosen[last] += 1
        for i in range(last + 1, mines):
            out.chosen[i] = out.chosen[i - 1] + 1


@kernel
def _show(numbers: Numbers, work: Workspace, out: Solutions, solution: int, columns: int) -> None:
    for column in range(columns):
        if out.mined[column]:
            out.shown[solution, column] = EXPLODES
            continue
        cell = out.cell[column]
        count = 0
        for i in range(work.near[cell, DEGREE]):
            other = work.near[cell, i]
            if numbers[other] == HIDDEN:
                if out.column[other] != NONE:
                    count += out.mined[out.column[other]]
                elif work.known[other] == MINE:
                    count += 1
        out.shown[solution, column] = count
