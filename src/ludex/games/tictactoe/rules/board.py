"""A board's geometry: cells, lines and names. Cells are numbered row by row from the top left.

     0 | 1 | 2        a3 | b3 | c3
    ---+---+---      ----+----+----
     3 | 4 | 5        a2 | b2 | c2
    ---+---+---      ----+----+----
     6 | 7 | 8        a1 | b1 | c1

A set of cells is an int whose bit i is cell i. The rules are plain functions that Python runs and kernels compile.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase

from pydantic import Field, model_validator

from ludex.core.compilable import compilable
from ludex.core.options import Options
from ludex.games.tictactoe.rules.position import Position

MAX_BOARD_CELLS = 60
"""A set of cells must fit a signed 64-bit word of a kernel."""


@compilable
def has_line(marks: int, lines: Iterable[int]) -> bool:
    """Whether a set of cells contains one of the lines.

    >>> has_line(0b111, [0b111, 0b111000])
    True
    """
    for line in lines:
        if marks & line == line:
            return True
    return False


@compilable
def is_free(taken: int, cell: int) -> bool:
    """Whether the cell is unmarked."""
    return taken >> cell & 1 == 0


class BoardOptions(Options):
    """The (m,n,k) of a game: rows, columns, and how many in a row win."""

    rows: int = Field(3, ge=2, le=26, description="rows of the board")
    cols: int = Field(3, ge=2, le=26, description="columns of the board")
    k: int = Field(3, ge=2, description="marks in a row that win")

    @model_validator(mode="after")
    def _fits(self) -> "BoardOptions":
        if self.rows * self.cols > MAX_BOARD_CELLS:
            raise ValueError(f"a {self.rows}x{self.cols} board has more than {MAX_BOARD_CELLS} cells")
        if self.k > max(self.rows, self.cols):
            raise ValueError(f"k={self.k} marks in a row do not fit a {self.rows}x{self.cols} board")
        return self


@dataclass(frozen=True)
class Board:
    """The geometry of one (m,n,k)."""

    rows: int
    cols: int
    k: int

    @cached_property
    def cells(self) -> int:
        return self.rows * self.cols

    @cached_property
    def full(self) -> int:
        """The set of all cells."""
        return (1 << self.cells) - 1

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """Every set of `k` cells in a row, along rows, columns and both diagonals."""
        found = []
        for row in range(self.rows):
            for col in range(self.cols):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    end_row, end_col = row + down * (self.k - 1), col + right * (self.k - 1)
                    if end_row < self.rows and 0 <= end_col < self.cols:
                        steps = range(self.k)
                        found.append(sum(1 << self.cell(row + down * step, col + right * step) for step in steps))
        return tuple(found)

    @cached_property
    def lines_through(self) -> tuple[tuple[int, ...], ...]:
        """The lines of each cell."""
        return tuple(tuple(line for line in self.lines if line >> cell & 1) for cell in range(self.cells))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Each cell's name: a letter for the column, a number for the row, counted from below."""
        return tuple(
            f"{ascii_lowercase[cell % self.cols]}{self.rows - cell // self.cols}" for cell in range(self.cells)
        )

    @cached_property
    def cell_of_name(self) -> dict[str, int]:
        return {name: cell for cell, name in enumerate(self.names)}

    def cell(self, row: int, col: int) -> int:
        return row * self.cols + col

    def after(self, position: Position, cell: int) -> Position:
        """The position once the side to move has marked a free cell."""
        x, o, _ = position
        if position.turn:
            o |= 1 << cell
            return Position(x, o, has_line(o, self.lines_through[cell]))
        x |= 1 << cell
        return Position(x, o, has_line(x, self.lines_through[cell]))
