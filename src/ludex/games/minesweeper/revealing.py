"""What a move does to a board: the one implementation of the rules, for single games and batches alike.

A flood from a zero does not open flagged cells, as players expect of their flags: they stay closed, around them the
flood goes on, and they can be revealed by hand. Revealing a flagged cell takes its flag away.
"""

import numpy as np
from numpy.typing import NDArray

from ludex.core.jit import draw_below, kernel, to_word
from ludex.games.minesweeper.geometry import DEGREE
from ludex.games.minesweeper.laying import lay_mines, mines_around
from ludex.games.minesweeper.layout import FLAG, MINE, REVEALED


@kernel
def reveal(
    cells: NDArray[np.uint8], lane: int, near: NDArray[np.uint16], cell: int, opened: NDArray[np.int16], count: int
) -> int:
    """Reveal a hidden cell of one board whose mines are laid, `cells[lane]`; from zeros on, breadth first, all around.

    Whole arrays are handed on, since a view of a row would cost more than the work on it. `count` safe cells are
    revealed before; how many are so after is returned. The new ones stand in `opened[lane]` from `count` on, in the
    order in which they were opened. An unchanged count means that the cell was a mine.
    """
    head = tail = count
    if cells[lane, cell] & MINE:
        cells[lane, cell] = MINE | REVEALED
    else:
        cells[lane, cell] = REVEALED
        opened[lane, tail] = cell
        tail += 1
    # One way out: with two, Numba counts references to the arrays, which costs as much as the work.
    while head < tail:
        # Unsigned, so that Numba does not ask whether it counts from the end.
        centre = to_word(opened[lane, head])
        head += 1
        number = mines_around(cells, lane, near, centre)
        cells[lane, centre] |= number
        if number == 0:
            for k in range(DEGREE):
                other = near[centre, k]
                if cells[lane, other] & (REVEALED | FLAG) == 0:
                    cells[lane, other] |= REVEALED
                    opened[lane, tail] = other
                    tail += 1
    return tail


@kernel
def open_random(
    cells: NDArray[np.uint8],
    lane: int,
    near: NDArray[np.uint16],
    keep: int,
    mines: int,
    opened: NDArray[np.int16],
    states: NDArray[np.uint64],
) -> int:
    """Reveal a uniformly random cell of an untouched board; returns how many cells that opened.

    A reveal that would end the game is taken back whole, for a first position is live: 0 is returned.
    """
    size = cells.shape[1]
    cell = draw_below(states, lane, size)
    lay_mines(cells, lane, near, cell, keep, mines, states)
    count = reveal(cells, lane, near, cell, opened, 0)
    if count in (0, size - mines):
        for one in range(size):
            cells[lane, one] = 0
        return 0
    return count
