"""A board as bits: one word per line, bit c for column c, so that a flood opens a whole line at once.

`lines: uint64[N, 4, rows + 2]` has an empty line above and below the board's own. `cells` is the board; `lines` is
derived from it for mine placement and revealing.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.rules.layout import FLAG, MINE, REVEALED, Cells, Lines
from ludex.kernels.jit import bare_kernel, bit_count, bit_reverse, to_word

MINED: Final = 0
BLANK: Final = 1
"""Neither a mine nor beside one."""
SHUT: Final = 2
"""Hidden without a flag: what a flood opens."""
SPARE: Final = 3
"""For work in progress."""
LAYERS: Final = 4

_WORD: Final = 64
_SHIFT: Final = 24
_ROWS_PER_CELL: Final = np.array([0, *((1 << _SHIFT) // cols + 1 for cols in range(1, _WORD + 1))], np.uint64)
"""By the number of columns, in parts of 2**24 and rounded up: exact enough for any cell of the largest board."""


def empty_lines(lanes: int, rows: int) -> NDArray[np.uint64]:
    """The lines of boards without a mine on which nothing can be opened."""
    return np.zeros((lanes, LAYERS, rows + 2), np.uint64)


@bare_kernel
def row_of(cell: int, cols: int) -> int:
    """A cell's row, without a division."""
    return to_word(cell) * to_word(_ROWS_PER_CELL[cols]) >> to_word(_SHIFT)


@bare_kernel
def whole_line(cols: int) -> int:
    """A bit for every column."""
    return ~to_word(0) >> to_word(_WORD - cols)


@bare_kernel
def widened(line: int) -> int:
    """Some columns and those beside them; the bit beyond the last column is for the caller to leave out."""
    return line | line << to_word(1) | line >> to_word(1)


@bare_kernel
def filled(seeds: int, line: int) -> int:
    """The runs of a line's bits that have a seed in them; seeds are bits of the line.

    Adding a seed to a run carries through to the run's end, once upwards and once in the mirror.
    """
    back, mirror = bit_reverse(seeds), bit_reverse(line)
    return seeds | (line ^ line + seeds) & line | bit_reverse((mirror ^ mirror + back) & mirror)


@bare_kernel
def mines_near(above: int, beside: int, below: int, col: int) -> int:
    """How many mines the three lines have in a column and those beside it."""
    if col == 0:
        shift, window = to_word(0), to_word(3)
    else:
        shift, window = col - to_word(1), to_word(7)
    return bit_count(
        above >> shift & window | (beside >> shift & window) << to_word(3) | (below >> shift & window) << to_word(6)
    )


@bare_kernel
def shut_lines(lane: int, cols: int, lines: Lines) -> None:
    """All of a board is hidden, and has no flags."""
    whole = whole_line(cols)
    for line in range(1, lines.shape[2] - 1):
        lines[lane, SHUT, line] = whole


@bare_kernel
def toggle_shut(lane: int, cols: int, cell: int, lines: Lines) -> None:
    """A hidden cell's flag is set or taken away."""
    row = row_of(cell, cols)
    lines[lane, SHUT, row + to_word(1)] ^= to_word(1) << (to_word(cell) - row * to_word(cols))


@bare_kernel
def find_blanks(lane: int, cols: int, lines: Lines) -> None:
    """Fill `BLANK` once the mines are placed."""
    whole = whole_line(cols)
    for line in range(1, lines.shape[2] - 1):
        mines = lines[lane, MINED, line - 1] | lines[lane, MINED, line] | lines[lane, MINED, line + 1]
        lines[lane, BLANK, line] = ~widened(mines) & whole


@bare_kernel
def read_lines(cells: Cells, lane: int, cols: int, lines: Lines) -> None:
    """Fill a board's lines from its cells."""
    for row in range(lines.shape[2] - 2):
        mined = shut = to_word(0)
        for col in range(cols):
            cell = cells[lane, row * cols + col]
            mined |= to_word(cell & MINE != 0) << to_word(col)
            shut |= to_word(cell & (REVEALED | FLAG) == 0) << to_word(col)
        lines[lane, MINED, row + 1] = mined
        lines[lane, SHUT, row + 1] = shut
    find_blanks(lane, cols, lines)
