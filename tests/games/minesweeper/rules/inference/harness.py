"""The solver's kernels on a position, one after the other, as the expert calls them."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.agents.search.guessing import closed_guess
from ludex.games.minesweeper.agents.search.solutions import list_solutions, solutions_record
from ludex.games.minesweeper.agents.search.tree import search_tree, tree_record
from ludex.games.minesweeper.rules.inference.assess import assess
from ludex.games.minesweeper.rules.inference.deduce import MINE
from ludex.games.minesweeper.rules.inference.probabilities import board_of
from ludex.games.minesweeper.rules.inference.workspace import field, workspace
from tests.games.minesweeper.rules.inference.support import Numbers


class SolverHarness:
    """Memory for the kernels, and their results."""

    def __init__(self) -> None:
        self._work, self._solutions, self._tree = workspace(), solutions_record(), tree_record()

    def listed(self, numbers: Numbers, mines: int) -> tuple[NDArray[np.uint8], list[int]]:
        """What every unknown cell shows in every solution, and the cells."""
        components, left = self._assessed(numbers, mines)
        board = board_of(numbers, mines)
        count, columns = list_solutions(board.numbers, board.near, self._work, components, left, self._solutions)
        assert count >= 0, "the solutions do not fit"
        return self._shown(count, columns), field(self._solutions, "cell")[:columns].tolist()

    def fits(self, numbers: Numbers, mines: int) -> bool:
        """Whether all solutions fit."""
        components, left = self._assessed(numbers, mines)
        board = board_of(numbers, mines)
        return list_solutions(board.numbers, board.near, self._work, components, left, self._solutions)[0] >= 0

    def searched(self, shown: NDArray[np.uint8], most_nodes: int = 1 << 40) -> tuple[int, int]:
        """The tree's column and the solutions won of those whose cells show this."""
        count, columns = shown.shape
        field(self._solutions, "shown")[:count, :columns] = shown
        return search_tree(self._tree, self._solutions, count, columns, most_nodes)

    def nodes(self) -> int:
        """What the last search took."""
        return int(field(self._tree, "nodes")[0])

    def closed(self, numbers: Numbers, mines: int, most_nodes: int = 1 << 40) -> tuple[int, int, int]:
        """The unavoidable guess, with its solutions won and all."""
        components, _ = self._assessed(numbers, mines)
        board = board_of(numbers, mines)
        return closed_guess(board.numbers, board.near, self._work, components, self._solutions, self._tree, most_nodes)

    def _assessed(self, numbers: Numbers, mines: int) -> tuple[int, int]:
        """Components, and mines that are not proven."""
        board = board_of(numbers, mines)
        log_count = assess(board.numbers, board.cols, mines, board.near, board.bits, self._work, np.empty(numbers.size))
        assert log_count >= 0.0
        proven = (board.numbers < 0) & (field(self._work, "known")[: numbers.size] == MINE)
        return int(field(self._work, "figures")[0]), mines - int(proven.sum())

    def _shown(self, count: int, columns: int) -> NDArray[np.uint8]:
        shown: NDArray[np.uint8] = field(self._solutions, "shown")[:count, :columns].copy()
        return shown


@cache
def harness() -> SolverHarness:
    """One for all tests of a process: it is large, and whatever one search leaves behind must not matter."""
    return SolverHarness()
