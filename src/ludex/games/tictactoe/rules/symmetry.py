"""The symmetries of a board, and the one position that stands for all images of a position.

A transform is a permutation: `image[cell]` is where the cell's mark goes. The canonical image of a position is the one
with the smallest state key. A position with a symmetry of its own reaches it by several transforms; a move's canonical
index is the smallest of its images over all of them, so that equal moves share one entry.
"""

from typing import NamedTuple

from ludex.games.tictactoe.rules.board import MnkBoard, to_state_key
from ludex.games.tictactoe.rules.position import Position


class Canonical(NamedTuple):
    """A position's canonical image."""

    key: str
    moves: tuple[int, ...]
    """By original cell, the move's canonical index."""
    transform: str
    """The first transform that leads to the key."""


class Symmetry:
    """Canonical images of a board's positions, each computed once."""

    def __init__(self, board: MnkBoard) -> None:
        self.board = board
        self.transforms = board.grid.symmetries
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
