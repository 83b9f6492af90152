"""Positions for the tests of the solver: small random ones, large ones from games."""

import random
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.games.minesweeper.agents.solving import ExactAgent
from ludex.games.minesweeper.rules.layout import mine_counts
from ludex.games.minesweeper.rules.position import View
from tests.games.minesweeper.support import game_of
from tests.reference.minesweeper import Field, Square
from tests.reference.minesweeper_layouts import Showing, layouts, showing

Numbers = NDArray[np.int8]

PRESETS = ((8, 8, 10), (9, 9, 10), (16, 16, 40), (16, 30, 99))
SMALL = ((1, 1), (1, 7), (8, 1), (2, 2), (2, 5), (3, 3), (3, 4), (4, 3), (4, 4), (2, 8), (4, 5), (5, 4))


def numbers_of(text: str) -> Numbers:
    """Rows of digits, any other character is a hidden cell.

    >>> numbers_of("1# 1#").tolist()
    [[1, -1], [1, -1]]
    """
    return np.array([[int(one) if one.isdigit() else -1 for one in row] for row in text.split()], np.int8)


def seen_of(field: Field) -> Numbers:
    shown = field.shown
    return np.array([[shown.get((row, col), -1) for col in range(field.cols)] for row in range(field.rows)], np.int8)


def view_of(field: Field) -> View:
    flags = np.array([[(row, col) in field.flags for col in range(field.cols)] for row in range(field.rows)])
    numbers = seen_of(field).tobytes()
    return View(field.rows, field.cols, len(field.mines), "none", numbers, flags.tobytes(), len(field.revealed))


def field_by_chance(rng: random.Random, rows: int, cols: int, mines: int, flags: int = 0) -> Field:
    """A field in play, reached by reveals with their floods, some flags set before and some after, right or wrong."""
    squares = [(row, col) for row in range(rows) for col in range(cols)]
    field = Field(rows, cols, mines=set(rng.sample(squares, mines)))
    safe = sorted(field.squares - field.mines)
    early = rng.randint(0, flags)
    _set_flags(rng, field, early)
    for square in rng.sample(safe, rng.randint(0, len(safe))):
        if square in field.hidden and square not in field.flags:
            field.reveal(square)
    _set_flags(rng, field, flags - early)
    return field


def _set_flags(rng: random.Random, field: Field, count: int) -> None:
    hidden = sorted(field.hidden - field.flags)
    field.flags |= set(rng.sample(hidden, min(count, len(hidden))))


def showings(numbers: Numbers, mines: int) -> list[Showing]:
    """What every cell shows in every layout that fits."""
    rows, cols = numbers.shape
    return [showing(rows, cols, layout) for layout in layouts(numbers.tolist(), mines)]


def small_positions(seed: int, count: int, shapes: tuple[Square, ...] = SMALL) -> Iterator[tuple[Numbers, int]]:
    """Numbers and mines of small fields, from untouched to all but won, with few mines and with many."""
    rng = random.Random(seed)
    for _ in range(count):
        rows, cols = rng.choice(shapes)
        mines = min(rng.randint(0, rows * cols), rng.randint(0, rows * cols))
        yield seen_of(field_by_chance(rng, rows, cols, mines)), mines


def positions_of_games(rows: int, cols: int, mines: int, start: str, seed: int, games: int) -> Iterator[Numbers]:
    """All positions but the first in games of `exact`."""
    game = game_of(rows, cols, mines, start)
    agent = ExactAgent(game)
    for number in range(games):
        match = Match(game, seed + number)
        while not match.over:
            match.carry_out(decide(match, agent, Limit()))
            if not match.over:
                yield game.view(match.state, 0).numbers


def random_mines(seed: int, rows: int, cols: int, mines: int) -> tuple[NDArray[np.bool_], Numbers]:
    """A large board: where its mines are, and the number of every cell."""
    mined: NDArray[np.bool_] = np.zeros(rows * cols, np.bool_)
    mined[random.Random(seed).sample(range(rows * cols), mines)] = True
    mined = mined.reshape(rows, cols)
    return mined, mine_counts(mined)
