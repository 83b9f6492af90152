"""The board for players that read."""

from dataclasses import dataclass
from typing import Final

from ludex.core.game import Json, Player
from ludex.core.text import Grid, new_names, rename, rulebook_text
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.rules.position import Position

MARKS: Final = ("X", "O")
FREE: Final = "."


@dataclass(frozen=True)
class BoardText:
    """Marks in a grid; their letters, the names of cells and the turn of the board follow from the naming."""

    game: TicTacToe
    grid: Grid
    names: dict[str, str]

    def rules(self) -> str:
        rules = rename(rulebook_text(self.game, ("turns", "line", "draw")), self.names)
        example = self.grid.name(0, 0)
        return (
            f"{rules}\nA move is the name of the square: that of its column, then that of its row, such as {example}. "
            f"A free square is drawn as {FREE}"
        )

    def player(self, player: Player) -> str:
        return self.names[MARKS[player]]

    def board(self, view: Position) -> str:
        return self.grid.draw(lambda row, col: self._mark(view, row, col))

    def document(self, view: Position) -> Json:
        return {"squares": self.grid.document(lambda row, col: self._mark(view, row, col)), "free": FREE}

    def write(self, move: str) -> str:
        return self.grid.name(*divmod(self.game.board.cell_of_name[move], self.game.board.cols))

    def read(self, text: str) -> str:
        row, col = self.grid.cell(text)
        return self.game.board.names[self.game.board.cell(row, col)]

    def _mark(self, view: Position, row: int, col: int) -> str:
        cell = self.game.board.cell(row, col)
        marks = [mark for mark, cells in zip(MARKS, (view.x, view.o), strict=True) if cells >> cell & 1]
        return self.names[marks[0]] if marks else FREE


def text(game: TicTacToe, naming: int | None) -> BoardText:
    """The texts of a board."""
    grid = Grid(game.board.rows, game.board.cols, naming, upwards=True, transposes=True)
    return BoardText(game, grid, new_names(MARKS, naming, "CDKMQRSTUWZ"))
