"""Positions of Minesweeper as people edit them: numbers, flags, hidden cells and a count of mines, no layout."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.editing import Setting, Tool, setting_number
from ludex.core.errors import BadPosition, MalformedAction, Unsupported
from ludex.core.game import AnyGame, Mask, Player
from ludex.core.messages import Message
from ludex.core.registry import make, spec
from ludex.core.seeding import Rng
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.options import Start, most_mines
from ludex.games.minesweeper.rules.layout import HIDDEN, InconsistentPosition, mine_counts, neighbours
from ludex.games.minesweeper.rules.notation import action_names, action_of
from ludex.games.minesweeper.rules.position import Position, View, least_plies
from ludex.games.minesweeper.tools.formats import (
    HIDDEN_MARK,
    MBF,
    MINE_MARK,
    MOST_SIDE,
    read_mbf,
    read_mines,
    read_numbers,
    write_mines,
    write_numbers,
)

MINES: Final = re.compile(r"\A\s*mines[\s:=]*(\d{1,4})\s*$", re.I | re.M)
"""The line before the rows that says how many mines there are."""
FLAG, HIDE, COUNT = "flag", "hidden", "count"
NEXT: Final = {HIDDEN: 1, **{number: number + 1 for number in range(1, 8)}, 8: 0, 0: HIDDEN}
"""What a cell shows after a click that counts up."""


@dataclass(frozen=True, slots=True)
class MinesweeperDraft:
    """A view while it is edited."""

    rows: int
    cols: int
    mines: int
    cells: bytes
    """int8, one per cell: its number, or HIDDEN."""
    flags: bytes
    """0 or 1, one per cell."""

    @property
    def game(self) -> Minesweeper:
        # The start rule no longer matters after the first reveal, and what people draw may show no zero.
        return _board(self.rows, self.cols, self.mines, "zero" if 0 in self.cells or not self._revealed else "none")

    @property
    def text(self) -> str:
        return f"mines {self.mines}\n{write_numbers(self.view.numbers, self.view.flags)}"

    @property
    def view(self) -> View:
        start = self.game.options.start
        return View(self.rows, self.cols, self.mines, start, self.cells, self.flags, plies=0)

    @property
    def places(self) -> Mask:
        return np.ones(2 * len(self.cells), np.bool_)

    @property
    def to_move(self) -> Player:
        return 0

    @property
    def tools(self) -> Sequence[Tool]:
        numbers = [
            Tool(name=str(number), title=Message("minesweeper.edit_number", {"number": number}), key=str(number))
            for number in range(9)
        ]
        count = Tool(name=COUNT, title=Message("minesweeper.edit_count"), symbol="1…8", key="+")
        hide = Tool(name=HIDE, title=Message("minesweeper.edit_hidden"), symbol=HIDDEN_MARK, key="h")
        return (
            count,
            *numbers[1:],
            numbers[0],
            hide,
            Tool(name=FLAG, title=Message("minesweeper.edit_flag"), symbol="⚑"),
        )

    @property
    def settings(self) -> Sequence[Setting]:
        bounds = {"mines": (1, max(1, len(self.cells) - 1)), "rows": (1, MOST_SIDE), "cols": (1, MOST_SIDE)}
        return [
            Setting(name=name, title=Message(f"minesweeper.edit_{name}"), value=str(getattr(self, name)), bounds=bound)
            for name, bound in bounds.items()
        ]

    def put(self, tool: str, place: str) -> "MinesweeperDraft":
        """A click with the same number again hides the cell. A flag's place, such as `a1!`, is flagged by any tool."""
        try:
            cell = action_of(place, self.rows, self.cols)
        except MalformedAction:
            raise BadPosition.of(Message("minesweeper.position_place", {"place": place[:20]})) from None
        if cell >= len(self.cells):
            cell, tool = cell - len(self.cells), FLAG
        if tool not in {known.name for known in self.tools}:
            raise BadPosition.of(Message("minesweeper.position_tool", {"tool": tool[:20]}))
        numbers, flags = np.frombuffer(self.cells, np.int8).copy(), bytearray(self.flags)
        number = int(tool) if tool.isdecimal() else HIDDEN
        flags[cell] = tool == FLAG and not flags[cell]
        now = int(numbers[cell])
        numbers[cell] = NEXT[now] if tool == COUNT else HIDDEN if now == number else number
        return replace(self, cells=numbers.tobytes(), flags=bytes(flags))

    def set(self, setting: str, value: str) -> "MinesweeperDraft":
        """Another number of mines, or another size, whose new cells are hidden."""
        known = {each.name: each for each in self.settings}
        if setting not in known:
            raise BadPosition.of(Message("minesweeper.position_tool", {"tool": setting[:20]}))
        number = setting_number(known[setting], value)
        if setting == "mines":
            return replace(self, mines=number)._possible()
        rows, cols = (number, self.cols) if setting == "rows" else (self.rows, number)
        numbers, flags = np.full((rows, cols), HIDDEN, np.int8), np.zeros((rows, cols), np.bool_)
        same = (slice(min(rows, self.rows)), slice(min(cols, self.cols)))
        numbers[same], flags[same] = self.view.numbers[same], self.view.flags[same]
        mines = min(self.mines, max(1, rows * cols - 1))
        return MinesweeperDraft(rows, cols, mines, numbers.tobytes(), flags.tobytes())._possible()

    def _possible(self) -> "MinesweeperDraft":
        """The draft, if there is such a board. Raises `BadPosition`."""
        _ = self.game
        return self

    def position(self, rng: Rng) -> Position:
        """The board with one of the layouts that fit, each equally likely."""
        self._require_room()
        try:
            state = self.game.sample_state(self.view, rng)
        except InconsistentPosition:
            raise BadPosition.of(Message("minesweeper.position_inconsistent", {"count": self.mines})) from None
        except Unsupported:
            raise BadPosition.of(Message("minesweeper.position_complex")) from None
        return state._replace(plies=least_plies(state, self.game.options))

    @property
    def _revealed(self) -> bool:
        return any(number != HIDDEN & 0xFF for number in self.cells)

    def _require_room(self) -> None:
        """Raise for a number with too few hidden neighbours, and for more mines than hidden cells."""
        numbers, names = np.frombuffer(self.cells, np.int8), action_names(self.rows, self.cols)
        near = neighbours(self.rows, self.cols)
        for cell in np.flatnonzero(numbers > 0).tolist():
            hidden = sum(other >= 0 and int(numbers[other]) == HIDDEN for other in near[cell, :-1].tolist())
            if hidden < numbers[cell]:
                parameters = {"cell": names[cell], "number": int(numbers[cell]), "count": hidden}
                raise BadPosition.of(Message("minesweeper.position_surplus", parameters, (cell,)))
        hidden = int((numbers == HIDDEN).sum())
        if hidden < self.mines:
            raise BadPosition.of(Message("minesweeper.position_many_mines", {"mines": self.mines, "count": hidden}))


@lru_cache(maxsize=16)
def _board(rows: int, cols: int, mines: int, start: Start) -> Minesweeper:
    if start == "zero" and mines > most_mines(rows, cols, start):
        start = "none"
    if mines > most_mines(rows, cols, start):
        raise BadPosition.of(Message("minesweeper.position_small"))
    game = make("minesweeper", _preset_of(rows, cols), rows=rows, cols=cols, mines=mines, start=start)
    assert isinstance(game, Minesweeper)
    return game


def _preset_of(rows: int, cols: int) -> str | None:
    """The preset of this size, whose name the board has."""
    presets = spec("minesweeper").presets.items()
    return next((name for name, board in presets if (board["rows"], board["cols"]) == (rows, cols)), None)


class MinesweeperEditor:
    """Reads texts such as `1 # F`, a row per line, and files of whole boards."""

    files: Final = {MBF: lambda data: write_mines(read_mbf(data))}

    def read(self, game: AnyGame, text: str) -> MinesweeperDraft:
        header = MINES.match(text)
        board = text if header is None else text[header.end() :]
        if MINE_MARK in board:
            return self._load_mines(board)
        numbers, flags = read_numbers(board)
        rows, cols = numbers.shape
        draft = MinesweeperDraft(rows, cols, _mines_of(game, rows, cols), numbers.tobytes(), flags.tobytes())
        return draft.set("mines", str(draft.mines) if header is None else header[1])

    def _load_mines(self, text: str) -> MinesweeperDraft:
        """A board whose mines are known, as it is once its largest opening is revealed."""
        mines = read_mines(text)
        opening = largest_opening(mines)
        numbers = np.where(opening, mine_counts(mines), HIDDEN).astype(np.int8)
        rows, cols = mines.shape
        draft = MinesweeperDraft(rows, cols, 1, numbers.tobytes(), bytes(mines.size))
        return draft.set("mines", str(int(mines.sum())))

    def of(self, game: AnyGame, view: View) -> MinesweeperDraft:
        return MinesweeperDraft(view.rows, view.cols, view.mines, view.shown, view.flagged)


def _mines_of(game: AnyGame, rows: int, cols: int) -> int:
    """How many mines a board has where the text does not say: those of the usual board of its size, or of `game`."""
    assert isinstance(game, Minesweeper)
    same, named = (rows, cols) == (game.rows, game.cols), _preset_of(rows, cols)
    mines = game.mines if same or named is None else int(spec("minesweeper").presets[named]["mines"])
    return max(1, min(mines, rows * cols - 1))


def largest_opening(mines: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool[H, W]: what the click on a zero reveals that reveals most; nothing if no cell is a zero.

    >>> largest_opening(np.array([[False, False, False, True, False]])).tolist()
    [[True, True, True, False, False]]
    """
    rows, cols = mines.shape
    near = neighbours(rows, cols)
    zeros = {*np.flatnonzero((mine_counts(mines) == 0) & ~mines).tolist()}
    largest: set[int] = set()
    while zeros:
        opening, waiting = set(), [zeros.pop()]
        while waiting:
            cell = waiting.pop()
            around = {other for other in near[cell, :-1].tolist() if other >= 0}
            opening |= {cell} | around
            waiting += around & zeros
            zeros -= around
        largest = max(largest, opening, key=len)
    revealed = np.zeros(rows * cols, np.bool_)
    revealed[[*largest]] = True
    return revealed.reshape(rows, cols)


EDITOR: Final = MinesweeperEditor()
