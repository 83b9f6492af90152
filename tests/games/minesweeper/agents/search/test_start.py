"""Where to begin: the optimum of small boards, as it is known, and good cells of large ones."""

from itertools import combinations
from math import comb

import pytest

from ludex.games.minesweeper.agents.search.start import best_start, opening
from ludex.games.minesweeper.options import Start
from tests.reference.minesweeper_layouts import BestPlay, showing


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "cols", "mines", "start", "win_rate"),
    [
        (3, 3, 2, "none", 24 / 36),
        (4, 4, 2, "none", 102 / 120),
        (4, 4, 3, "none", 400 / 560),
        (4, 4, 4, "none", 961 / 1820),
        (4, 4, 5, "none", 1461 / 4368),
        (4, 5, 4, "none", 2950 / 4845),
        (4, 4, 4, "safe", 0.704029),
        (5, 5, 3, "safe", 0.888340),
        (4, 4, 4, "zero", 0.971429),
        (4, 5, 3, "zero", 0.957576),
    ],
)
def test_golden(rows: int, cols: int, mines: int, start: Start, win_rate: float) -> None:
    best = best_start(rows, cols, mines, start)
    assert best is not None
    assert round(best.win_rate, 6) == round(win_rate, 6)


@pytest.mark.parametrize(("rows", "cols", "mines"), [(2, 2, 1), (3, 3, 1), (3, 3, 2), (2, 4, 2), (1, 6, 2), (3, 4, 1)])
def test_best_play_agrees_and_no_other_cell_is_better(rows: int, cols: int, mines: int) -> None:
    squares = [(row, col) for row in range(rows) for col in range(cols)]
    every = [showing(rows, cols, frozenset(layout)) for layout in combinations(squares, mines)]
    play = BestPlay()
    best = best_start(rows, cols, mines, "none")
    assert best is not None
    assert best.layouts == len(every) == comb(rows * cols, mines)
    assert best.won == play.won(every) == play.won_after(every, best.cell)
    safe = best_start(rows, cols, mines, "safe")
    assert safe is not None
    rates = {}
    for cell in range(rows * cols):
        left = [one for one in every if one[cell] is not None]
        rates[cell] = play.won_after(left, cell) / len(left)
    assert safe.win_rate == pytest.approx(max(rates.values())) == pytest.approx(rates[safe.cell])


def test_a_search_that_would_take_too_long_is_not_begun_or_given_up() -> None:
    assert best_start(16, 30, 99, "zero") is None
    assert best_start(4, 4, 4, "none", most_nodes=10) is None
    assert best_start(1, 129, 1, "none") is None


@pytest.mark.parametrize(
    ("rows", "cols", "mines", "start", "cells"),
    [
        (8, 8, 10, "safe", {0, 7, 56, 63}),
        (16, 30, 99, "safe", {0, 29, 450, 479}),
        (9, 9, 10, "none", {0, 8, 72, 80}),
        (9, 9, 10, "zero", {2 * 9 + 2, 3 * 9 + 3}),
        (16, 16, 40, "zero", {2 * 16 + 2, 3 * 16 + 3}),
        (16, 30, 99, "zero", {2 * 30 + 2, 3 * 30 + 3}),
    ],
)
def test_openings_of_the_standard_boards(rows: int, cols: int, mines: int, start: Start, cells: set[int]) -> None:
    assert opening(rows, cols, mines, start) in cells


@pytest.mark.parametrize(("rows", "cols", "mines"), [(1, 1, 0), (1, 64, 20), (64, 1, 20), (2, 64, 40), (64, 64, 800)])
@pytest.mark.parametrize("start", ["zero", "safe", "none"])
def test_every_board_has_an_opening_on_it(rows: int, cols: int, mines: int, start: Start) -> None:
    assert 0 <= opening(rows, cols, mines, start) < rows * cols
