"""The data a screen draws a position from. Cells are numbered as on the board: row by row from the top left."""

from collections.abc import Mapping

from ludex.core.game import Action, Json, Mask, legal_actions
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.rules.position import Position, cells_of
from ludex.games.tictactoe.rules.state_key import to_state_key
from ludex.games.tictactoe.rules.symmetry import Symmetry

SHORTCUTS = ("winIn1", "blockIn1", "doubleThreat")
"""The ranking's telemetry flags of moves that were not chosen by Q."""


def stage(game: TicTacToe) -> dict[str, Json]:
    """The board and the names of its cells."""
    board = game.board
    return {"rows": board.rows, "cols": board.cols, "k": board.k, "names": list(board.names)}


def scene(game: TicTacToe, view: Position, legal: Mask) -> dict[str, Json]:
    """Marks, complete lines, the free cells that may be marked, and the canonical image with its transform."""
    board = game.board
    canonical = Symmetry(board).canonical(view)
    return {
        "cells": _marks(to_state_key(board, view)),
        "lines": [list(cells_of(line)) for line in board.lines if view.theirs & line == line],
        "legal": list(legal_actions(legal)),
        "canonical": {"key": canonical.key, "transform": canonical.transform, "cells": _marks(canonical.key)},
    }


def counters(game: TicTacToe, state: Position, action: Action, stats: Mapping[str, Json]) -> dict[str, int]:
    """The shortcuts that fired for an agent's move, one each."""
    return {name: 1 for name in SHORTCUTS if stats.get(name) is True}


def _marks(key: str) -> list[Json]:
    return [None if mark == "E" else mark for mark in key]
