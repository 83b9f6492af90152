"""Guesses that nothing can spare: found where they are, and never a loss."""

import math

import pytest

from ludex.games.minesweeper.rules.inference.probabilities import assess_position
from tests.games.minesweeper.rules.inference.harness import harness
from tests.games.minesweeper.rules.inference.support import numbers_of, showings, small_positions
from tests.reference.minesweeper_layouts import BestPlay

NONE = (-1, 0, 0)


@pytest.mark.parametrize(
    ("text", "mines", "cells", "won", "all_ways"),
    [
        # The corner above two mines: a1 or a2. A wall of mines hides the rest.
        ("#12##### #34##### ##4##### 224##### 002#####", 13, {0, 8}, 1, 2),
        # a1 or a3, between walls of mines.
        ("##4##### 4#6##### ##4#####", 9, {0, 16}, 1, 2),
        # The two lowest lines: two mines or three, and no plan would do better by knowing how many.
        ("##3## #66## ##### #5#4# ##11#", 14, {19}, 2, 6),
    ],
)
def test_a_fifty_fifty_beside_an_open_board_is_found(
    text: str, mines: int, cells: set[int], won: int, all_ways: int
) -> None:
    cell, found_won, found_ways = harness().closed(numbers_of(text), mines)
    assert cell in cells
    assert (found_won, found_ways) == (won, all_ways)


@pytest.mark.parametrize(
    ("text", "mines"),
    [
        # a3 touches a4, which is unknown: a4 will reveal more.
        ("##4##### 4#6##### ##6##### ##6##### ##4#####", 15),
        # a1 and a5 are mines, or a3 alone: the number of mines will decide.
        ("##4##### 4#6##### ##6##### 4#6##### ##4#####", 15),
        ("#1####", 2),
        ("#####", 2),
    ],
)
def test_what_may_still_be_revealed_is_not_guessed_early(text: str, mines: int) -> None:
    assert harness().closed(numbers_of(text), mines) == NONE


def test_a_search_beyond_its_nodes_is_no_guess() -> None:
    assert harness().closed(numbers_of("##4##### 4#6##### ##4#####"), 9, most_nodes=0) == NONE


@pytest.mark.slow
def test_to_guess_at_once_never_costs_a_win() -> None:
    found = 0
    for numbers, mines in small_positions(seed=31, count=2500, shapes=((3, 5), (4, 4), (4, 5), (2, 7), (1, 12))):
        probability, log_count = assess_position(numbers, mines)
        if not 0 < log_count < math.log(24) or (probability == 0.0).any():
            continue
        cell, won, ways = harness().closed(numbers, mines)
        if cell < 0:
            continue
        possible, play = showings(numbers, mines), BestPlay()
        assert 0 < won < ways
        assert play.won_after(possible, cell) == play.won(possible), (numbers, mines, cell)
        found += len(possible) > ways
    assert found >= 5
