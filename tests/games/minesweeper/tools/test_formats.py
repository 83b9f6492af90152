"""Boards as text and as MBF files: what is read is what was written, and every fault is named with its place."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ludex.games.minesweeper.rules.layout import BadBoard
from ludex.games.minesweeper.tools.formats import read_mbf, read_mines, read_numbers, write_mbf, write_mines
from tests.games.minesweeper.tools.support import mine_boards, positions


def test_a_position_as_a_person_types_it() -> None:
    numbers, flags = read_numbers("\n  1 2 #\r\n\t.3F  \n0?8\n\n")
    assert numbers.tolist() == [[1, 2, -1], [0, 3, -1], [0, -1, 8]]
    assert (numbers.dtype, flags.dtype) == (np.dtype(np.int8), np.dtype(np.bool_))
    assert np.argwhere(flags).tolist() == [[1, 2]]


@pytest.mark.parametrize("text", ["11 1#\n11#\n ###F", "11 1#\r\n11#  \r\n ###F", "1 1   1 #\n1 1 #\n  # # # F"])
def test_blanks_are_empty_cells_where_rows_are_uneven_without_them(text: str) -> None:
    numbers, flags = read_numbers(text)
    assert numbers.tolist() == [[1, 1, 0, 1, -1], [1, 1, -1, 0, 0], [0, -1, -1, -1, -1]]
    assert np.argwhere(flags).tolist() == [[2, 4]]


def test_a_full_board_with_and_without_numbers() -> None:
    mines = read_mines("* 1 .\n1 1 .")
    assert mines.tolist() == [[True, False, False], [False, False, False]]
    assert np.array_equal(read_mines("*..\n..."), mines)


@pytest.mark.slow
@given(positions())
@settings(deadline=None)
def test_positions_are_read_as_they_are_written(position: tuple[NDArray[np.int8], NDArray[np.bool_]]) -> None:
    marks = np.where(position[1], "F", np.where(position[0] < 0, "#", position[0].astype(str)))
    numbers, flags = read_numbers("\n".join(" ".join(row) for row in marks))
    assert np.array_equal(numbers, position[0])
    assert np.array_equal(flags, position[1])


@pytest.mark.slow
@given(mine_boards())
@settings(deadline=None, max_examples=30)
def test_full_boards_survive_a_round_trip(mines: NDArray[np.bool_]) -> None:
    assert np.array_equal(read_mines(write_mines(mines)), mines)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "the board is empty"),
        (" \n\t\n", "the board is empty"),
        ("1 1\n1 9", "line 2, column 3: '9', expected 0..8, one of . # ? or F"),
        ("\n\n1x", "line 3, column 2: 'x', expected"),
        ("1 *", "line 1, column 3: a mine, '*', cannot be seen"),
        ("11\n1", "line 2, column 1: the row ends after 1 cells, expected 2 as in line 1"),
        ("11\n111", "line 2, column 3: the row ends after 3 cells, expected 2 as in line 1"),
        ("11\n\n11", "line 2, column 0: the row ends after 0 cells, expected 2 as in line 1"),
        ("1" * 65, "1..64 rows and columns, found 1 rows and 65 columns"),
        ("1\n" * 65, "1..64 rows and columns, found 65 rows and 1 columns"),
    ],
)
def test_bad_positions_are_named(text: str, complaint: str) -> None:
    with pytest.raises(BadBoard) as error:
        read_numbers(text)
    assert complaint in error.value.message
    assert error.value.code == "bad_board"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("* #", "line 1, column 3: a hidden cell, '#', does not say"),
        ("* F", "line 1, column 3: a hidden cell, 'F', does not say"),
        ("* 2", "line 1, column 3: the number 2 where 1 neighbours are mines"),
        ("* .\n1 0", "line 2, column 3: the number 0 where 1 neighbours are mines"),
        ("* M", "line 1, column 3: 'M', expected *, . or 0..8"),
    ],
)
def test_bad_full_boards_are_named(text: str, complaint: str) -> None:
    with pytest.raises(BadBoard) as error:
        read_mines(text)
    assert complaint in error.value.message


def test_a_board_too_large_to_play_is_not_written() -> None:
    with pytest.raises(BadBoard, match="found 65 rows"):
        write_mines(np.zeros((65, 2), np.bool_))


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
    with pytest.raises(BadBoard) as error:
        read_mbf(data)
    assert complaint in error.value.message


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
