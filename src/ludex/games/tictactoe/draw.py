"""The board in a terminal."""

from rich import box
from rich.table import Table
from rich.text import Text

from ludex.core.agent import Decision
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.position import Position, cells_of


def draw(game: TicTacToe, view: Position, decision: Decision | None) -> Table:
    """Marks, the names of free cells and, beside them, what a decision thinks of each."""
    board = game.board
    table = Table(box=box.SQUARE, show_header=False, show_lines=True, padding=(0, 1))
    for _ in range(board.cols):
        table.add_column(justify="center", min_width=10)
    complete = [line for line in board.lines if view.theirs & line == line]
    winning = {cell for line in complete for cell in cells_of(line)}
    for row in range(board.rows):
        table.add_row(*(_cell(game, view, board.cell(row, col), winning, decision) for col in range(board.cols)))
    return table


def _cell(game: TicTacToe, view: Position, cell: int, winning: set[int], decision: Decision | None) -> Text:
    emphasis = " reverse" if cell in winning else ""
    if view.x >> cell & 1:
        return Text("X", style=f"bold cyan{emphasis}")
    if view.o >> cell & 1:
        return Text("O", style=f"bold yellow{emphasis}")
    text = Text(game.board.names[cell], style="dim")
    for candidate in decision.candidates if decision else ():
        if candidate.action == cell:
            text.append("\n" + _worth(candidate.score, candidate.terms.get("exact")), style="green")
    return text


def _worth(score: float | None, exact: float | None) -> str:
    verdict = {1.0: " win", 0.0: " draw", -1.0: " loss"}[exact] if exact is not None else ""
    return f"{'' if score is None else f'{score:+.2f}'}{verdict}".strip()
