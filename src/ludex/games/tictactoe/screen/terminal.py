"""The board in a terminal."""

from dataclasses import dataclass

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from ludex.core.decision import Candidate, Decision
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.rules.position import Position, cells_of

WIDEST, NARROWEST = 10, 2
"""Characters of a cell: enough for a score and a verdict, and for a name."""


@dataclass(frozen=True)
class BoardPicture:
    """Marks, the names of free cells and, below them, their values in a decision; as wide as fits."""

    game: TicTacToe
    view: Position
    decision: Decision | None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw for the width at hand: rich would hide columns that do not fit."""
        board, view = self.game.board, self.view
        # A cell has a space on either side and a border to its right.
        width = max(NARROWEST, min(WIDEST, (options.max_width - 1) // board.cols - 3))
        complete = [line for line in board.lines if view.theirs & line == line]
        winning = {cell for line in complete for cell in cells_of(line)}
        table = Table(box=box.SQUARE, show_header=False, show_lines=True, padding=(0, 1))
        for _ in range(board.cols):
            table.add_column(justify="center", min_width=width, max_width=width, no_wrap=True)
        for row in range(board.rows):
            cells = (board.cell(row, col) for col in range(board.cols))
            table.add_row(*(self._cell(cell, winning, width) for cell in cells))
        yield table

    def _cell(self, cell: int, winning: set[int], width: int) -> Text:
        emphasis = " reverse" if cell in winning else ""
        if self.view.x >> cell & 1:
            return Text("X", style=f"bold cyan{emphasis}")
        if self.view.o >> cell & 1:
            return Text("O", style=f"bold yellow{emphasis}")
        text = Text(self.game.board.names[cell], style="dim")
        for candidate in self.decision.candidates if self.decision else ():
            if candidate.action == cell:
                text.append("\n" + _worth(candidate, width), style="green")
        return text


def draw(game: TicTacToe, view: Position, decision: Decision | None) -> BoardPicture:
    """The board."""
    return BoardPicture(game, view, decision)


def _worth(candidate: Candidate, width: int) -> str:
    """As much of score and verdict as fits."""
    exact = candidate.terms.get("exact")
    verdict = "" if exact is None else {1.0: "win", 0.0: "draw", -1.0: "loss"}[exact]
    score = "" if candidate.score is None else f"{candidate.score:+.2f}"
    for text in (f"{score} {verdict}".strip(), verdict or score):
        if len(text) <= width:
            return text
    return verdict[:1].upper()
