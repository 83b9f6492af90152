"""Where the mines come to lie: the start rules, and every allowed place equally likely."""

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest

from ludex.core.seeding import generator
from ludex.games.minesweeper.options import Start, most_mines
from ludex.games.minesweeper.rules.layout import MINE, surroundings
from ludex.games.minesweeper.rules.revealing import KEPT, empty_lines, place_mines
from tests.reference.minesweeper import Field


def mines_for(rows: int, cols: int, mines: int, start: Start, first: int, seed: int) -> tuple[int, ...]:
    """The cells with mines after a first reveal."""
    cells = np.zeros((1, rows * cols), np.uint8)
    states = np.array([generator(seed, 1).state], np.uint64)
    place_mines(cells, 0, surroundings(rows, cols), cols, first, KEPT[start], mines, empty_lines(1, rows), states)
    assert not (cells & ~np.uint8(MINE)).any()
    return tuple(np.flatnonzero(cells).tolist())


@pytest.mark.parametrize("start", ["zero", "safe", "none"])
@pytest.mark.parametrize(("rows", "cols"), [(8, 8), (3, 3), (1, 6), (5, 1), (16, 30)])
def test_any_number_of_mines_that_fits_keeps_the_promise_for_any_first_cell(rows: int, cols: int, start: Start) -> None:
    board = Field(rows, cols)
    most = most_mines(rows, cols, start)
    for mines in {1, most // 3, most // 2, most // 2 + 1, most - 1, most} & set(range(1, most + 1)):
        for first in {0, cols - 1, rows * cols // 2, rows * cols - 1}:
            placement = mines_for(rows, cols, mines, start, first, seed=first + mines)
            assert len(placement) == mines
            free = board.kept_free(start, divmod(first, cols))
            assert not free & {divmod(cell, cols) for cell in placement}


@pytest.mark.parametrize(
    ("rows", "cols", "mines", "start", "first"),
    [(3, 3, 2, "none", 4), (3, 3, 2, "safe", 0), (3, 4, 3, "zero", 0), (2, 4, 4, "safe", 3), (2, 3, 4, "none", 0)],
)
def test_every_set_of_allowed_cells_is_equally_likely(
    rows: int, cols: int, mines: int, start: Start, first: int
) -> None:
    """Both ways to draw, mines among few and free cells among many; chi-square with a bound of one in 100,000."""
    board = Field(rows, cols)
    allowed = sorted(board.squares - board.kept_free(start, divmod(first, cols)))
    sets = {tuple(row * cols + col for row, col in chosen) for chosen in combinations(allowed, mines)}
    assert len(sets) == comb(len(allowed), mines)
    each = 100
    counts = Counter(mines_for(rows, cols, mines, start, first, seed) for seed in range(each * len(sets)))
    assert set(counts) == sets
    chi = sum((count - each) ** 2 / each for count in counts.values())
    freedom = len(sets) - 1
    assert chi < freedom + 4.3 * (2 * freedom) ** 0.5 + 12


@pytest.mark.slow
def test_every_cell_of_the_experts_board_is_equally_likely() -> None:
    rows, cols, mines, first, games = 16, 30, 99, 200, 4000
    counts = np.zeros(rows * cols)
    for seed in range(games):
        counts[list(mines_for(rows, cols, mines, "zero", first, seed))] += 1
    free = {row * cols + col for row, col in Field(rows, cols).kept_free("zero", divmod(first, cols))}
    assert set(np.flatnonzero(counts == 0).tolist()) == free
    share = mines / (rows * cols - len(free))
    deviation = (np.delete(counts, sorted(free)) - games * share) / (games * share * (1 - share)) ** 0.5
    assert abs(deviation).max() < 4.5
    assert 0.8 < deviation.std() < 1.2
