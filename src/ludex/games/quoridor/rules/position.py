"""A position as a value, and as the words that kernels read. Sets of squares take two words, low and high."""

from typing import NamedTuple

import numpy as np

from ludex.games.quoridor.rules.board import OPEN_EAST, OPEN_NORTH, Row, geometry, wall_action, wall_of

# Horizontal and vertical walls by slot; edges that are open to the north and to the east, by square.
H, V, NORTH, EAST = 0, 2, 4, 6
# The squares of the pawns, the walls left, and whose turn it is. Player p's words are PAWN + p and LEFT + p.
PAWN, LEFT, TURN = 8, 10, 12
STATE_WORDS = 13


_WORD = (1 << 64) - 1


class Position(NamedTuple):
    """Everything a game depends on."""

    pawns: tuple[int, int]
    """The squares of white and black."""
    walls: tuple[int, int]
    """The slots of horizontal and vertical walls, as sets: bit i is slot i."""
    left: tuple[int, int]
    """Walls in stock."""
    turn: int
    ply: int
    seen: tuple[int, ...]
    """`standing` of every position since the last wall, this one last."""


def standing(pawns: tuple[int, int], turn: int) -> int:
    """Where the pawns stand and whose turn it is: what repeats, while no wall is put."""
    return (pawns[0] << 8 | pawns[1]) << 1 | turn


def starting(size: int, walls: int) -> Position:
    """The first position. On boards of even size each pawn stands on the other's square rotated by 180°."""
    pawns = ((size - 1) // 2, size * (size - 1) + size // 2)
    return Position(pawns, (0, 0), (walls, walls), 0, 0, (standing(pawns, 0),))


def add_wall(walls: tuple[int, int], action: int, size: int) -> tuple[int, int]:
    """The sets of walls with another one."""
    (horizontal, upright), (slot, vertical) = walls, wall_of(action, size)
    return (horizontal, upright | 1 << slot) if vertical else (horizontal | 1 << slot, upright)


def wall_actions(position: Position, size: int) -> list[int]:
    """The actions of the walls that stand, in ascending order."""
    sets = enumerate(position.walls)
    return [wall_action(slot, bool(kind), size) for kind, slots in sets for slot in range(size**2) if slots >> slot & 1]


def words(position: Position, size: int) -> Row:
    """The position as kernels read it, uint64[STATE_WORDS]."""
    horizontal, vertical = position.walls
    board = geometry(size)
    row = np.empty(STATE_WORDS, np.uint64)
    _put(row, H, horizontal)
    _put(row, V, vertical)
    _put(row, NORTH, _read_set(board, OPEN_NORTH) & ~(horizontal | horizontal << 1))
    _put(row, EAST, _read_set(board, OPEN_EAST) & ~(vertical | vertical << size))
    row[PAWN], row[PAWN + 1] = position.pawns
    row[LEFT], row[LEFT + 1] = position.left
    row[TURN] = position.turn
    return row


def _put(row: Row, index: int, members: int) -> None:
    row[index], row[index + 1] = members & _WORD, members >> 64


def _read_set(row: Row, index: int) -> int:
    return int(row[index]) | int(row[index + 1]) << 64
