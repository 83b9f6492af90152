"""The position as browsers draw it. Cells are numbered as on the board: row by row from the top left."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from ludex.core.game import Action, Json, Mask, legal_actions
from ludex.core.messages import Message
from ludex.core.scene import Board, Cell, Layer, Line, Move, Panel, Piece, Scene
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.rules.board import MnkBoard, to_state_key
from ludex.games.tictactoe.rules.position import Position, cells_of
from ludex.games.tictactoe.rules.symmetry import Symmetry

SHORTCUTS: Final = ("winIn1", "blockIn1", "doubleThreat")
"""The ranking's telemetry flags of moves that were not chosen by Q."""

MARKS: Final = {
    "X": (Piece(symbol="cross", colour="p1", label="X"),),
    "O": (Piece(symbol="ring", colour="p2", label="O"),),
    "E": (),
}
LAYERS: Final = (Layer(name="q", format="signed"), Layer(name="exact", format="outcome"))
MOST_BOARDS: Final = 16
"""Boards whose cells and moves are made once."""
MOST_POSITIONS: Final = 1_024
"""Positions whose canonical image is remembered: those of openings come again in every match."""
REASONS: Final = {"line": Message("tictactoe.reason_line"), "board full": Message("tictactoe.reason_board_full")}


def scene(game: TicTacToe, view: Position, legal: Mask) -> Scene:
    """Marks, complete lines, the free cells that may be marked, and the canonical image with its transform."""
    board = game.board
    lines = tuple(Line(cells=tuple(cells_of(line))) for line in board.lines if view.theirs & line == line)
    return Scene(
        board=_draw_board(board, to_state_key(board, view), lines),
        moves=tuple(_moves(board)[cell] for cell in legal_actions(legal)),
        placed=(*MARKS["X"], *MARKS["O"]),
        layers=LAYERS,
        panels=(_canonical(board, view),),
        players=("X", "O"),
        reasons=REASONS,
    )


def counters(game: TicTacToe, state: Position, action: Action, stats: Mapping[str, Json]) -> dict[str, int]:
    """The shortcuts that fired for an agent's move, one each."""
    return {name: 1 for name in SHORTCUTS if stats.get(name) is True}


def _draw_board(board: MnkBoard, key: str, lines: tuple[Line, ...] = ()) -> Board:
    cells = tuple(marked[mark] for marked, mark in zip(_cells(board), key, strict=True))
    return Board(label=_label(board), cells=cells, lines=lines)


@lru_cache(maxsize=MOST_BOARDS)
def _label(board: MnkBoard) -> Message:
    return Message("tictactoe.board_label", {"rows": board.rows, "cols": board.cols, "k": board.k})


@lru_cache(maxsize=MOST_BOARDS)
def _cells(board: MnkBoard) -> tuple[dict[str, Cell], ...]:
    """Every cell of a board with each mark."""
    return tuple(
        {
            mark: Cell(row=cell // board.cols, col=cell % board.cols, name=name, pieces=pieces)
            for mark, pieces in MARKS.items()
        }
        for cell, name in enumerate(board.names)
    )


@lru_cache(maxsize=MOST_BOARDS)
def _moves(board: MnkBoard) -> tuple[Move, ...]:
    """The move of every cell."""
    return tuple(Move(text=name, cells=(cell,)) for cell, name in enumerate(board.names))


@lru_cache(maxsize=MOST_POSITIONS)
def _canonical(board: MnkBoard, view: Position) -> Panel:
    canonical = Symmetry(board).canonical(view)
    transform = Message(f"tictactoe.figure_{canonical.transform}")
    return Panel(
        title=Message("tictactoe.canonical"),
        code=canonical.key,
        lines=(
            Message("tictactoe.transform", {"words": transform, "name": canonical.transform}),
            Message("tictactoe.canonical_why"),
        ),
        board=_draw_board(board, canonical.key),
        details=True,
    )
