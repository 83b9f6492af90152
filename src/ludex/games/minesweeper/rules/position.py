"""A position, and what the player may know of it. Both are plain values."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.rules.options import Start


class Position(NamedTuple):
    """The whole board, mines included."""

    cells: bytes
    """One byte per cell, see `layout`. The first reveal places the mines."""
    plies: int = 0
    opened: int = 0
    """Safe cells that are revealed."""
    exploded: int | None = None
    """The mine that was revealed, which ended the game."""

    @property
    def mines_placed(self) -> bool:
        """Whether the mines are on the board."""
        return self.opened > 0 or self.exploded is not None


class View(NamedTuple):
    """The board as the player sees it."""

    rows: int
    cols: int
    mines: int
    """How many there are; not where."""
    start: Start
    shown: bytes
    """int8, one per cell: its number, or -1."""
    flagged: bytes
    """0 or 1, one per cell."""
    plies: int
    exploded: int | None = None
    """The mine that ended the game."""
    mine_cells: tuple[int, ...] | None = None
    """Where the mines are; None until the game is over, and if they were never placed."""

    @property
    def numbers(self) -> NDArray[np.int8]:
        """int8[rows, cols], read-only: the numbers that are revealed, -1 everywhere else. Solvers take this array."""
        return np.frombuffer(self.shown, np.int8).reshape(self.rows, self.cols)

    @property
    def flags(self) -> NDArray[np.bool_]:
        """bool[rows, cols], read-only."""
        return np.frombuffer(self.flagged, np.bool_).reshape(self.rows, self.cols)
