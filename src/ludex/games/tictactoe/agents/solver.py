"""Exact values of every position of a small board."""

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from ludex.core.errors import Unsupported
from ludex.games.tictactoe.rules.board import Board
from ludex.games.tictactoe.rules.kernels import WON, fill_scores
from ludex.games.tictactoe.rules.position import Position, cells_of

MAX_SOLVABLE_CELLS = 16
"""3**16 scores take 43 MB and a few seconds; one more cell takes three times as much."""
BOARDS_KEPT: Final = 4


_POWERS: tuple[int, ...] = tuple(3**cell for cell in range(MAX_SOLVABLE_CELLS))


class Exact(NamedTuple):
    """The exact value of a position or a move."""

    value: int
    """1 won, 0 drawn, -1 lost, for the side to move or the player of the move."""
    distance: int
    """Plies to the end if both play best: the winner hurries, the loser delays."""
    score: int
    """Greater is better, sooner wins and later losses included."""


class Solver:
    """A table of scores of every position. Use `solver`, which caches it."""

    def __init__(self, board: Board) -> None:
        require_solvable(board)
        self.board = board
        self._scores = np.empty(3**board.cells, np.int8)
        fill_scores(board.cells, np.array(board.lines, np.int64), self._scores)

    def position(self, position: Position) -> Exact:
        """The value for the side to move.

        >>> solver(Board(3, 3, 3)).position(Position())
        Exact(value=0, distance=9, score=0)
        """
        return self._exact(int(self._scores[_code(position)]), position)

    def move(self, position: Position, cell: int) -> Exact:
        """The value of a move for its player."""
        after = self.position(self.board.after(position, cell))
        score = -after.score
        return Exact(-after.value, after.distance + 1, score - (score > 0) + (score < 0))

    def _exact(self, score: int, position: Position) -> Exact:
        if score == 0:
            return Exact(0, self.board.cells - position.taken.bit_count(), 0)
        return Exact(1 if score > 0 else -1, WON - abs(score), score)


@lru_cache(maxsize=BOARDS_KEPT)
def solver(board: Board) -> Solver:
    """The board's solver, computed once per process as long as few boards are in use."""
    return Solver(board)


def solvable(board: Board) -> bool:
    """Whether the board is small enough."""
    return board.cells <= MAX_SOLVABLE_CELLS


def require_solvable(board: Board) -> None:
    """Raise `Unsupported` if the board is too large."""
    if not solvable(board):
        raise Unsupported(f"a board of {board.cells} cells is too large to solve: at most {MAX_SOLVABLE_CELLS}")


def _code(position: Position) -> int:
    return _ternary(position.x) + 2 * _ternary(position.o)


def _ternary(cells: int) -> int:
    return sum(_POWERS[cell] for cell in cells_of(cells))


def exact_terms(exact: Exact | None) -> dict[str, float]:
    """The exact value and distance of a move as terms of a candidate; empty if they are not known."""
    return {} if exact is None else {"exact": exact.value, "distance": exact.distance}
