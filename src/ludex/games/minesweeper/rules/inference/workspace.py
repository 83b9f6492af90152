"""The memory the solver writes to: one preallocated record that kernels receive as a single pointer."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.rules.layout import DEGREE, HIDDEN, MOST_CELLS, BadBoard, Numbers, neighbours, windows
from ludex.kernels.records import new_record


def field(record: object, name: str) -> NDArray[Any]:
    """A field of a record, as an array that shares its memory."""
    return cast("NDArray[Any]", cast(Any, record)[name])


MOST_ENTRIES: Final = 1 << 20
"""Merged partial solutions of one position, all layers together."""
MOST_STEPS: Final = 1 << 22
"""Ways from one layer's entries to the next one's."""
TABLE: Final = 1 << 20
MOST_SUMS: Final = 1 << 22
"""Components times mines left."""


class Workspace:
    """The record's fields. W counts witnesses (numbers with unknown neighbours), B boxes, C components."""

    size: Annotated[NDArray[np.int64], 2]
    """The rows and columns of the board."""
    near: Annotated[NDArray[np.int16], MOST_CELLS, DEGREE + 1]
    """[cells, 9]: see `layout.neighbours`."""
    bits: Annotated[NDArray[np.int8], MOST_CELLS, DEGREE]
    """[cells, 8]: see `layout.windows`."""

    known: Annotated[NDArray[np.int8], MOST_CELLS]
    found: Annotated[NDArray[np.int16], MOST_CELLS]
    reasons: Annotated[NDArray[np.int16], MOST_CELLS, 2]
    numbered: Annotated[NDArray[np.int16], MOST_CELLS]
    sets: Annotated[NDArray[np.uint64], MOST_CELLS]
    needs: Annotated[NDArray[np.int8], MOST_CELLS]
    """These six belong to the rules, see `deduce`."""

    witness_of: Annotated[NDArray[np.int16], MOST_CELLS]
    """[cells]: a number's witness, or -1."""
    need: Annotated[NDArray[np.int16], MOST_CELLS]
    """[W]: mines among the unknown neighbours."""
    witness_boxes: Annotated[NDArray[np.int16], MOST_CELLS, DEGREE]
    """[W, 8]"""
    witness_width: Annotated[NDArray[np.int16], MOST_CELLS]
    """[W]: how many boxes it has."""
    capacity: Annotated[NDArray[np.int16], MOST_CELLS]
    """[W]: cells of its boxes that no layer covers yet."""
    slot: Annotated[NDArray[np.int16], MOST_CELLS]
    """[W]: the slot of its remaining need in a key, or -1."""

    box_of: Annotated[NDArray[np.int16], MOST_CELLS]
    """[cells]: an unknown cell's box, or -1."""
    box_cells: Annotated[NDArray[np.int16], MOST_CELLS, DEGREE]
    """[B, 8]"""
    box_size: Annotated[NDArray[np.int16], MOST_CELLS]
    """[B]"""
    box_witnesses: Annotated[NDArray[np.int16], MOST_CELLS, DEGREE]
    """[B, 8]"""
    box_width: Annotated[NDArray[np.int16], MOST_CELLS]
    """[B]: how many witnesses it has."""
    ordered: Annotated[NDArray[np.uint8], MOST_CELLS]
    """[B]: 1 once its place in the order is fixed."""
    order: Annotated[NDArray[np.int16], MOST_CELLS]
    """[B]: the boxes in the order of their layers, component by component."""
    component_end: Annotated[NDArray[np.int32], MOST_CELLS + 1]
    """[C]: where each component's boxes end in the order."""
    component_layer: Annotated[NDArray[np.int32], MOST_CELLS + 1]
    """[C]: the first layer of each; the last layer is the one before the next component's first."""

    key_low: Annotated[NDArray[np.uint64], MOST_ENTRIES]
    key_high: Annotated[NDArray[np.uint64], MOST_ENTRIES]
    """[entries]: what each open witness still needs, four bits per slot."""
    used: Annotated[NDArray[np.int16], MOST_ENTRIES]
    """[entries]: mines placed so far."""
    forward: Annotated[NDArray[np.float64], MOST_ENTRIES]
    """[entries]: ways to come here."""
    backward: Annotated[NDArray[np.float64], MOST_ENTRIES]
    """[entries]: weight of all ways to go on."""
    alive: Annotated[NDArray[np.uint8], MOST_ENTRIES]
    """[entries]: 1 if some path leads to a whole solution."""
    first_step: Annotated[NDArray[np.int32], MOST_ENTRIES + 1]
    """[entries + 1]"""
    least: Annotated[NDArray[np.int8], MOST_ENTRIES]
    """[entries]: the mines that the first step places in the box; each next step places one more."""
    step_to: Annotated[NDArray[np.int32], MOST_STEPS]
    """[steps]"""
    layer: Annotated[NDArray[np.int32], 2 * MOST_CELLS + 2]
    """[layers + 1]: where each layer's entries begin."""
    table: Annotated[NDArray[np.int32], TABLE]
    """[TABLE]: the entries of the current layer, by hash."""
    shrunk: Annotated[NDArray[np.int64], 1]
    """[1]: how often ways were divided by `counting.BIG` to avoid overflow."""

    before: Annotated[NDArray[np.float64], MOST_CELLS + 1]
    before_next: Annotated[NDArray[np.float64], MOST_CELLS + 1]
    before_can: Annotated[NDArray[np.uint8], MOST_CELLS + 1]
    before_can_next: Annotated[NDArray[np.uint8], MOST_CELLS + 1]
    """[mines]: ways of the components so far, by mines."""
    after: Annotated[NDArray[np.float64], MOST_SUMS]
    after_can: Annotated[NDArray[np.uint8], MOST_SUMS]
    """[(C + 1) * mines]: weight of the components from each on and of the rest, by mines used before."""

    figures: Annotated[NDArray[np.int64], 1]
    """[1]: how many components `assess` found."""
    mine_weight: Annotated[NDArray[np.float64], MOST_CELLS]
    safe_weight: Annotated[NDArray[np.float64], MOST_CELLS]
    """[B]"""
    can_be_mine: Annotated[NDArray[np.uint8], MOST_CELLS]
    can_be_safe: Annotated[NDArray[np.uint8], MOST_CELLS]
    """[B]"""


def workspace(rows: int, cols: int) -> Workspace:
    """A new record for kernels that work on boards of this size."""
    work = new_record(Workspace)
    set_size(work, rows, cols)
    return work


def set_size(work: Workspace, rows: int, cols: int) -> None:
    """Prepare a workspace for boards of another size."""
    if field(work, "size").tolist() != [rows, cols]:
        field(work, "size")[:] = rows, cols
        field(work, "near")[: rows * cols] = neighbours(rows, cols)
        field(work, "bits")[: rows * cols] = windows(rows, cols)


MOST_NUMBER = 8


def flat_numbers(numbers: Numbers, mines: int) -> NDArray[np.int8]:
    """int8[HW], a copy of int8[H, W] that kernels may write to.

    Raises `BadBoard` for arrays and counts that no position has.
    """
    if numbers.ndim != 2 or numbers.dtype != np.int8:
        raise BadBoard(f"numbers must be int8[H, W], found {numbers.dtype}{list(numbers.shape)}")
    rows, cols = numbers.shape
    if not 1 <= numbers.size <= MOST_CELLS:
        raise BadBoard(f"a board has 1 to {MOST_CELLS} cells, found {rows} x {cols}")
    wrong = np.argwhere((numbers < HIDDEN) | (numbers > MOST_NUMBER))
    if len(wrong):
        row, col = wrong[0].tolist()
        raise BadBoard(f"row {row}, column {col}: expected -1 (hidden) or 0 to 8, found {numbers[row, col]}")
    hidden = int((numbers == HIDDEN).sum())
    if not 0 <= mines <= hidden:
        raise BadBoard(f"mines must be in 0..{hidden}, the hidden cells, found {mines}")
    return numbers.reshape(-1).copy()


_FREE: Final[deque[Workspace]] = deque(maxlen=1)
"""One: kernels touch 20 MiB of each, and a new one costs a thread less than a millisecond."""


@contextmanager
def borrowed_workspace(rows: int, cols: int) -> Iterator[Workspace]:
    """A workspace for a board that no other thread uses meanwhile. One is kept for reuse, however many are in use."""
    try:
        work = _FREE.pop()
        set_size(work, rows, cols)
    except IndexError:
        work = workspace(rows, cols)
    try:
        yield work
    finally:
        _FREE.append(work)
