"""The opening cell: by searching every layout of the mines on small boards, by measured defaults on large ones."""

from functools import lru_cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.agents.search.solutions import EXPLODES, MOST_SOLUTIONS, MOST_UNKNOWN, Solutions
from ludex.games.minesweeper.agents.search.tree import GAVE_UP, Tree, search_tree
from ludex.games.minesweeper.options import Start
from ludex.games.minesweeper.rules.inference.workspace import field
from ludex.games.minesweeper.rules.layout import DEGREE, neighbours
from ludex.kernels.records import new_record

ZERO_INSET, DENSE_INSET = 2, 3
"""A zero is best opened two rows and columns from a corner, three where mines are dense, as measured on the presets."""
DENSE = 0.18
"""Mines a cell."""
NODES_AT_A_START = 20_000


class BestStart(NamedTuple):
    """A first reveal, and in how many of the layouts that its promise leaves best play wins."""

    cell: int
    won: int
    layouts: int

    @property
    def win_rate(self) -> float:
        return self.won / self.layouts


def best_start(rows: int, cols: int, mines: int, start: Start, most_nodes: int = 1 << 40) -> BestStart | None:
    """The best first reveal, by exact search; None if there are too many layouts or nodes.

    >>> best_start(3, 3, 2, "none")
    BestStart(cell=1, won=24, layouts=36)
    """
    best = None
    for cell in _corner_part(rows, cols):
        free = _kept_free(cell, rows, cols, start)
        cells = [other for other in range(rows * cols) if other not in free]
        layouts = comb(len(cells), mines)
        if not 1 <= layouts <= MOST_SOLUTIONS or rows * cols > MOST_UNKNOWN:
            return None
        mined = np.zeros((layouts, rows * cols), np.uint8)
        for index, layout in enumerate(combinations(cells, mines)):
            mined[index, list(layout)] = 1
        won = _won(mined, cell, rows, cols, most_nodes)
        if won == GAVE_UP:
            return None
        if best is None or won * best.layouts > best.won * layouts:
            best = BestStart(cell, won, layouts)
    return best


@lru_cache(maxsize=256)
def opening(rows: int, cols: int, mines: int, start: Start) -> int:
    """The cell to begin with.

    >>> opening(16, 30, 99, "zero"), opening(16, 30, 99, "safe")
    (93, 0)
    """
    best = best_start(rows, cols, mines, start, NODES_AT_A_START)
    if best is not None:
        return best.cell
    if start != "zero":
        return 0
    inset = DENSE_INSET if mines > DENSE * rows * cols else ZERO_INSET
    return min(inset, (rows - 1) // 2) * cols + min(inset, (cols - 1) // 2)


def _corner_part(rows: int, cols: int) -> list[int]:
    """One cell of every class that a mirror maps onto each other."""
    return [row * cols + col for row in range((rows + 1) // 2) for col in range((cols + 1) // 2)]


def _kept_free(cell: int, rows: int, cols: int, start: Start) -> set[int]:
    near = neighbours(rows, cols)[cell]
    around = near[: near[DEGREE]].tolist() if start == "zero" else []
    return set() if start == "none" else {cell, *around}


def _won(mined: NDArray[np.uint8], cell: int, rows: int, cols: int, most_nodes: int) -> int:
    """In how many layouts best play wins that reveals this cell first."""
    numbers = _numbers_shown(mined, rows, cols)
    safe = numbers[numbers[:, cell] != EXPLODES]
    tree, solutions, won = new_record(Tree), new_record(Solutions), 0
    for number in np.unique(safe[:, cell]):
        part = safe[safe[:, cell] == number]
        field(solutions, "shown")[: len(part), : rows * cols] = part
        _, value = search_tree(tree, solutions, len(part), rows * cols, most_nodes)
        if value == GAVE_UP:
            return GAVE_UP
        won += value
    return won


def _numbers_shown(mined: NDArray[np.uint8], rows: int, cols: int) -> NDArray[np.uint8]:
    """What each cell shows in each layout; uint8[layouts, cells] like the layouts."""
    near = neighbours(rows, cols)
    numbers = np.zeros_like(mined)
    for cell in range(rows * cols):
        numbers[:, cell] = mined[:, near[cell, : near[cell, DEGREE]]].sum(axis=1)
    numbers[mined == 1] = EXPLODES
    return numbers
