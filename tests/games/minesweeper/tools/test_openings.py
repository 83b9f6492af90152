"""Openings beside ms_toollib."""

import ms_toollib
import numpy as np
import pytest

from ludex.games.minesweeper.tools.three_bv import mine_counts, openings


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols", "mines"), [(8, 8, 10), (16, 30, 99), (1, 9, 2), (7, 2, 3), (64, 64, 300)])
def test_equal_to_ms_toollib(rows: int, cols: int, mines: int) -> None:
    generator = np.random.default_rng(1)
    found = set()
    for _ in range(30):
        board = (generator.permutation(rows * cols) < mines).reshape(rows, cols)
        found.add(openings(board))
        assert openings(board) == ms_toollib.cal_op(np.where(board, -1, mine_counts(board)).tolist())
    assert len(found) > 1


def test_boards_without_one_and_with_nothing_else() -> None:
    assert openings(np.array([[True, False, True]])) == 0
    assert openings(np.zeros((3, 4), np.bool_)) == 1
