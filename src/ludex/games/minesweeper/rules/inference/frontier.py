"""The edge of what is known: numbers with unknown neighbours, boxes of cells that the same numbers touch, components.

Cells of a box are alike: only how many of them are mines matters. Boxes that share a number belong to one component,
and components touch each other only through the number of mines left.
"""

from ludex.games.minesweeper.rules.inference.forced_moves import MINE, UNKNOWN
from ludex.games.minesweeper.rules.inference.workspace import Workspace
from ludex.games.minesweeper.rules.layout import DEGREE, HIDDEN, Numbers
from ludex.kernels.jit import kernel, to_index

NONE = -1


@kernel
def find_boxes(numbers: Numbers, work: Workspace) -> tuple[int, int, int]:
    """Witnesses, boxes, and unknown cells that no number touches: how many of each there are."""
    witnesses, boxes, elsewhere = _find_witnesses(numbers, work), 0, 0
    for cell in range(len(numbers)):
        if numbers[cell] != HIDDEN or work.known[cell] != UNKNOWN:
            continue
        width = 0
        for i in range(work.near[cell, DEGREE]):
            witness = work.witness_of[work.near[cell, i]]
            if witness != NONE:
                # Written where the next box would have it, so that a new box is already there.
                work.box_witnesses[boxes, width] = witness
                width += 1
        if width == 0:
            elsewhere += 1
            continue
        box = _like(work, boxes, width)
        if box == boxes:
            work.box_width[box] = width
            work.box_size[box] = 0
            work.ordered[box] = 0
            for i in range(width):
                witness = work.box_witnesses[box, i]
                work.witness_boxes[witness, work.witness_width[witness]] = box
                work.witness_width[witness] += 1
            boxes += 1
        work.box_of[cell] = box
        work.box_cells[box, work.box_size[box]] = cell
        work.box_size[box] += 1
    return witnesses, boxes, elsewhere


@kernel
def _find_witnesses(numbers: Numbers, work: Workspace) -> int:
    """Number the revealed cells that have unknown neighbours."""
    witnesses = 0
    for cell in range(len(numbers)):
        work.witness_of[cell] = NONE
        work.box_of[cell] = NONE
        if numbers[cell] == HIDDEN:
            continue
        need, unknown = to_index(numbers[cell]), 0
        for i in range(work.near[cell, DEGREE]):
            other = work.near[cell, i]
            if numbers[other] == HIDDEN:
                if work.known[other] == MINE:
                    need -= 1
                elif work.known[other] == UNKNOWN:
                    unknown += 1
        if unknown > 0:
            work.witness_of[cell] = witnesses
            work.need[witnesses] = need
            work.capacity[witnesses] = unknown
            work.witness_width[witnesses] = 0
            work.slot[witnesses] = NONE
            witnesses += 1
    return witnesses


@kernel
def _like(work: Workspace, box: int, width: int) -> int:
    """An earlier box with the witnesses that were written for this one, or this one itself."""
    first = work.box_witnesses[box, 0]
    for i in range(work.witness_width[first]):
        other = work.witness_boxes[first, i]
        if work.box_width[other] == width:
            same = True
            for j in range(1, width):
                if work.box_witnesses[other, j] != work.box_witnesses[box, j]:
                    same = False
                    break
            if same:
                return to_index(other)
    return box


@kernel
def arrange(work: Workspace, witnesses: int, boxes: int) -> int:
    """Put the boxes in an order that keeps few witnesses open at a time; returns the number of components.

    A component begins with the witness of fewest boxes. The open witness with the fewest boxes left comes next.
    """
    placed, components = 0, 0
    # `slot` is unused until layers are filled: here 1 marks a witness that is open or done.
    for witness in range(witnesses):
        work.slot[witness] = 0
    frontier = work.found
    while placed < boxes:
        begin = NONE
        for witness in range(witnesses):
            if work.slot[witness] == 0 and (begin == NONE or work.witness_width[witness] < work.witness_width[begin]):
                begin = witness
        frontier[0] = begin
        opened = 1
        work.slot[begin] = 1
        while opened > 0:
            best, fewest = 0, DEGREE + 1
            for i in range(opened):
                left = 0
                witness = frontier[i]
                for j in range(work.witness_width[witness]):
                    left += 1 - work.ordered[work.witness_boxes[witness, j]]
                if left < fewest:
                    best, fewest = i, left
            witness = frontier[best]
            opened -= 1
            frontier[best] = frontier[opened]
            while fewest > 0:
                fewest -= 1
                box = _least_opening(work, witness)
                work.ordered[box] = 1
                work.order[placed] = box
                placed += 1
                for j in range(work.box_width[box]):
                    other = work.box_witnesses[box, j]
                    if work.slot[other] == 0:
                        work.slot[other] = 1
                        frontier[opened] = other
                        opened += 1
        work.component_end[components] = placed
        components += 1
    for witness in range(witnesses):
        work.slot[witness] = NONE
    return components


@kernel
def _least_opening(work: Workspace, witness: int) -> int:
    """The box of a witness, not ordered yet, that opens the fewest new witnesses."""
    best, fewest = NONE, DEGREE + 1
    for j in range(work.witness_width[witness]):
        box = work.witness_boxes[witness, j]
        if work.ordered[box] == 0:
            opens = 0
            for k in range(work.box_width[box]):
                opens += 1 - work.slot[work.box_witnesses[box, k]]
            if opens < fewest:
                best, fewest = to_index(box), opens
    return best
