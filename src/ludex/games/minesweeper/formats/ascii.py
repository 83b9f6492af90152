"""Boards as text, a line a row: what a person types into an editor, and what the terminal shows.

    1 1 2 #      0..8 a revealed number, also . for 0
    . . 2 F      # hidden, also ?; F hidden with a flag
    * 2 1 .      * a mine, on full boards only

Spaces between cells are optional, and empty lines before and after the board do not count.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.errors import BadBoard
from ludex.games.minesweeper.formats.counts import mine_counts
from ludex.games.minesweeper.formats.size import require_size
from ludex.games.minesweeper.layout import HIDDEN

HIDDEN_MARK, FLAG_MARK, MINE_MARK, ZERO_MARK = "#", "F", "*", "."

_NUMBERS: Final = {ZERO_MARK: 0, **{str(number): number for number in range(9)}}
_HIDDEN_MARKS: Final = (HIDDEN_MARK, "?", FLAG_MARK)


def read_numbers(text: str) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """A position as a player sees it: int8[H, W] numbers with -1 where hidden, and bool[H, W] flags.

    >>> numbers, flags = read_numbers("1 # 1\\n1 F 1")
    >>> numbers.tolist(), flags.tolist()
    ([[1, -1, 1], [1, -1, 1]], [[False, False, False], [False, True, False]])
    """
    board = _Board(text)
    numbers = np.full(board.shape, HIDDEN, np.int8)
    for row, col in np.ndindex(board.shape):
        mark = board.marks[row][col]
        if mark in _NUMBERS:
            numbers[row, col] = _NUMBERS[mark]
        elif mark == MINE_MARK:
            raise BadBoard(f"{board.where(row, col)}: a mine, {MINE_MARK!r}, cannot be seen in a position still played")
        elif mark not in _HIDDEN_MARKS:
            raise BadBoard(f"{board.where(row, col)}: {mark!r}, expected 0..8, one of . # ? or F")
    return numbers, board.holding(FLAG_MARK)


def read_mines(text: str) -> NDArray[np.bool_]:
    """A full board, bool[H, W] True where the mines are; a digit must be the true count, a dot claims nothing.

    >>> read_mines("* 1 .").tolist()
    [[True, False, False]]
    """
    board = _Board(text)
    for row, col in np.ndindex(board.shape):
        mark = board.marks[row][col]
        if mark in _HIDDEN_MARKS:
            raise BadBoard(f"{board.where(row, col)}: a hidden cell, {mark!r}, does not say whether it is a mine")
        if mark != MINE_MARK and mark not in _NUMBERS:
            raise BadBoard(f"{board.where(row, col)}: {mark!r}, expected {MINE_MARK}, {ZERO_MARK} or 0..8")
    mines = board.holding(MINE_MARK)
    counts = mine_counts(mines)
    for row, col in np.argwhere(~mines & ~board.holding(ZERO_MARK)):
        found, true = _NUMBERS[board.marks[row][col]], counts[row, col]
        if found != true:
            raise BadBoard(f"{board.where(row, col)}: the number {found} where {true} neighbours are mines")
    return mines


def write_numbers(numbers: NDArray[np.int8], flags: NDArray[np.bool_] | None = None) -> str:
    """A position as text, which `read_numbers` reads back.

    >>> print(write_numbers(np.array([[0, 1, -1]], np.int8), np.array([[False, False, True]])))
    . 1 F
    """
    require_size(*numbers.shape)
    marks = np.full(numbers.shape, HIDDEN_MARK)
    for row, col in np.ndindex(numbers.shape):
        number = int(numbers[row, col])
        if not HIDDEN <= number <= 8:
            raise BadBoard(f"row {row}, column {col}: {number} is no number of a board, expected -1..8")
        if number != HIDDEN:
            marks[row, col] = _digit(number)
    if flags is not None:
        for row, col in np.argwhere(flags & (numbers != HIDDEN)):
            raise BadBoard(f"row {row}, column {col}: a flag on a revealed {numbers[row, col]}")
        marks[flags] = FLAG_MARK
    return _lines(marks)


def write_mines(mines: NDArray[np.bool_]) -> str:
    """A full board as text with its numbers, which `read_mines` reads back.

    >>> print(write_mines(np.array([[True, False, False]])))
    * 1 .
    """
    require_size(*mines.shape)
    marks = np.array([[_digit(int(count)) for count in row] for row in mine_counts(mines)])
    marks[mines] = MINE_MARK
    return _lines(marks)


class _Board:
    """The marks of a text, with the place in it that each came from."""

    def __init__(self, text: str) -> None:
        lines = [[(mark, col) for col, mark in enumerate(line, 1) if not mark.isspace()] for line in text.split("\n")]
        held = [number for number, line in enumerate(lines) if line]
        if not held:
            raise BadBoard("the board is empty: expected a line a row, such as '1 # 1'")
        self._first = held[0] + 1
        self._cells = lines[held[0] : held[-1] + 1]
        width = len(self._cells[0])
        for number, line in enumerate(self._cells, self._first):
            if len(line) != width:
                end = line[-1][1] if line else 0
                raise BadBoard(
                    f"line {number}, column {end}: the row ends after {len(line)} cells, "
                    f"expected {width} as in line {self._first}"
                )
        require_size(len(self._cells), width)
        self.shape = (len(self._cells), width)
        self.marks = [[mark for mark, _ in line] for line in self._cells]

    def holding(self, mark: str) -> NDArray[np.bool_]:
        """bool[H, W], True where this mark stands."""
        return np.array([[one == mark for one in row] for row in self.marks])

    def where(self, row: int, col: int) -> str:
        return f"line {self._first + row}, column {self._cells[row][col][1]}"


def _digit(number: int) -> str:
    return str(number) if number else ZERO_MARK


def _lines(marks: NDArray[np.str_]) -> str:
    return "\n".join(" ".join(row) for row in marks)
