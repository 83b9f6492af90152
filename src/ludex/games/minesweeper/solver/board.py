"""A position as Python gives it to the solver: checked, with its board's tables, and a workspace for a while."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.errors import BadBoard
from ludex.games.minesweeper.geometry import MOST_CELLS, neighbours, windows
from ludex.games.minesweeper.layout import HIDDEN
from ludex.games.minesweeper.solver.workspace import Workspace, workspace

MOST_NUMBER = 8


class Board(NamedTuple):
    """What the kernels of the solver begin with."""

    numbers: NDArray[np.int8]
    """int8[HW], a copy that kernels may write to."""
    cols: int
    near: NDArray[np.int16]
    bits: NDArray[np.int8]


def board_of(numbers: NDArray[np.int8], mines: int) -> Board:
    """Check a position. Raises `BadBoard` for arrays and counts that no position has."""
    if numbers.ndim != 2 or numbers.dtype != np.int8:
        raise BadBoard(f"numbers must be int8[H, W], found {numbers.dtype}{list(numbers.shape)}")
    rows, cols = numbers.shape
    if not 1 <= numbers.size <= MOST_CELLS:
        raise BadBoard(f"a board has 1 to {MOST_CELLS} cells, found {rows} x {cols}")
    wrong = np.argwhere((numbers < HIDDEN) | (numbers > MOST_NUMBER))
    if len(wrong):
        row, col = wrong[0].tolist()
        raise BadBoard(f"row {row}, column {col}: expected -1 (hidden) or 0 to 8, found {numbers[row, col]}")
    hidden = int((numbers == HIDDEN).sum())
    if not 0 <= mines <= hidden:
        raise BadBoard(f"mines must be in 0..{hidden}, the hidden cells, found {mines}")
    return Board(numbers.reshape(-1).copy(), cols, neighbours(rows, cols), windows(rows, cols))


_FREE: Final[deque[Workspace]] = deque(maxlen=1)
"""One: kernels touch 20 MiB of each, and a new one costs a thread less than a millisecond."""


@contextmanager
def desk() -> Iterator[Workspace]:
    """A workspace that no other thread uses meanwhile. However many are used at once, one is kept."""
    try:
        work = _FREE.pop()
    except IndexError:
        work = workspace()
    try:
        yield work
    finally:
        _FREE.append(work)
