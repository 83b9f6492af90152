"""Boards without a guess: cleared by certain reveals alone, and no such board left out."""

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from ludex.core.errors import Unsupported
from ludex.core.limit import Limit
from ludex.core.registry import make_agent
from ludex.core.seeding import generator
from ludex.games.minesweeper.options import BoardOptions
from ludex.games.minesweeper.rules.layout import HIDDEN
from ludex.games.minesweeper.rules.no_guess import NoGuessBoardNotFound, no_guess_board
from ludex.games.minesweeper.rules.position import View
from tests.games.minesweeper.support import game_of, squares_of
from tests.reference.minesweeper import Field, Square

BOARDS = [
    (8, 8, 10, "zero"),
    (9, 9, 10, "safe"),
    (16, 16, 40, "zero"),
    pytest.param(16, 30, 99, "zero", marks=pytest.mark.full),
    (1, 12, 2, "none"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols", "mines", "start"), BOARDS)
def test_the_exact_player_clears_them_without_a_guess(rows: int, cols: int, mines: int, start: str) -> None:
    options = game_of(rows, cols, mines, start).options
    rng = generator(7, 1)
    for first in (0, cols // 2, rows * cols - 1):
        board, tries = no_guess_board(options, first, rng)
        assert (board.shape, board.sum(), tries >= 1) == ((rows, cols), mines, True)
        assert _guesses(options, board, first) == 0


def _guesses(options: BoardOptions, board: NDArray[np.bool_], first: int) -> int:
    """How many reveals the exact player is not certain of, until it has cleared the board."""
    rows, cols = board.shape
    game = game_of(rows, cols, options.mines, options.start)
    agent, field = make_agent(game, "exact"), Field(rows, cols, squares_of(board))
    field.reveal(divmod(first, cols))
    guesses = 0
    while not field.won:
        assert not field.lost
        numbers = np.full((rows, cols), HIDDEN, np.int8)
        for square, number in field.shown.items():
            numbers[square] = number
        view = View(rows, cols, options.mines, options.start, numbers.tobytes(), bytes(rows * cols), 0)
        hidden = np.tile((numbers == HIDDEN).reshape(-1), 2)
        decision = agent.decide(view, hidden, rng=generator(0, 0), limit=Limit())
        guesses += decision.candidates[0].terms["safety"] < 1.0
        field.reveal(divmod(decision.action, cols))
    return guesses


@pytest.mark.slow
def test_exactly_the_boards_that_need_no_guess_are_found() -> None:
    options = BoardOptions(rows=4, cols=4, mines=3, start="zero")
    free = Field(4, 4).kept_free("zero", (0, 0))
    layouts = [frozenset(mines) for mines in combinations(sorted(Field(4, 4).squares - free), 3)]
    expected = {mines for mines in layouts if _certain(mines, layouts)}
    assert 0 < len(expected) < len(layouts)
    rng = generator(1, 1)
    boards = [frozenset(squares_of(no_guess_board(options, 0, rng)[0])) for _ in range(20 * len(expected))]
    assert set(boards) == expected


def _certain(mines: frozenset[Square], layouts: list[frozenset[Square]]) -> bool:
    """Whether the board is cleared from the corner by squares that are safe in every layout with the same numbers."""
    board = Field(4, 4, set(mines))
    board.reveal((0, 0))
    while not board.won:
        shown = board.shown
        fitting = [
            other
            for other in layouts
            if not other & set(shown) and all(len(board.near(one) & other) == number for one, number in shown.items())
        ]
        safe = board.hidden - frozenset().union(*fitting)
        if not safe:
            return False
        board.reveal(min(safe))
    return True


def test_a_search_in_vain_ends() -> None:
    options = BoardOptions(rows=2, cols=2, mines=2, start="safe")
    with pytest.raises(NoGuessBoardNotFound, match="None of 250 layouts of 2 mines on 2×2 cells") as error:
        no_guess_board(options, 0, generator(0, 1), most_tries=250)
    assert isinstance(error.value, Unsupported)


def test_a_cell_that_is_not_there() -> None:
    with pytest.raises(ValueError, match=r"0\.\.63, found 64"):
        no_guess_board(BoardOptions(), 64, generator(0, 1))
