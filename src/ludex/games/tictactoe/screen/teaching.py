"""The rules of a board in words and pictures, what can be done now, and a tutorial."""

from ludex.core.game import Mask
from ludex.core.illustration import PositionSpec
from ludex.core.messages import Message
from ludex.core.rulebook import Rulebook
from ludex.core.tutorial import Tutorial
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.rules.board import MnkBoard
from ludex.games.tictactoe.rules.position import Position
from ludex.kit.teaching import rulebook as grid_rulebook
from ludex.kit.teaching import step, turn

SMALL = "3x3x3"

_DRAW = ("b2", "a1", "a3", "c1", "b1", "b3", "c2", "a2", "c3")
"""A drawn game of 3x3."""


def rulebook(game: TicTacToe) -> Rulebook:
    """Turns, lines, blocks and the draw, in pictures of this board."""
    board = game.board
    line = _line(board)
    drawn = (board.rows, board.cols, board.k) == (3, 3, 3)

    def picture(*moves: str, cells: tuple[int, ...] = ()) -> PositionSpec:
        return PositionSpec(board=game.info.preset, moves=moves, cells=cells)

    return grid_rulebook(
        game,
        sizes={"rows": board.rows, "cols": board.cols, "k": board.k, "cells": board.cells},
        turns=picture(board.names[board.rows // 2 * board.cols + board.cols // 2], board.names[0]),
        line=picture(*line),
        block=picture(*line[:-2], cells=(board.names.index(line[-1]),)),
        draw=picture(*_DRAW) if drawn else None,
        notation=None,
    )


def _line(board: MnkBoard) -> tuple[str, ...]:
    """Moves with which X completes the lowest row, or the first column where a row is too short."""
    across = board.cols >= board.k
    first = (board.rows - 1) * board.cols if across else 0
    step, aside = (1, -board.cols) if across else (board.cols, 1)
    marks = [first + step * place for place in range(board.k)]
    both = [cell for mark in marks for cell in (mark, mark + aside)]
    return tuple(board.names[cell] for cell in both[:-1])


def coach(game: TicTacToe, view: Position, legal: Mask) -> Message:
    """What the player to move can do, without advice: that would be a hint."""
    name = "coach_begin" if view.taken == 0 else "coach_mark"
    return Message(f"tictactoe.{name}", {"k": game.board.k, "mark": "XO"[view.turn]})


TUTORIAL = Tutorial(
    steps=(
        step("first", SMALL, "", turn("b2"), cells=(4,)),
        step("win", SMALL, "a1 a3 b1 c2", turn("c1"), cells=(6, 7)),
        step("diagonal", SMALL, "b2 b1 a1 b3", turn("c3")),
        step("block", SMALL, "a1 b2 c2 b3", turn("b1"), cells=(1, 4)),
        step("before", SMALL, "a1 a3 b1 b3", turn("c1", blocks="c3")),
        step("fork", SMALL, "a3 b2 c1 c3", turn("a1", reply="a2"), turn("b1")),
        step("corner", SMALL, "a1", turn("b2", opposite="c3")),
    )
)
