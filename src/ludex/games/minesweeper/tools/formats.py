"""Boards as text and as MBF, the board files of Minesweeper Arbiter."""

import re
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.documents import LARGEST, read_bytes, read_text, write_bytes, write_text
from ludex.core.errors import BadOption
from ludex.core.messages import Message
from ludex.games.minesweeper.rules.layout import HIDDEN, BadBoard, mine_counts

MOST_SIDE: Final = 64
"""Rows or columns of the largest board."""


def require_size(rows: int, cols: int) -> None:
    """Raise `BadBoard` for a board without cells, or too large to play."""
    if not 1 <= rows <= MOST_SIDE or not 1 <= cols <= MOST_SIDE:
        raise BadBoard.of(Message("minesweeper.text_size", {"most": MOST_SIDE, "rows": rows, "cols": cols}))


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
            raise board.fault(row, col, "text_mine")
        elif mark not in _HIDDEN_MARKS:
            raise board.fault(row, col, "text_mark")
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
        number, true = _NUMBERS[board.marks[row][col]], counts[row, col]
        if number != true:
            raise BadBoard(f"{board.where(row, col)}: the number {number} where {true} neighbours are mines")
    return mines


def write_mines(mines: NDArray[np.bool_]) -> str:
    """A full board as text with its numbers, which `read_mines` reads back.

    >>> print(write_mines(np.array([[True, False, False]])))
    * 1 .
    """
    require_size(*mines.shape)
    marks = np.array([[_digit(int(count)) for count in row] for row in mine_counts(mines)])
    marks[mines] = MINE_MARK
    return _lines(marks)


def write_numbers(numbers: NDArray[np.int8], flags: NDArray[np.bool_]) -> str:
    """A position as a player sees it as text, which `read_numbers` reads back.

    >>> write_numbers(np.array([[1, -1, 0]], np.int8), np.array([[False, True, False]]))
    '1 F .'
    """
    marks = np.array([[HIDDEN_MARK if number == HIDDEN else _digit(int(number)) for number in row] for row in numbers])
    marks[flags] = FLAG_MARK
    return _lines(marks)


class _Board:
    """The marks of a text, with their line and column."""

    def __init__(self, text: str) -> None:
        lines = [[(mark, col) for col, mark in enumerate(line, 1) if not mark.isspace()] for line in text.split("\n")]
        filled = [number for number, line in enumerate(lines) if line]
        if not filled:
            raise BadBoard.of(Message("minesweeper.text_empty"))
        self._first = filled[0] + 1
        self._cells = lines[filled[0] : filled[-1] + 1]
        if len({len(line) for line in self._cells}) > 1:
            self._cells = _blank_cells(text.split("\n")[filled[0] : filled[-1] + 1]) or self._cells
        width = len(self._cells[0])
        for number, line in enumerate(self._cells, self._first):
            if len(line) != width:
                place = {"line": number, "column": line[-1][1] if line else 0}
                lengths = {"length": len(line), "width": width, "first": self._first}
                raise BadBoard.of(Message("minesweeper.text_uneven", {**place, **lengths}))
        require_size(len(self._cells), width)
        self.shape = (len(self._cells), width)
        self.marks = [[mark for mark, _ in line] for line in self._cells]

    def holding(self, mark: str) -> NDArray[np.bool_]:
        """bool[H, W], True where this mark stands."""
        return np.array([[other == mark for other in row] for row in self.marks])

    def fault(self, row: int, col: int, message: str) -> BadBoard:
        """What is wrong with the mark of a cell."""
        mark, column = self._cells[row][col]
        return BadBoard.of(
            Message(f"minesweeper.{message}", {"line": self._first + row, "column": column, "mark": mark})
        )

    def where(self, row: int, col: int) -> str:
        return f"line {self._first + row}, column {self._cells[row][col][1]}"


def _blank_cells(lines: list[str]) -> list[list[tuple[str, int]]]:
    """The marks of rows whose empty cells are blanks, those lost at their ends too; nothing if no blank is a cell.

    >>> [[mark for mark, _ in row] for row in _blank_cells(["1 #", "11"])]
    [['1', '.', '#'], ['1', '1', '.']]
    """
    step = 1 if any(line[1::2].strip() for line in lines) else 2
    rows = [line.rstrip("\r")[::step] for line in lines]
    if not any(" " in row for row in rows) or (step == 1 and not any(re.search(r"\S\S", row) for row in rows)):
        return []
    width = max(map(len, rows))
    return [
        [(ZERO_MARK if mark == " " else mark, 1 + step * place) for place, mark in enumerate(row.ljust(width))]
        for row in rows
    ]


def _digit(number: int) -> str:
    return str(number) if number else ZERO_MARK


def _lines(marks: NDArray[np.str_]) -> str:
    return "\n".join(" ".join(row) for row in marks)


HEADER: Final = 4
"""Bytes before the first mine."""


def read_mbf(data: bytes) -> NDArray[np.bool_]:
    """bool[H, W], True where the mines are.

    >>> read_mbf(bytes([3, 1, 0, 1, 2, 0])).tolist()
    [[False, False, True]]
    """
    if len(data) < HEADER:
        raise BadBoard(f"an MBF file begins with {HEADER} bytes, width, height and mines; found {len(data)}")
    width, height, count = data[0], data[1], int.from_bytes(data[2:HEADER], "big")
    require_size(height, width)
    expected = HEADER + 2 * count
    if len(data) < expected:
        raise BadBoard(f"the file ends after {len(data)} bytes: {count} mines need {expected}; is it truncated?")
    if len(data) > expected:
        raise BadBoard(f"byte {expected}: {len(data) - expected} bytes follow the last of {count} mines, expected none")
    mines = np.zeros((height, width), np.bool_)
    for at in range(HEADER, expected, 2):
        x, y = data[at], data[at + 1]
        if x >= width or y >= height:
            raise BadBoard(f"byte {at}: a mine at ({x}, {y}) lies outside a board of width {width}, height {height}")
        if mines[y, x]:
            raise BadBoard(f"byte {at}: a second mine at ({x}, {y})")
        mines[y, x] = True
    return mines


def write_mbf(mines: NDArray[np.bool_]) -> bytes:
    """The file of a board, mines row by row.

    >>> list(write_mbf(np.array([[False, False, True]])))
    [3, 1, 0, 1, 2, 0]
    """
    height, width = mines.shape
    require_size(height, width)
    cells = np.argwhere(mines)
    return bytes([width, height, *len(cells).to_bytes(2, "big"), *cells[:, ::-1].ravel().tolist()])


MBF: Final = ".mbf"
TEXT: Final = ".txt"


def require_board_name(path: Path) -> None:
    """Raise `BadOption` unless the name says what the file holds."""
    if path.suffix.lower() not in (MBF, TEXT):
        raise BadOption(f"{path}: expected a name that ends in {MBF} or {TEXT}, found {path.suffix or 'no ending'!r}")


def read_board(path: Path) -> NDArray[np.bool_]:
    """bool[H, W], True where the mines are. Raises `BadBoard` naming the file and what is wrong."""
    require_board_name(path)
    content = read_bytes(path, BadBoard, LARGEST) if path.suffix.lower() == MBF else read_text(path, BadBoard)
    try:
        return read_mbf(content) if isinstance(content, bytes) else read_mines(content)
    except BadBoard as error:
        raise BadBoard(f"{path}: {error.message}") from error


def write_board(path: Path, mines: NDArray[np.bool_]) -> None:
    """Write a board whole or not at all."""
    require_board_name(path)
    if path.suffix.lower() == MBF:
        write_bytes(path, write_mbf(mines))
    else:
        write_text(path, write_mines(mines) + "\n")
