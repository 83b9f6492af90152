"""What the tests of rules and environments share: games, and fields of the reference beside positions."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.core.registry import make
from ludex.core.seeding import generator
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.layout import FLAG, MINE, REVEALED, has_bit
from ludex.games.minesweeper.rules.position import Position
from tests.reference.minesweeper import Field, Square

SHAPES = ((8, 8, 10), (9, 9, 10), (3, 3, 1), (1, 9, 3), (7, 1, 2), (4, 6, 12), (2, 5, 1), (16, 30, 99), (5, 5, 16))
"""Rows, columns and mines, among them lines, dense fields and the experts' board."""


@cache
def game_of(rows: int, cols: int, mines: int, start: str = "safe", random_first_click: bool = False) -> Minesweeper:
    game = make("minesweeper", rows=rows, cols=cols, mines=mines, start=start, random_first_click=random_first_click)
    assert isinstance(game, Minesweeper)
    return game


def squares_of(cells: NDArray[Any]) -> set[Square]:
    """Where an array [rows, cols] is true."""
    return {(int(row), int(col)) for row, col in np.argwhere(cells)}


def field_of(cells: NDArray[np.uint8]) -> Field:
    """The reference's field of packed cells [rows, cols]."""
    rows, cols = cells.shape
    return Field(rows, cols, *(squares_of(has_bit(cells, bit)) for bit in (MINE, REVEALED, FLAG)))


def cells_of(game: Minesweeper, state: Position) -> NDArray[np.uint8]:
    return np.frombuffer(state.cells, np.uint8).reshape(game.rows, game.cols)


def game_and_position(text: str, start: str = "none") -> tuple[Minesweeper, Position]:
    """A game and a position written down in rows of the characters that a dump has."""
    rows = text.split()
    mines = sum(character in "*FX" for row in rows for character in row)
    game = game_of(len(rows), len(rows[0]), mines, start)
    plies = sum(character not in ".*" for row in rows for character in row) + 2 * game.cells
    return game, game.load({"cells": "".join(rows), "plies": min(plies, game.info.max_plies - 1)})


def played(game: Minesweeper, state: Position, *texts: str) -> Position:
    for text in texts:
        state = game.apply(state, game.parse_action(state, text), generator(1, state.plies + 1))
    return state


def drawn(game: Minesweeper, state: Position) -> list[str]:
    """The position in the rows that a dump has."""
    dumped = game.dump(state)
    assert isinstance(dumped, dict)
    text = str(dumped["cells"])
    return [text[row * game.cols : (row + 1) * game.cols] for row in range(game.rows)]
