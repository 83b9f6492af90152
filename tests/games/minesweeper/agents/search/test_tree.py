"""The exact end of a game, against best play that tries every square of every set of layouts."""

from math import log

import numpy as np
import pytest
from numpy.typing import NDArray

from ludex.games.minesweeper.agents.search.solutions import EXPLODES
from ludex.games.minesweeper.agents.search.tree import GAVE_UP
from ludex.games.minesweeper.rules.inference.forced_moves import proofs
from ludex.games.minesweeper.rules.inference.probabilities import assess_position
from tests.games.minesweeper.rules.inference.harness import harness
from tests.games.minesweeper.rules.inference.support import showings, small_positions
from tests.reference.minesweeper_layouts import BestPlay, Showing


def as_shown(layouts_shown: list[Showing]) -> NDArray[np.uint8]:
    return np.array([[EXPLODES if one is None else one for one in layout] for layout in layouts_shown], np.uint8)


@pytest.mark.slow
def test_tree_wins_what_the_best_play_wins() -> None:
    checked, guesses = 0, 0
    for numbers, mines in small_positions(seed=21, count=1500, shapes=((3, 3), (3, 4), (2, 6), (4, 4), (1, 9), (4, 3))):
        # Solutions are listed where no rule finds a safe cell: what it would show is not among the columns.
        if assess_position(numbers, mines)[1] > log(24) or any(one.kind == "reveal" for one in proofs(numbers)):
            continue
        shown, cells = harness().listed(numbers, mines)
        if len(shown) < 2:
            continue
        column, won = harness().searched(shown)
        play, layouts_shown = BestPlay(), showings(numbers, mines)
        assert won == play.won(layouts_shown), (numbers, mines)
        assert won == play.won_after(layouts_shown, cells[column]), (numbers, mines, cells[column])
        checked += 1
        guesses += len(shown) > 2
    assert checked >= 200
    assert guesses >= 100


def test_tree_reads_nothing_but_what_cells_show() -> None:
    """Columns and solutions in any order, with columns without information: the same value."""
    rng = np.random.default_rng(3)
    layouts_shown = showings(np.full((3, 3), -1, np.int8), 2)
    shown = as_shown(layouts_shown)
    for _ in range(20):
        mixed = rng.permutation(rng.permutation(shown, axis=0), axis=1)
        padded = np.insert(mixed, 4, rng.integers(0, 10), axis=1)
        assert harness().searched(padded)[1] == 24


def test_two_solutions_without_a_clue_are_one_win() -> None:
    assert harness().searched(np.array([[9, 1], [1, 9]], np.uint8)) == (0, 1)


def test_an_informative_guess_is_preferred_to_a_safer_one_without_information() -> None:
    """The first cell is safe in three of four and shows the same; the second splits them all."""
    shown = np.array([[1, 0], [1, 1], [1, 2], [9, 9]], np.uint8)
    assert harness().searched(shown) == (1, 3)


def test_tree_gives_up_beyond_the_nodes_it_may_visit() -> None:
    shown = as_shown(showings(np.full((4, 4), -1, np.int8), 3))
    column, won = harness().searched(shown)
    nodes = harness().nodes()
    assert column >= 0
    assert won > 0
    assert nodes > 100
    assert harness().searched(shown, nodes) == (column, won)
    assert harness().searched(shown, nodes - 1) == (GAVE_UP, GAVE_UP)
    assert harness().searched(shown, 1) == (GAVE_UP, GAVE_UP)
