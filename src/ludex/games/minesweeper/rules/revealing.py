"""Revealing cells: the one implementation of the rules, for single games and batches.

A flood from a zero does not open flagged cells, as players expect of their flags: they stay closed, around them the
flood goes on, and they can be revealed by hand. Revealing a flagged cell takes its flag away.
"""

from ludex.games.minesweeper.rules.bitboard import (
    BLANK,
    MINED,
    SHUT,
    SPARE,
    filled,
    mines_near,
    row_of,
    shut_lines,
    widened,
)
from ludex.games.minesweeper.rules.layout import MINE, REVEALED, Cells, Lines, Near, Opened, States
from ludex.games.minesweeper.rules.mine_placement import place_mines
from ludex.kernels.jit import bare_kernel, draw_below, to_index, to_word, trailing_zeros


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
        for one in range(size):
            cells[lane, one] = 0
        shut_lines(lane, cols, lines)
        return 0
    return count
