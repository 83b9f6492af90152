"""Random mine placement. `near` is the array of `geometry.surroundings`."""

from typing import Final

from ludex.core.seeding import advance, mix
from ludex.games.minesweeper.rules.bitboard import MINED, find_blanks, read_lines, row_of
from ludex.games.minesweeper.rules.geometry import DEGREE
from ludex.games.minesweeper.rules.layout import MINE, REVEALED, Cells, Lines, Near, States
from ludex.games.minesweeper.rules.options import Start
from ludex.kernels.jit import bare_kernel, to_index, to_word

KEEP_NOTHING: Final = 0
KEEP_CELL: Final = 1
KEEP_AROUND: Final = 2
KEPT: Final[dict[Start, int]] = {"none": KEEP_NOTHING, "safe": KEEP_CELL, "zero": KEEP_AROUND}
"""What each start rule keeps free of mines, as the kernels' code."""
WIDTH: Final = 12
"""Bits that name any cell: no board has more than 2**12."""
DRAWS: Final = 5
"""Draws of `WIDTH` bits per word."""


@bare_kernel
def place_mines(
    cells: Cells, lane: int, near: Near, cols: int, first: int, keep: int, mines: int, lines: Lines, states: States
) -> None:
    """Place the mines of one board, `cells[lane]`, for its first revealed cell; all allowed sets are equally likely.

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
    for line in range(lines.shape[2]):
        lines[lane, MINED, line] = 0
    if 2 * mines <= allowed:
        _mark_open(cells, lane, cols, MINE, mines, lines, states)
        if keep != KEEP_NOTHING:
            cells[lane, first] &= ~REVEALED
        if keep == KEEP_AROUND:
            for k in range(DEGREE):
                cells[lane, near[first, k]] &= ~REVEALED
        find_blanks(lane, cols, lines)
    else:
        _mark_open(cells, lane, cols, REVEALED, allowed - mines, lines, states)
        for cell in range(size):
            # What is marked stays free, everything else becomes a mine.
            cells[lane, cell] = cells[lane, cell] & ~REVEALED | (MINE if cells[lane, cell] & REVEALED == 0 else 0)
        read_lines(cells, lane, cols, lines)


@bare_kernel
def _mark_open(cells: Cells, lane: int, cols: int, mark: int, count: int, lines: Lines, states: States) -> None:
    """Set a bit in `count` random cells that are neither a mine nor marked, and in their lines.

    A word of the generator makes several draws: `WIDTH` bits each, cut to the fewest that can name every cell. One that
    names no open cell is passed over, so that all open cells are equally likely.
    """
    size = to_word(cells.shape[1])
    mask = size - to_word(1)
    for shift in (1, 2, 4, 8):
        mask |= mask >> to_word(shift)
    state = states[lane]
    while count > 0:
        state = advance(state)
        bits = mix(state)
        for _ in range(DRAWS):
            drawn = bits & mask
            bits >>= to_word(WIDTH)
            cell = drawn if drawn < size else to_word(0)
            # A branch on these random values would be mispredicted, so they are computed without one.
            good = to_word((drawn < size) & (count > 0) & (cells[lane, cell] & (MINE | REVEALED) == 0))
            row = row_of(cell, cols)
            lines[lane, MINED, row + to_word(1)] |= good << (cell - row * to_word(cols))
            cells[lane, cell] |= to_word(mark) * good
            count -= to_index(good)
    states[lane] = state
