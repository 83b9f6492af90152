"""The solver's kernels on a position, one after the other, as the expert calls them."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.agents.search.guessing import closed_guess
from ludex.games.minesweeper.agents.search.solutions import Solutions, list_solutions
from ludex.games.minesweeper.agents.search.tree import Tree, search_tree
from ludex.games.minesweeper.rules.inference.forced_moves import MINE
from ludex.games.minesweeper.rules.inference.probabilities import assess
from ludex.games.minesweeper.rules.inference.workspace import field, flat_numbers, set_size, workspace
from ludex.kernels.records import new_record
from tests.games.minesweeper.rules.inference.support import Numbers


class SolverHarness:
    """Memory for the kernels, and their results."""

    def __init__(self) -> None:
        self._work, self._solutions, self._tree = workspace(1, 1), new_record(Solutions), new_record(Tree)

    def listed(self, numbers: Numbers, mines: int) -> tuple[NDArray[np.uint8], list[int]]:
        """What every unknown cell shows in every solution, and the cells."""
        count, columns = self._list_all(numbers, mines)
        assert count >= 0, "the solutions do not fit"
        return self._shown(count, columns), field(self._solutions, "cell")[:columns].tolist()

    def fits(self, numbers: Numbers, mines: int) -> bool:
        """Whether all solutions fit."""
        return self._list_all(numbers, mines)[0] >= 0

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
        flat, components, _ = self._assess(numbers, mines)
        return closed_guess(flat, self._work, components, self._solutions, self._tree, most_nodes)

    def _list_all(self, numbers: Numbers, mines: int) -> tuple[int, int]:
        flat, components, left = self._assess(numbers, mines)
        return list_solutions(flat, self._work, 0, components, left, True, self._solutions)

    def _assess(self, numbers: Numbers, mines: int) -> tuple[Numbers, int, int]:
        """The numbers of the cells, components, and mines that are not proven."""
        flat = flat_numbers(numbers, mines)
        set_size(self._work, *numbers.shape)
        assert assess(flat, mines, self._work, np.empty(numbers.size)) >= 0.0
        proven = (flat < 0) & (field(self._work, "known")[: numbers.size] == MINE)
        return flat, int(field(self._work, "figures")[0]), mines - int(proven.sum())

    def _shown(self, count: int, columns: int) -> NDArray[np.uint8]:
        shown: NDArray[np.uint8] = field(self._solutions, "shown")[:count, :columns].copy()
        return shown


@cache
def harness() -> SolverHarness:
    """One for all tests of a process: it is large, and whatever one search leaves behind must not matter."""
    return SolverHarness()
