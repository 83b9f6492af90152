"""The end of a game: its solutions, its exact tree against best play, and guesses that nothing can spare."""

import math
from math import log

import numpy as np
import pytest
from numpy.typing import NDArray

from ludex.games.minesweeper.agents.search.solutions import EXPLODES, MOST_SOLUTIONS, MOST_UNKNOWN
from ludex.games.minesweeper.agents.search.tree import GAVE_UP
from ludex.games.minesweeper.rules.inference.forced_moves import proofs
from ludex.games.minesweeper.rules.inference.probabilities import assess_position, mine_probabilities
from tests.games.minesweeper.rules.inference.harness import harness
from tests.games.minesweeper.rules.inference.support import Numbers, numbers_of, showings, small_positions
from tests.reference.minesweeper_layouts import BestPlay, Showing


def as_shown(layouts_shown: list[Showing]) -> NDArray[np.uint8]:
    return np.array(
        [[EXPLODES if content is None else content for content in layout] for layout in layouts_shown], np.uint8
    )


@pytest.mark.slow
def test_tree_wins_what_the_best_play_wins() -> None:
    checked, guesses = 0, 0
    for numbers, mines in small_positions(seed=21, count=1500, shapes=((3, 3), (3, 4), (2, 6), (4, 4), (1, 9), (4, 3))):
        # Solutions are listed where no rule finds a safe cell: what it would show is not among the columns.
        if assess_position(numbers, mines)[1] > log(24) or any(proof.kind == "reveal" for proof in proofs(numbers)):
            continue
        rows, cells = harness().listed(numbers, mines)
        if len(rows) < 2:
            continue
        column, won = harness().searched(rows)
        play, layouts_shown = BestPlay(), showings(numbers, mines)
        assert won == play.won(layouts_shown), (numbers, mines)
        assert won == play.won_after(layouts_shown, cells[column]), (numbers, mines, cells[column])
        checked += 1
        guesses += len(rows) > 2
    assert checked >= 200
    assert guesses >= 100


def test_tree_reads_nothing_but_what_cells_show() -> None:
    """Columns and solutions in any order, with columns without information: the same value."""
    rng = np.random.default_rng(3)
    layouts_shown = showings(np.full((3, 3), -1, np.int8), 2)
    rows = as_shown(layouts_shown)
    for _ in range(20):
        mixed = rng.permutation(rng.permutation(rows, axis=0), axis=1)
        padded = np.insert(mixed, 4, rng.integers(0, 10), axis=1)
        assert harness().searched(padded)[1] == 24


def test_two_solutions_without_a_clue_are_one_win() -> None:
    assert harness().searched(np.array([[9, 1], [1, 9]], np.uint8)) == (0, 1)


def test_an_informative_guess_is_preferred_to_a_safer_one_without_information() -> None:
    """The first cell is safe in three of four and shows the same; the second splits them all."""
    rows = np.array([[1, 0], [1, 1], [1, 2], [9, 9]], np.uint8)
    assert harness().searched(rows) == (1, 3)


def test_tree_gives_up_beyond_the_nodes_it_may_visit() -> None:
    rows = as_shown(showings(np.full((4, 4), -1, np.int8), 3))
    column, won = harness().searched(rows)
    nodes = harness().nodes()
    assert column >= 0
    assert won > 0
    assert nodes > 100
    assert harness().searched(rows, nodes) == (column, won)
    assert harness().searched(rows, nodes - 1) == (GAVE_UP, GAVE_UP)
    assert harness().searched(rows, 1) == (GAVE_UP, GAVE_UP)


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
    count = 0
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
        count += len(possible) > ways
    assert count >= 5


def wanted(numbers: Numbers, mines: int, cells: list[int]) -> list[tuple[int, ...]]:
    """What these cells show in every layout, sorted."""
    rows = showings(numbers, mines)
    return sorted(tuple(EXPLODES if (what := one[cell]) is None else what for cell in cells) for one in rows)


@pytest.mark.slow
def test_every_layout_is_written_down_once() -> None:
    sizes = set()
    for numbers, mines in small_positions(seed=11, count=700):
        if math.comb(int((numbers < 0).sum()), mines) > 500:
            continue
        rows, cells = harness().listed(numbers, mines)
        assert sorted(map(tuple, rows.tolist())) == wanted(numbers, mines, cells), (numbers, mines)
        known = {cell for cell, p in enumerate(mine_probabilities(numbers, mines).flat) if not 0.0 < p < 1.0}
        assert len(set(cells)) == len(cells)
        assert known | set(cells) == set(range(numbers.size))
        sizes.add(len(rows))
    assert len(sizes) > 30
    assert max(sizes) > 200


def test_too_many_solutions_are_not_cut_short() -> None:
    """All layouts of a row of hidden cells: as many as fit, and one cell more."""
    cells = next(n for n in range(1, 999) if math.comb(n + 1, 3) > MOST_SOLUTIONS)
    row = np.full((1, cells), -1, np.int8)
    assert len(harness().listed(row, 3)[0]) == math.comb(cells, 3)
    assert not harness().fits(np.full((1, cells + 1), -1, np.int8), 3)


def test_too_many_cells_are_not_cut_short() -> None:
    assert len(harness().listed(np.full((1, MOST_UNKNOWN), -1, np.int8), 1)[1]) == MOST_UNKNOWN
    assert not harness().fits(np.full((1, MOST_UNKNOWN + 1), -1, np.int8), 1)
