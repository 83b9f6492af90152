"""MBF files: a board of 255 cells a side fits the format, not the game; every corruption is named."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ludex.games.minesweeper.rules.errors import BadBoard
from ludex.games.minesweeper.tools.formats import read_mbf, write_mbf
from tests.games.minesweeper.tools.support import mine_boards

GOOD = bytes([3, 2, 0, 2, 0, 0, 2, 1])


def test_columns_come_before_rows() -> None:
    assert read_mbf(GOOD).tolist() == [[True, False, False], [False, False, True]]
    assert write_mbf(read_mbf(GOOD)) == GOOD


def test_more_than_255_mines() -> None:
    mines = np.ones((16, 30), np.bool_)
    mines[:, :10] = False
    assert write_mbf(mines)[2:4] == bytes([1, 64])
    assert np.array_equal(read_mbf(write_mbf(mines)), mines)


@pytest.mark.slow
@given(mine_boards())
@settings(deadline=None)
def test_boards_survive_a_round_trip(mines: NDArray[np.bool_]) -> None:
    assert np.array_equal(read_mbf(write_mbf(mines)), mines)


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "begins with 4 bytes, width, height and mines; found 0"),
        (GOOD[:3], "found 3"),
        (GOOD[:6], "the file ends after 6 bytes: 2 mines need 8"),
        (GOOD[:7], "the file ends after 7 bytes: 2 mines need 8"),
        (GOOD + b"\0", "byte 8: 1 bytes follow the last of 2 mines"),
        (bytes([3, 2, 0, 1, 0, 0, 2, 1]), "byte 6: 2 bytes follow the last of 1 mines"),
        (bytes([3, 2, 0, 3, 0, 0, 2, 1]), "3 mines need 10"),
        (bytes([3, 2, 0, 2, 0, 0, 3, 1]), "byte 6: a mine at (3, 1) lies outside a board of width 3, height 2"),
        (bytes([3, 2, 0, 2, 0, 0, 2, 2]), "byte 6: a mine at (2, 2) lies outside"),
        (bytes([3, 2, 0, 2, 2, 1, 2, 1]), "byte 6: a second mine at (2, 1)"),
        (bytes([0, 2, 0, 0]), "found 2 rows and 0 columns"),
        (bytes([3, 0, 0, 0]), "found 0 rows and 3 columns"),
        (bytes([65, 2, 0, 0]), "found 2 rows and 65 columns"),
    ],
)
def test_corrupt_files_are_named(data: bytes, complaint: str) -> None:
    with pytest.raises(BadBoard) as caught:
        read_mbf(data)
    assert complaint in caught.value.message


@given(st.binary(max_size=40))
def test_any_bytes_are_a_board_or_a_named_error(data: bytes) -> None:
    try:
        mines = read_mbf(data)
    except BadBoard:
        return
    assert len(write_mbf(mines)) == len(data)


def test_a_board_too_large_is_not_written() -> None:
    with pytest.raises(BadBoard, match="found 1 rows and 65 columns"):
        write_mbf(np.zeros((1, 65), np.bool_))
