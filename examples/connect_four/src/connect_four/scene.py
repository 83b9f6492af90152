"""The board for people: in a terminal and in a browser."""

from connect_four.game import LETTERS, ConnectFour, Position
from ludex.core.decision import Decision
from ludex.core.game import Mask, legal_actions
from ludex.core.scene import Board, Cell, Line, Move, Piece, Scene

STONES = (Piece(colour="p1", label="blue"), Piece(colour="p2", label="orange"))


def stone(game: ConnectFour, view: Position, row: int, col: int) -> int | None:
    """The player whose stone lies on a cell; row 0 is the lowest."""
    bit = 1 << game.bit(row, col)
    if not view.stones & bit:
        return None
    mover = game.to_move(view)
    return mover if view.mover & bit else 1 - mover


def draw(game: ConnectFour, view: Position, decision: Decision | None) -> str:
    """The board as text."""
    marks = {0: "x", 1: "o", None: "."}
    rows = [[marks[stone(game, view, row, col)] for col in range(game.cols)] for row in reversed(range(game.rows))]
    return "\n".join(" ".join(row) for row in [*rows, list(LETTERS[: game.cols])])


def scene(game: ConnectFour, view: Position, legal: Mask) -> Scene:
    """The board for a browser: a click anywhere in a column drops a stone."""

    def index(row: int, col: int) -> int:
        return (game.rows - 1 - row) * game.cols + col

    def cell(row: int, col: int) -> Cell:
        owner = stone(game, view, row, col)
        pieces = () if owner is None else (STONES[owner],)
        return Cell(row=game.rows - 1 - row, col=col, name=f"{LETTERS[col]}{row + 1}", pieces=pieces)

    moves = []
    for col in legal_actions(legal):
        free = [row for row in range(game.rows) if stone(game, view, row, col) is None]
        moves += [Move(text=LETTERS[col], cells=(index(row, col),), at=index(free[0], col)) for row in free]
    cells = [cell(row, col) for row in reversed(range(game.rows)) for col in range(game.cols)]
    lines = [Line(cells=tuple(index(row, col) for row, col in four)) for four in fours(game, view)]
    board = Board(label=f"Board of {game.rows} rows and {game.cols} columns", cells=tuple(cells), lines=tuple(lines))
    return Scene(board=board, moves=tuple(moves), placed=STONES, players=("Blue", "Orange"))


def fours(game: ConnectFour, view: Position) -> list[list[tuple[int, int]]]:
    """The winning fours as rows and columns."""
    last, marks = view.mover ^ view.stones, []
    for rise, run in ((1, 0), (0, 1), (-1, 1), (1, 1)):
        for row in range(game.rows):
            for col in range(game.cols):
                four = [(row + rise * step, col + run * step) for step in range(4)]
                inside = all(0 <= r < game.rows and 0 <= c < game.cols for r, c in four)
                if inside and all(last >> game.bit(r, c) & 1 for r, c in four):
                    marks.append(four)
    return marks
