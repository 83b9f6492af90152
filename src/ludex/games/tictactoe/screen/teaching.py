"""The rules of a board in words and pictures, what can be done now, and a tutorial."""

from ludex.core.game import Mask
from ludex.core.illustration import PositionSpec
from ludex.core.messages import Message
from ludex.core.rulebook import Rulebook, RuleSection
from ludex.core.tutorial import StepSpec, TurnSpec, Tutorial
from ludex.games.tictactoe.game import TicTacToe
from ludex.games.tictactoe.rules.board import MnkBoard
from ludex.games.tictactoe.rules.position import Position

_DRAW = ("b2", "a1", "a3", "c1", "b1", "b3", "c2", "a2", "c3")
"""A drawn game of 3x3."""


def rulebook(game: TicTacToe) -> Rulebook:
    """Turns, lines, blocks and the draw, in pictures of this board."""
    board = game.board
    line = _line(board)
    drawn = (board.rows, board.cols, board.k) == (3, 3, 3)
    return Rulebook(
        sections=(
            _section(game, "turns", (board.names[board.rows // 2 * board.cols + board.cols // 2], board.names[0])),
            _section(game, "line", line),
            _section(game, "block", line[:-2], cells=(board.names.index(line[-1]),)),
            _section(game, "draw", _DRAW if drawn else None),
            _section(game, "notation", None),
        )
    )


def _section(game: TicTacToe, name: str, moves: tuple[str, ...] | None, cells: tuple[int, ...] = ()) -> RuleSection:
    board = game.board
    sizes = {"rows": board.rows, "cols": board.cols, "k": board.k, "cells": board.rows * board.cols}
    return RuleSection(
        title=Message(f"tictactoe.rules_{name}_title"),
        text=Message(f"tictactoe.rules_{name}_text", sizes),
        picture=None if moves is None else PositionSpec(board=game.info.preset, moves=moves, cells=cells),
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


def _step(name: str, moves: str, *turns: TurnSpec, cells: tuple[int, ...] = ()) -> StepSpec:
    position = PositionSpec(board="3x3x3", moves=tuple(moves.split()), cells=cells)
    return StepSpec(name=name, position=position, turns=turns)


TUTORIAL = Tutorial(
    steps=(
        _step("first", "", TurnSpec(accept=("b2",)), cells=(4,)),
        _step("win", "a1 a3 b1 c2", TurnSpec(accept=("c1",)), cells=(6, 7)),
        _step("diagonal", "b2 b1 a1 b3", TurnSpec(accept=("c3",))),
        _step("block", "a1 b2 c2 b3", TurnSpec(accept=("b1",)), cells=(1, 4)),
        _step("before", "a1 a3 b1 b3", TurnSpec(accept=("c1",), refuse={"c3": "blocks"})),
        _step("fork", "a3 b2 c1 c3", TurnSpec(accept=("a1",), reply=("a2",)), TurnSpec(accept=("b1",))),
        _step("corner", "a1", TurnSpec(accept=("b2",), refuse={"c3": "opposite"})),
    )
)
