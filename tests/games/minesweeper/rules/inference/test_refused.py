"""Positions that have no probabilities: the error says what is wrong with them."""

import numpy as np
import pytest

from ludex.core.errors import Unsupported
from ludex.games.minesweeper.rules.errors import BadBoard, InconsistentPosition
from ludex.games.minesweeper.rules.inference.probabilities import mine_probabilities
from tests.games.minesweeper.rules.inference.support import numbers_of, random_mines


@pytest.mark.parametrize(
    ("text", "mines"),
    [
        ("2#", 1),  # more than there are neighbours
        ("0# #1", 1),
        ("1#2", 1),
        ("1###1 #####", 1),  # two regions need a mine each
        ("1###1 #####", 7),  # more than the numbers allow
        ("#1", 0),
        ("#2# ###", 1),
        ("1#1#1#1 #######", 0),
    ],
)
def test_numbers_that_no_layout_fits(text: str, mines: int) -> None:
    with pytest.raises(InconsistentPosition) as caught:
        mine_probabilities(numbers_of(text), mines)
    assert f"no layout of {mines} mines fits" in str(caught.value)
    assert text.replace(" ", "\n") in str(caught.value)
    assert caught.value.code == "inconsistent_position"


@pytest.mark.parametrize("mines", [-1, 4, 4096])
def test_a_number_of_mines_that_no_board_has(mines: int) -> None:
    with pytest.raises(BadBoard, match=rf"mines must be in 0\.\.3, the hidden cells, found {mines}"):
        mine_probabilities(numbers_of("1# ##"), mines)


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        (np.zeros((2, 2), np.int64), r"int8\[H, W\], found int64\[2, 2\]"),
        (np.zeros((2, 2), np.uint8), "found uint8"),
        (np.zeros(4, np.int8), r"found int8\[4\]"),
        (np.zeros((1, 2, 2), np.int8), r"found int8\[1, 2, 2\]"),
        (np.zeros((0, 5), np.int8), "a board has 1 to 4096 cells, found 0 x 5"),
        (np.zeros((65, 64), np.int8), "found 65 x 64"),
        (np.array([[0, 0], [9, 0]], np.int8), "row 1, column 0: expected -1 .* found 9"),
        (np.array([[0, -2]], np.int8), "row 0, column 1: expected -1 .* found -2"),
    ],
)
def test_arrays_that_are_no_board(numbers: np.ndarray, message: str) -> None:
    with pytest.raises(BadBoard, match=message) as caught:
        mine_probabilities(numbers, 0)
    assert caught.value.code == "bad_board"


def test_a_position_that_is_too_wide_to_count_is_not_answered_wrongly() -> None:
    mined, around = random_mines(1, 64, 64, 1600)
    rows, cols = np.indices((64, 64))
    numbers = np.where(~mined & (rows % 2 == 1) & (cols % 2 == 1), around, -1).astype(np.int8)
    with pytest.raises(Unsupported, match="too many numbers depend on each other"):
        mine_probabilities(numbers, 1600)
    # Whatever was written on the way does not disturb the next one.
    assert mine_probabilities(numbers_of("#1#"), 1).tolist()[0][::2] == [0.5, 0.5]
