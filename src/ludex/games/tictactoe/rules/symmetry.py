"""The symmetries of a board, and the one position that stands for all images of a position.

A transform is a permutation: `image[cell]` is where the cell's mark goes. The canonical image of a position is the one
with the smallest state key. A position with a symmetry of its own reaches it by several transforms; a move's canonical
index is the smallest of its images over all of them, so that equal moves share one entry.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ludex.games.tictactoe.rules.board import MnkBoard, to_state_key
from ludex.games.tictactoe.rules.position import Position


class Transform(NamedTuple):
    """A symmetry by name."""

    name: str
    image: tuple[int, ...]


class Canonical(NamedTuple):
    """A position's canonical image."""

    key: str
    moves: tuple[int, ...]
    """By original cell, the move's canonical index."""
    transform: str
    """The first transform that leads to the key."""


@dataclass(frozen=True)
class _Turn:
    name: str
    place: Callable[[int, int, int, int], tuple[int, int]]
    """(row, col, last row, last col) -> (row, col)"""
    square: bool
    """Only a square board has it."""


_TURNS = (
    _Turn("Identity", lambda r, c, _rr, _cc: (r, c), False),
    _Turn("Rot90", lambda r, c, rr, _cc: (c, rr - r), True),
    _Turn("Rot180", lambda r, c, rr, cc: (rr - r, cc - c), False),
    _Turn("Rot270", lambda r, c, _rr, cc: (cc - c, r), True),
    _Turn("ReflectVertical", lambda r, c, _rr, cc: (r, cc - c), False),
    _Turn("ReflectHorizontal", lambda r, c, rr, _cc: (rr - r, c), False),
    _Turn("ReflectMainDiagonal", lambda r, c, _rr, _cc: (c, r), True),
    _Turn("ReflectAntiDiagonal", lambda r, c, rr, cc: (cc - c, rr - r), True),
)


@lru_cache(maxsize=16)
def transforms(board: MnkBoard) -> tuple[Transform, ...]:
    """Eight transforms of a square board, four of any other."""
    square = board.rows == board.cols
    return tuple(
        Transform(turn.name, tuple(_image(board, turn, cell) for cell in range(board.cells)))
        for turn in _TURNS
        if square or not turn.square
    )


def _image(board: MnkBoard, turn: _Turn, cell: int) -> int:
    row, col = turn.place(*divmod(cell, board.cols), board.rows - 1, board.cols - 1)
    return board.cell(row, col)


class Symmetry:
    """Canonical images of a board's positions, each computed once."""

    def __init__(self, board: MnkBoard) -> None:
        self.board = board
        self.transforms = transforms(board)
        self._known: dict[Position, Canonical] = {}

    def canonical(self, position: Position) -> Canonical:
        """The canonical image.

        >>> Symmetry(MnkBoard(3, 3, 3)).canonical(Position()).moves
        (0, 1, 0, 1, 4, 1, 0, 1, 0)
        """
        image = self._known.get(position)
        if image is None:
            image = self._known[position] = self._compute(position)
        return image

    def _compute(self, position: Position) -> Canonical:
        key = to_state_key(self.board, position)
        images = [(_move_key(key, transform.image), transform) for transform in self.transforms]
        smallest = min(image for image, _ in images)
        reaching = [transform for image, transform in images if image == smallest]
        moves = tuple(min(transform.image[cell] for transform in reaching) for cell in range(self.board.cells))
        return Canonical(smallest, moves, reaching[0].name)


def _move_key(key: str, image: tuple[int, ...]) -> str:
    cells = [""] * len(key)
    for cell, mark in enumerate(key):
        cells[image[cell]] = mark
    return "".join(cells)
