"""A board's geometry and state keys: cells, lines and names. Cells are numbered row by row from the top left.

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

from ludex.core.compilable import compilable
from ludex.core.errors import BadPosition
from ludex.core.messages import Message
from ludex.games.tictactoe.rules.position import Position, cells_of
from ludex.kit.geometry import Grid, square_grid


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


@dataclass(frozen=True)
class MnkBoard:
    """The geometry of one (m,n,k)."""

    rows: int
    cols: int
    k: int

    @cached_property
    def grid(self) -> Grid:
        return square_grid(self.rows, self.cols, top=True)

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
        return tuple(sum(1 << cell for cell in line) for line in self.grid.lines(self.k))

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


def to_state_key(board: MnkBoard, position: Position) -> str:
    """The key of a position as it stands, not of its canonical image.

    >>> to_state_key(MnkBoard(3, 3, 3), Position(x=0b1, o=0b10000))
    'XEEEOEEEE'
    """
    x, o, _ = position
    return "".join("X" if x >> cell & 1 else "O" if o >> cell & 1 else "E" for cell in range(board.cells))


def legal_moves(board: MnkBoard, position: Position) -> list[int]:
    """The cells the side to move may mark; none when the game is over."""
    if position.won:
        return []
    return list(cells_of(board.full & ~position.taken))


def from_state_key(board: MnkBoard, key: str) -> Position:
    """The position of a key. Raises `BadPosition` unless play can reach it."""
    if len(key) != board.cells:
        raise BadPosition(f"expected {board.cells} cells of E, O and X, found {len(key)} in {key!r}")
    if set(key) - set("EOX"):
        raise BadPosition(f"expected only E, O and X, found {''.join(sorted(set(key) - set('EOX')))!r} in {key!r}")
    x, o = (sum(1 << cell for cell, mark in enumerate(key) if mark == side) for side in "XO")
    position = Position(x, o)
    if position.turn not in (0, 1):
        counts = {"crosses": key.count("X"), "rings": key.count("O")}
        raise BadPosition.of(Message("tictactoe.position_counts", counts))
    if has_line(position.mine, board.lines):
        raise BadPosition.of(Message("tictactoe.position_line", {"player": "XO"[position.turn]}))
    complete = [line for line in board.lines if position.theirs & line == line]
    shared = board.full
    for line in complete:
        shared &= line
    if complete and not shared:
        raise BadPosition.of(Message("tictactoe.position_lines"))
    return position._replace(won=bool(complete))
