"""Mines: where they come to lie, and the numbers around them. `near` is the table of `geometry.surroundings`."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.jit import kernel, to_word
from ludex.core.seeding import advance, mix
from ludex.games.minesweeper.geometry import DEGREE
from ludex.games.minesweeper.layout import MINE, REVEALED
from ludex.games.minesweeper.options import Start

KEEP_NOTHING: Final = 0
KEEP_CELL: Final = 1
KEEP_AROUND: Final = 2
KEPT: Final[dict[Start, int]] = {"none": KEEP_NOTHING, "safe": KEEP_CELL, "zero": KEEP_AROUND}
"""What each start rule keeps free of mines, as kernels know it."""
WIDTH: Final = 12
"""Bits that name any cell: no board has more than 2**12."""
DRAWS: Final = 5
"""How often they fit into a word."""


@kernel
def lay_mines(
    cells: NDArray[np.uint8],
    lane: int,
    near: NDArray[np.uint16],
    first: int,
    keep: int,
    mines: int,
    states: NDArray[np.uint64],
) -> None:
    """Lay the mines of one board, `cells[lane]`, for its first revealed cell; all allowed sets are equally likely.

    No cell is revealed yet, so `REVEALED` serves to mark what must stay free. Cells are drawn until one is open; where
    more than half of them become mines, the free ones are drawn instead.
    """
    size = cells.shape[1]
    allowed = size
    if keep != KEEP_NOTHING:
        cells[lane, first] |= REVEALED
        allowed -= 1
    if keep == KEEP_AROUND:
        for k in range(DEGREE):
            allowed -= cells[lane, near[first, k]] & REVEALED == 0
            cells[lane, near[first, k]] |= REVEALED
    sparse = 2 * mines <= allowed
    _mark_open(cells, lane, MINE if sparse else REVEALED, mines if sparse else allowed - mines, states)
    if not sparse:
        for cell in range(size):
            # What is marked stays free, everything else becomes a mine.
            if cells[lane, cell] & REVEALED == 0:
                cells[lane, cell] |= MINE
    for cell in range(size):
        cells[lane, cell] &= ~REVEALED


@kernel
def _mark_open(cells: NDArray[np.uint8], lane: int, mark: int, count: int, states: NDArray[np.uint64]) -> None:
    """Set a bit in so many random cells that are neither a mine nor marked.

    A word of the generator makes several draws: `WIDTH` bits each, cut to the fewest that can name every cell. One that
    names no open cell is passed over, so that all open cells are equally likely.
    """
    size = to_word(cells.shape[1])
    mask = size - to_word(1)
    for shift in (1, 2, 4, 8):
        mask |= mask >> to_word(shift)
    while count > 0:
        states[lane] = advance(states[lane])
        bits = mix(states[lane])
        for _ in range(DRAWS):
            drawn = bits & mask
            bits >>= to_word(WIDTH)
            cell = drawn if drawn < size else to_word(0)
            # Nobody can foretell these, so they are reckoned and not branched on.
            good = (drawn < size) & (count > 0) & (cells[lane, cell] & (MINE | REVEALED) == 0)
            cells[lane, cell] |= mark * good
            count -= good


@kernel
def mines_around(cells: NDArray[np.uint8], lane: int, near: NDArray[np.uint16], cell: int) -> int:
    """How many neighbours of a safe cell are mines."""
    count = 0
    for k in range(DEGREE):
        count += cells[lane, near[cell, k]] >> 4 & 1
    return count
