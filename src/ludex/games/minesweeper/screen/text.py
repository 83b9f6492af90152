"""The board for players that read."""

from dataclasses import dataclass
from typing import Final

from ludex.core.game import Json, Player
from ludex.core.text import Grid, new_names, rulebook_text, split_cell
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.layout import HIDDEN
from ludex.games.minesweeper.rules.notation import FLAG_MARK, action_names, action_of
from ludex.games.minesweeper.rules.position import View

MARKS: Final = ("#", "F")
"""A hidden cell, and one with a flag."""


@dataclass(frozen=True)
class BoardText:
    """Numbers, hidden cells and flags in a grid; marks, names and the turn of the board follow from the naming."""

    game: Minesweeper
    grid: Grid
    names: dict[str, str]

    def rules(self) -> str:
        hidden, flag = (self.names[mark] for mark in MARKS)
        options = self.game.options
        start = "start_given" if options.no_guess else f"start_{options.start}"
        example = self.grid.name(0, 0)
        return (
            f"{rulebook_text(self.game, ('goal', start))}\n"
            "A revealed cell shows how many of its up to eight neighbours are mines; where that is 0, its neighbours "
            "open by themselves. A flag is a note for yourself and decides nothing; the game ends after "
            f"{self.game.info.max_plies} moves at the latest.\n"
            f"A hidden cell is drawn as {hidden}, one with a flag as {flag}. A move is the name of a cell, that of its "
            f"column, then that of its row: {example} reveals that cell, {example}{FLAG_MARK} sets or removes its flag"
        )

    def player(self, player: Player) -> str:
        return "the only player"

    def board(self, view: View) -> str:
        drawn = self.grid.draw(lambda row, col: self._mark(view, row, col))
        begin = "" if self._start(view) is None else f"\nBegin at {self._start(view)}"
        return f"{drawn}\nMines: {view.mines}, flags: {int(view.flags.sum())}{begin}"

    def document(self, view: View) -> Json:
        cells = self.grid.document(lambda row, col: self._mark(view, row, col))
        start = {} if view.start_cell is None else {"start": self._start(view)}
        return {"cells": cells, "mines": view.mines, "flags": int(view.flags.sum()), **start}

    def _start(self, view: View) -> str | None:
        """The given start cell until it is revealed."""
        if view.start_cell is None or view.numbers.flat[view.start_cell] != HIDDEN:
            return None
        return self.grid.name(*divmod(view.start_cell, self.game.cols))

    def write(self, move: str) -> str:
        action = action_of(move, self.game.rows, self.game.cols)
        name = self.grid.name(*divmod(action % self.game.cells, self.game.cols))
        return name + FLAG_MARK if action >= self.game.cells else name

    def read(self, text: str) -> str:
        name, mark = split_cell(text)
        row, col = self.grid.cell(name)
        return action_names(self.game.rows, self.game.cols)[row * self.game.cols + col] + mark

    def _mark(self, view: View, row: int, col: int) -> str:
        number = int(view.numbers[row, col])
        if number != HIDDEN:
            return str(number)
        return self.names[MARKS[bool(view.flags[row, col])]]


def text(game: Minesweeper, naming: int | None) -> BoardText:
    """The texts of a board."""
    grid = Grid(game.rows, game.cols, naming, upwards=False, transposes=True)
    return BoardText(game, grid, new_names(MARKS, naming, "?@&%=+~"))
