"""A position, what the player may know of it, and both as data: JSON, checked on the way in, and planes of numbers."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import BadPosition
from ludex.core.game import Json
from ludex.games.minesweeper.options import BoardOptions, Start
from ludex.games.minesweeper.rules.layout import (
    DEGREE,
    FLAG,
    MINE,
    NUMBER,
    REVEALED,
    Cells,
    has_bit,
    mine_counts,
    surroundings,
)


class Position(NamedTuple):
    """The whole board, mines included."""

    cells: bytes
    """One byte per cell, see `layout`. The first reveal places the mines."""
    plies: int = 0
    opened: int = 0
    """Safe cells that are revealed."""
    exploded: int | None = None
    """The mine that was revealed, which ended the game."""
    start_cell: int | None = None
    """Where the game begins on a board without a guess, whose mines are placed from the beginning."""

    @property
    def mines_placed(self) -> bool:
        """Whether the mines are on the board."""
        return self.opened > 0 or self.exploded is not None or self.start_cell is not None


class View(NamedTuple):
    """The board as the player sees it."""

    rows: int
    cols: int
    mines: int
    """How many there are; not where."""
    start: Start
    shown: bytes
    """int8, one per cell: its number, or -1."""
    flagged: bytes
    """0 or 1, one per cell."""
    plies: int
    exploded: int | None = None
    """The mine that ended the game."""
    mine_cells: tuple[int, ...] | None = None
    """Where the mines are; None until the game is over, and if they were never placed."""
    start_cell: int | None = None
    """Where the game begins, if that is given: then nothing else can be done first."""

    @property
    def numbers(self) -> NDArray[np.int8]:
        """int8[rows, cols], read-only: the numbers that are revealed, -1 everywhere else. Solvers take this array."""
        return np.frombuffer(self.shown, np.int8).reshape(self.rows, self.cols)

    @property
    def flags(self) -> NDArray[np.bool_]:
        """bool[rows, cols], read-only."""
        return np.frombuffer(self.flagged, np.bool_).reshape(self.rows, self.cols)


PLANES = 11
"""Revealed, flags, and one for each number from 0 to 8."""
REVEALED_PLANE, FLAG_PLANE, ZERO_PLANE = 0, 1, 2

BYTES = {
    ".": 0,
    "*": MINE,
    "f": FLAG,
    "F": FLAG | MINE,
    "X": REVEALED | MINE,
    **{str(number): REVEALED | number for number in range(DEGREE + 1)},
}
"""A cell's character: hidden, hidden mine, flagged, flagged mine, the mine that went off, or a revealed number."""
_CHARACTERS = {byte: character for character, byte in BYTES.items()}


def text_of(state: Position) -> str:
    """One character per cell, row by row."""
    return "".join(_CHARACTERS[byte] for byte in state.cells)


def position_of(data: Json, options: BoardOptions, max_plies: int) -> Position:
    """The position a dump describes. Raises `BadPosition` for one that no play reaches."""
    keys = ("cells", "plies", "start") if options.no_guess else ("cells", "plies")
    if not isinstance(data, dict) or set(data) != set(keys):
        raise BadPosition(f"expected an object with {' and '.join(map(repr, keys))}, found {data!r}")
    text, plies = data["cells"], data["plies"]
    if not isinstance(text, str) or not isinstance(plies, int) or isinstance(plies, bool):
        raise BadPosition(f"expected a text 'cells' and a whole number 'plies', found {text!r} and {plies!r}")
    if len(text) != options.rows * options.cols:
        raise BadPosition(f"'cells': expected {options.rows * options.cols} characters, found {len(text)}")
    strangers = sorted(set(text) - set(BYTES))
    if strangers:
        raise BadPosition(f"'cells': expected characters of {''.join(BYTES)}, found {strangers[0]!r}")
    cells = np.array([BYTES[character] for character in text], np.uint8)
    counts = mine_counts(has_bit(cells, MINE).reshape(options.rows, options.cols)).ravel()
    opened = cells & (REVEALED | MINE) == REVEALED
    for cell in np.flatnonzero(opened & (cells & NUMBER != counts)).tolist():
        raise BadPosition(f"'cells': cell {cell} says {text[cell]} and has {counts[cell]} mines around it")
    exploded = np.flatnonzero(cells == REVEALED | MINE).tolist()
    _check_mines(cells, opened, exploded, options)
    start_cell = _start_of(data["start"], cells, options) if options.no_guess else None
    position = Position(cells.tobytes(), plies, int(opened.sum()), exploded[0] if exploded else None, start_cell)
    least = least_plies(position, options)
    if not least <= plies <= max_plies:
        raise BadPosition(f"'plies': expected {least}..{max_plies} for these cells, found {plies}")
    return position


def _check_mines(cells: Cells, opened: NDArray[np.bool_], exploded: list[int], options: BoardOptions) -> None:
    """Check the number of mines, and that the revealed cells are reachable."""
    mines, revealed = int((cells & MINE != 0).sum()), bool(opened.any() or exploded)
    expected = options.mines if revealed or options.no_guess else 0
    if mines != expected:
        when = "once something is revealed" if revealed else "before anything is revealed"
        raise BadPosition(f"'cells': expected {expected} mines {when}, found {mines}")
    if len(exploded) > 1:
        raise BadPosition(f"'cells': {len(exploded)} mines went off, the first ends the game")
    if exploded and opened.sum() == len(cells) - mines:
        raise BadPosition("'cells': a mine went off after every safe cell was revealed, which ends the game")
    if revealed and options.start == "safe" and not opened.any():
        raise BadPosition("'cells': the first reveal hit a mine, with start=safe it cannot")
    if revealed and options.start == "zero" and not (cells == REVEALED).any():
        raise BadPosition("'cells': no zero is revealed, with start=zero the first reveal is one")


def _start_of(start: Json, cells: Cells, options: BoardOptions) -> int:
    """The start cell of a dump: all of the board is hidden, or this cell was revealed first."""
    if not isinstance(start, int) or isinstance(start, bool) or not 0 <= start < len(cells):
        raise BadPosition(f"'start': expected a cell in 0..{len(cells) - 1}, found {start!r}")
    around = [start, *surroundings(options.rows, options.cols)[start].tolist()] if options.start == "zero" else [start]
    if (cells[around] & MINE).any():
        raise BadPosition(f"'start': cell {start} is no first reveal with start={options.start}: a mine is there")
    if (cells & (REVEALED | FLAG)).any() and not cells[start] & REVEALED:
        raise BadPosition(f"'start': cell {start} is hidden, and it is revealed before anything else is done")
    return start


def least_plies(state: Position, options: BoardOptions) -> int:
    """A lower bound on the plies that lead here."""
    cells = np.frombuffer(state.cells, np.uint8)
    around = np.unique(surroundings(options.rows, options.cols)[cells == REVEALED])
    # A flood opens all around a zero but flagged cells: one that is closed without a flag had one and lost it.
    unflagged = int((cells[around] & (REVEALED | FLAG) == 0).sum())
    flags = int((cells & FLAG != 0).sum())
    if options.random_first_click:
        reveals = int(state.exploded is not None or state.opened == len(cells) - options.mines)
    else:
        reveals = int(state.opened > 0) + int(state.exploded is not None)
    return reveals + flags + 2 * unflagged


def planes_of(view: View) -> NDArray[np.uint8]:
    """uint8[11, rows, cols] of a view."""
    numbers = view.numbers
    planes = np.zeros((PLANES, view.rows, view.cols), np.uint8)
    planes[REVEALED_PLANE] = numbers >= 0
    planes[FLAG_PLANE] = view.flags
    for number in range(DEGREE + 1):
        planes[ZERO_PLANE + number] = numbers == number
    if view.exploded is not None:
        # The mine that went off is revealed and shows no number.
        planes[REVEALED_PLANE].flat[view.exploded] = 1
    return planes
