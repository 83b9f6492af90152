"""The solutions that are written down, against every layout one by one."""

import math

import numpy as np
import pytest

from ludex.games.minesweeper.agents.search.solutions import EXPLODES, MOST_SOLUTIONS, MOST_UNKNOWN
from ludex.games.minesweeper.rules.inference.probabilities import mine_probabilities
from tests.games.minesweeper.rules.inference.harness import harness
from tests.games.minesweeper.rules.inference.support import Numbers, showings, small_positions


def wanted(numbers: Numbers, mines: int, cells: list[int]) -> list[tuple[int, ...]]:
    """What these cells show in every layout, sorted."""
    shown = showings(numbers, mines)
    return sorted(tuple(EXPLODES if (what := one[cell]) is None else what for cell in cells) for one in shown)


@pytest.mark.slow
def test_every_layout_is_written_down_once() -> None:
    sizes = set()
    for numbers, mines in small_positions(seed=11, count=700):
        if math.comb(int((numbers < 0).sum()), mines) > 500:
            continue
        shown, cells = harness().listed(numbers, mines)
        assert sorted(map(tuple, shown.tolist())) == wanted(numbers, mines, cells), (numbers, mines)
        known = {cell for cell, p in enumerate(mine_probabilities(numbers, mines).flat) if not 0.0 < p < 1.0}
        assert len(set(cells)) == len(cells)
        assert known | set(cells) == set(range(numbers.size))
        sizes.add(len(shown))
    assert len(sizes) > 30
    assert max(sizes) > 200


def test_too_many_solutions_are_not_cut_short() -> None:
    """All layouts of a row of hidden cells: as many as fit, and one cell more."""
    cells = next(n for n in range(1, 999) if math.comb(n + 1, 3) > MOST_SOLUTIONS)
    row = np.full((1, cells), -1, np.int8)
    assert len(harness().listed(row, 3)[0]) == math.comb(cells, 3)
    assert not harness().fits(np.full((1, cells + 1), -1, np.int8), 3)


def test_too_many_cells_are_not_cut_short() -> None:
    assert len(harness().listed(np.full((1, MOST_UNKNOWN), -1, np.int8), 1)[1]) == MOST_UNKNOWN
    assert not harness().fits(np.full((1, MOST_UNKNOWN + 1), -1, np.int8), 1)
