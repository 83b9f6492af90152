"""3BV and openings beside a plain reference and beside ms_toollib."""

import ms_toollib
import numpy as np
import pytest
from numpy.typing import NDArray

from ludex.games.minesweeper.rules.layout import mine_counts
from ludex.games.minesweeper.rules.three_bv import openings, three_bv
from ludex.games.minesweeper.tools.formats import read_mines
from tests.games.minesweeper.tools.support import random_mines
from tests.reference import minesweeper_3bv as reference

SIZES = [(1, 1), (1, 9), (7, 1), (2, 2), (3, 5), (8, 8), (9, 9), (16, 16), (16, 30), (5, 64)]
SHARES = (0.0, 0.05, 0.12, 0.2, 0.4, 1.0)


def boards(size: tuple[int, int]) -> list[NDArray[np.bool_]]:
    return [random_mines(seed, *size, share) for seed in range(8) for share in SHARES]


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_equal_to_the_reference_and_to_ms_toollib(size: tuple[int, int]) -> None:
    for mines in boards(size):
        clicks, numbers = three_bv(mines), np.where(mines, -1, mine_counts(mines)).tolist()
        assert clicks == reference.three_bv(mines.tolist()) == ms_toollib.cal_bbbv(numbers)
        assert openings(mines) == ms_toollib.cal_op(numbers)


def test_the_largest_board() -> None:
    mines = random_mines(1, 64, 64, 0.15)
    assert three_bv(mines) == reference.three_bv(mines.tolist())


def test_a_board_counted_by_hand() -> None:
    # Two openings, at the top and at the bottom; of the ones between them, two on the right touch neither.
    mines = read_mines(". . . .\n1 1 1 .\n1 * 2 1\n1 1 2 *\n. . 1 1")
    assert three_bv(mines) == 4
    assert three_bv(np.zeros((64, 64), np.bool_)) == 1


def test_the_board_is_left_as_it_was_and_may_be_a_slice() -> None:
    wide = random_mines(2, 10, 20, 0.2)
    before = wide.copy()
    assert three_bv(wide[:, ::2]) == reference.three_bv(wide[:, ::2].tolist())
    assert np.array_equal(wide, before)


def test_boards_without_one_and_with_nothing_else() -> None:
    assert openings(np.array([[True, False, True]])) == 0
    assert openings(np.zeros((3, 4), np.bool_)) == 1
