"""Wins and threats within one move."""

from typing import NamedTuple

from ludex.games.tictactoe.board import Board
from ludex.games.tictactoe.position import Position, cells_of
from ludex.games.tictactoe.rules import has_line


class Tactics(NamedTuple):
    """Cells in ascending order."""

    wins: tuple[int, ...]
    """Where the side to move wins at once."""
    threats: tuple[int, ...]
    """Where the opponent would win if it moved now."""


def tactics(board: Board, position: Position) -> Tactics:
    """What the next mark can decide.

    >>> tactics(Board(3, 3, 3), Position(x=0b000_000_011, o=0b000_011_000))
    Tactics(wins=(2,), threats=(5,))
    """
    free = list(cells_of(board.full & ~position.taken))
    mine, theirs = position.mine, position.theirs
    return Tactics(
        tuple(cell for cell in free if has_line(mine | 1 << cell, board.lines_through[cell])),
        tuple(cell for cell in free if has_line(theirs | 1 << cell, board.lines_through[cell])),
    )
