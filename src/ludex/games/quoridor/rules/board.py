"""A board's geometry as words that kernels read, and moves as texts.

Squares are numbered row by row from white's side: a1 is 0, b1 is 1, and so on. White walks up, black walks down. A slot
is where a wall's middle may be: the corner above and right of the square that names it. `a1h` lies above a1 and b1,
`a1v` right of a1 and a2.

        +---+---+---+
     3  | 6 | 7 | 8 |         a1h closes a1-a2 and b1-b2
        +---o---o---+
     2  | 3 | 4 | 5 |         a1v closes a1-b1 and a2-b2
        +---o---o---+
     1  | 0 | 1 | 2 |         o: the slots a1, b1, a2, b2
        +---+---+---+
          a   b   c

In texts `e2` is a pawn's destination, `e3h` the wall above e3 and f3, `e3v` the wall right of e3 and e4. White starts
on e1 and moves first, black on e9.
"""

import re
from functools import cache
from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

from ludex.core.compilable import compilable
from ludex.core.errors import MalformedAction

# Each name is the index of a low word of the geometry; the high word follows it. GOAL + 2 * p is player p's goal.
SLOTS, FIRST_COL, LAST_COL, OPEN_NORTH, OPEN_EAST, GOAL, FIRST_ROW, LAST_ROW = 0, 2, 4, 6, 8, 10, 14, 16
GEOMETRY_WORDS = 18

Row = NDArray[np.uint64]
"""Words that kernels read: a position, the geometry of a board, or room for a position."""


@cache
def geometry(size: int) -> Row:
    """uint64[18]: the slots, those at each border, every edge north and east, and the goals."""
    squares = [(row, col) for row in range(size) for col in range(size)]
    slots = [(row, col) for row, col in squares if row < size - 1 and col < size - 1]
    sets = {
        SLOTS: slots,
        FIRST_COL: [(row, col) for row, col in slots if col == 0],
        LAST_COL: [(row, col) for row, col in slots if col == size - 2],
        FIRST_ROW: [(row, col) for row, col in slots if row == 0],
        LAST_ROW: [(row, col) for row, col in slots if row == size - 2],
        OPEN_NORTH: [(row, col) for row, col in squares if row < size - 1],
        OPEN_EAST: [(row, col) for row, col in squares if col < size - 1],
        GOAL: [(row, col) for row, col in squares if row == size - 1],
        GOAL + 2: [(row, col) for row, col in squares if row == 0],
    }
    words = np.zeros(GEOMETRY_WORDS, np.uint64)
    for index, members in sets.items():
        bits = sum(1 << row * size + col for row, col in members)
        words[index], words[index + 1] = bits & (1 << 64) - 1, bits >> 64
    return words


@compilable
def wall_action(slot: int, vertical: bool, size: int) -> int:
    """The action of a wall.

    >>> wall_action(0, False, 9), wall_action(10, True, 9)
    (81, 154)
    """
    side = size - 1
    return size * size + (side * side if vertical else 0) + slot // size * side + slot % size


@compilable
def wall_of(action: int, size: int) -> tuple[int, bool]:
    """A wall's slot, and whether it is vertical.

    >>> wall_of(154, 9)
    (10, True)
    """
    side = size - 1
    index = action - size * size
    vertical = index >= side * side
    if vertical:
        index -= side * side
    return index // side * size + index % side, vertical


_MOVE = re.compile(r"([a-k])([1-9][0-9]?)([hv]?)")


def square_name(square: int, size: int) -> str:
    """A square's name.

    >>> square_name(4, 9)
    'e1'
    """
    return f"{ascii_lowercase[square % size]}{square // size + 1}"


def action_name(action: int, size: int) -> str:
    """An action's name.

    >>> action_name(81, 9), action_name(208, 9)
    ('a1h', 'h8v')
    """
    if action < size * size:
        return square_name(action, size)
    slot, vertical = wall_of(action, size)
    return f"{square_name(slot, size)}{'hv'[vertical]}"


def action_of(text: str, size: int) -> int:
    """The action a name means. Raises `MalformedAction`."""
    match = _MOVE.fullmatch(text)
    if match is None:
        raise MalformedAction(f"{text!r} is no move: expected a square such as e2 or a wall such as e3h or e3v")
    col, row, kind = ascii_lowercase.index(match[1]), int(match[2]) - 1, match[3]
    side = size - 1 if kind else size
    if col >= side or row >= side:
        last = f"{ascii_lowercase[side - 1]}{side}"
        raise MalformedAction(f"{text!r} is not on the board: {'walls' if kind else 'squares'} go from a1 to {last}")
    square = row * size + col
    return wall_action(square, kind == "v", size) if kind else square
