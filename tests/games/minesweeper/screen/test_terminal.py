"""The board as a terminal shows it."""

import re

import pytest
from rich.console import Console

from ludex.core.decision import Decision
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.position import Position
from ludex.games.minesweeper.screen.terminal import draw
from tests.games.minesweeper.support import game_and_position, game_of, played


def shown(
    game: Minesweeper, state: Position, decision: Decision | None = None, width: int = 100, colour: bool = False
) -> str:
    console = Console(width=width, force_terminal=colour, color_system="truecolor" if colour else None)
    with console.capture() as capture:
        console.print(draw(game, game.view(state, 0), decision))
    return capture.get()


def lines(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_numbers_flags_and_hidden_cells_stand_in_their_places() -> None:
    game, state = game_and_position("1*. ... ...")
    state = played(game, state, "b1!", "c3")
    assert lines(shown(game, state)) == [
        ["a", "b", "c"],
        ["1", "1", "⚑", "■"],
        ["2", "1", "1", "1"],
        ["3"],
        ["mines", "1,", "flags", "1,", "safe", "cells", "to", "reveal", "1"],
    ]


def test_at_the_end_every_mine_shows_and_wrong_flags_too() -> None:
    game, state = game_and_position("2*. *.. 1.. ...")
    over = played(game, state, "c4!", "b1!", "a2")
    assert lines(shown(game, over))[1:5] == [
        ["1", "2", "⚑", "■"],
        ["2", "*", "■", "■"],
        ["3", "1", "■", "■"],
        ["4", "■", "■", "x"],
    ]
    assert "\x1b[1;37;41m*" in shown(game, over, colour=True)


def test_a_decision_shows_its_probabilities_and_its_choice() -> None:
    game, state = game_and_position("1*. ... ...")
    overlay = (None, 1.0, 0.001, 0.0, 0.25, 0.999, 0.5, 0.07, 0.33)
    decision = Decision(action=3, overlay={"mine": overlay})
    assert lines(shown(game, state, decision))[1:4] == [
        ["1", "1", "!!", "1"],
        ["2", "0", "25", "99"],
        ["3", "50", "7", "33"],
    ]
    assert re.search(r"\x1b\[1;7;32m0", shown(game, state, decision, colour=True))


@pytest.mark.parametrize(("rows", "cols", "mines"), [(8, 8, 10), (9, 9, 10), (16, 16, 40), (16, 30, 99), (5, 64, 40)])
@pytest.mark.parametrize("width", [100, 80])
def test_every_board_fits(rows: int, cols: int, mines: int, width: int) -> None:
    game = game_of(rows, cols, mines)
    state = game.load({"cells": "." * (rows * cols), "plies": 0})
    decision = Decision(action=0, overlay={"mine": (0.5,) * (rows * cols)})
    for text in (shown(game, state, width=width), shown(game, state, decision, width)):
        assert max(map(len, text.splitlines())) <= width
        assert len(text.splitlines()) == rows + 2 + (3 * cols + 3 > width and 2 * cols + 3 > width)
    assert shown(game, state, width=width).count("■") == rows * cols
