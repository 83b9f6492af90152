"""Mine placement and revealing: the one implementation of the rules, for single games and batches.

A board is bits, one word per line, bit c for column c, so that a flood opens a whole line at once. `lines: uint64[N, 4,
rows + 2]` has an empty line above and below the board's own, and is derived from `cells`, which is the board.

A flood from a zero does not open flagged cells, as players expect of their flags: they stay closed, around them the
flood goes on, and they can be revealed by hand. Revealing a flagged cell takes its flag away.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.seeding import advance, mix
from ludex.games.minesweeper.options import Start
from ludex.games.minesweeper.rules.layout import DEGREE, FLAG, MINE, REVEALED, Cells, Lines, Near, Opened, States
from ludex.kernels.jit import bare_kernel, bit_count, bit_reverse, draw_below, to_index, to_word, trailing_zeros

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


@bare_kernel
def reveal(cells: Cells, lane: int, cols: int, cell: int, opened: Opened, count: int, lines: Lines) -> int:
    """Reveal a hidden cell of one board whose mines are placed, `cells[lane]`; a zero opens its neighbours.

    Whole arrays are handed on, since a view of a row would cost more than the work on it. `count` safe cells are
    revealed before; returns the count after. The new ones are in `opened[lane]` from `count` on. An
    unchanged count means that the cell was a mine.
    """
    row = row_of(cell, cols)
    line, col = to_index(row) + 1, to_word(cell) - row * to_word(cols)
    bit = to_word(1) << col
    if lines[lane, MINED, line] & bit:
        cells[lane, cell] = MINE | REVEALED
        lines[lane, SHUT, line] &= ~bit
    elif lines[lane, BLANK, line] & bit:
        # A flag does not keep a cell from being revealed by hand.
        lines[lane, SHUT, line] |= bit
        first, last = _reach_zeros(lane, line, bit, lines)
        for at in range(first, last + 1):
            zeros = lines[lane, SPARE, at - 1] | lines[lane, SPARE, at] | lines[lane, SPARE, at + 1]
            count = _open(cells, lane, cols, at, widened(zeros) & lines[lane, SHUT, at], opened, count, lines)
    else:
        count = _open(cells, lane, cols, line, bit, opened, count, lines)
    return count


@bare_kernel
def _open(cells: Cells, lane: int, cols: int, line: int, bits: int, opened: Opened, count: int, lines: Lines) -> int:
    """Reveal safe cells of one line; returns the new count."""
    lines[lane, SHUT, line] &= ~bits
    above, beside, below = lines[lane, MINED, line - 1], lines[lane, MINED, line], lines[lane, MINED, line + 1]
    begin = to_word((line - 1) * cols)
    while bits != 0:
        col = to_word(trailing_zeros(bits))
        bits &= bits - to_word(1)
        cells[lane, begin + col] = REVEALED | mines_near(above, beside, below, col)
        opened[lane, count] = begin + col
        count += 1
    return count


@bare_kernel
def _reach_zeros(lane: int, line: int, bit: int, lines: Lines) -> tuple[int, int]:
    """Fill `SPARE` with the zeros connected to one; returns the lines that they touch, first and last.

    Downwards and upwards in turns, each line from the one before, until a turn finds nothing new.
    """
    height = lines.shape[2] - 2
    for other in range(height + 2):
        lines[lane, SPARE, other] = 0
    lines[lane, SPARE, line] = filled(bit, lines[lane, BLANK, line] & lines[lane, SHUT, line])
    top = bottom = line
    new, turns = to_word(1), 0
    while new != 0 or turns < 2:
        new = to_word(0)
        turns += 1
        down = turns & 1
        step = 1 if down else -1
        at = top if down else bottom
        reached = lines[lane, SPARE, at]
        at += step
        while 0 < at <= height:
            known = lines[lane, SPARE, at]
            zeros = lines[lane, BLANK, at] & lines[lane, SHUT, at]
            reached = filled(widened(reached) & zeros | known, zeros)
            new |= reached ^ known
            lines[lane, SPARE, at] = reached
            if at < top or at > bottom:
                if reached == 0:
                    break
                top, bottom = min(top, at), max(bottom, at)
            at += step
    return max(1, top - 1), min(height, bottom + 1)


@bare_kernel
def open_random(
    cells: Cells, lane: int, near: Near, cols: int, keep: int, mines: int, opened: Opened, lines: Lines, states: States
) -> int:
    """Reveal a uniformly random cell of an untouched board; returns how many cells that opened.

    A reveal that would end the game is taken back whole, for a first position is live: 0 is returned.
    """
    size = cells.shape[1]
    cell = draw_below(states, lane, size)
    place_mines(cells, lane, near, cols, cell, keep, mines, lines, states)
    count = reveal(cells, lane, cols, cell, opened, 0, lines)
    if count in (0, size - mines):
        for other in range(size):
            cells[lane, other] = 0
        shut_lines(lane, cols, lines)
        return 0
    return count
