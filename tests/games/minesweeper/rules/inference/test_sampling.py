"""Layouts drawn for a view: every one that fits is drawn, and all of them equally often."""

from collections import Counter

import numpy as np
import pytest
from scipy.special import chdtrc

from ludex.core.conformance.fingerprint import fingerprint
from ludex.core.errors import LudexError
from ludex.core.seeding import generator
from ludex.games.minesweeper.rules.inference.sampling import LayoutSampler
from tests.games.minesweeper.support import game_of
from tests.reference.minesweeper_layouts import layouts

BOARDS = {
    "one component": ("#1#\n###\n###", 3),
    "two components": ("1###1\n#####\n#####", 3),
    "components with too many mines together": ("#1#1###1#1#", 3),
    "certain mines": ("01#\n01#\n01#", 1),
    "nothing elsewhere": ("#2#\n232\n###", 3),
    "numbers that decide nothing": ("0####\n11###\n#####", 4),
}


def p_value(counts: np.ndarray, expected: np.ndarray, freedom: int) -> float:
    """Pearson's chi-square test; `scipy.stats` has it too, but takes over a second to import."""
    return float(chdtrc(freedom, ((counts - expected) ** 2 / expected).sum()))


@pytest.mark.parametrize(("text", "mines"), BOARDS.values(), ids=BOARDS.keys())
def test_every_layout_that_fits_is_equally_likely(text: str, mines: int) -> None:
    numbers = np.array([[-1 if one == "#" else int(one) for one in row] for row in text.split()], np.int8)
    fitting = layouts(numbers.tolist(), mines)
    sampler, rng = LayoutSampler(numbers, mines), generator(1, 0)
    draws = 8 * len(fitting)
    cols = numbers.shape[1]
    sample_counts = Counter(frozenset(divmod(cell, cols) for cell in sampler.draw(rng)) for _ in range(draws))
    assert sample_counts.keys() <= set(fitting)
    if len(fitting) > 1:
        counts = np.array([sample_counts[layout] for layout in fitting])
        assert p_value(counts, np.full(len(fitting), 8), len(fitting) - 1) > 0.001


def test_numbers_that_fit_no_layout_are_refused() -> None:
    with pytest.raises(LudexError, match="no layout of 1 mines fits"):
        LayoutSampler(np.array([[2, -1], [-1, -1]], np.int8), 1)


@pytest.mark.slow
@pytest.mark.parametrize("start", ["zero", "safe", "none"])
def test_positions_in_the_middle_of_games_follow_the_distribution_of_the_game(start: str) -> None:
    """Of all games of a small board that come to one view, and of positions drawn for that view: the same shares."""
    game = game_of(3, 4, 3 if start == "zero" else 4, start)
    first, view = 0, None
    played: Counter[bytes] = Counter()
    for seed in range(3000):
        state = game.apply(game.initial(generator(seed, 0)), first, generator(seed, 1))
        if game.outcome(state) is not None:
            continue
        seen = game.view(state, 0)
        view = view or seen
        if seen == view:
            played[bytes(cell & 0x10 for cell in state.cells)] += 1
    assert view is not None
    rng = generator(9, 0)
    drawn: Counter[bytes] = Counter()
    for _ in range(sum(played.values())):
        sampled = game.sample_state(view, rng)
        assert fingerprint(game.view(sampled, 0)) == fingerprint(view)
        drawn[bytes(cell & 0x10 for cell in sampled.cells)] += 1
    layouts_seen = sorted({*played, *drawn})
    shares = np.array([[played[layout], drawn[layout]] for layout in layouts_seen])
    assert len(layouts_seen) > 1
    expected = np.outer(shares.sum(1), shares.sum(0)) / shares.sum()
    assert p_value(shares, expected, len(layouts_seen) - 1) > 0.001


def test_before_the_first_reveal_the_mines_are_not_placed() -> None:
    game = game_of(4, 4, 3)
    start = game.initial(generator(1, 0))
    assert game.sample_state(game.view(start, 0), generator(1, 1)) == start


def test_after_the_end_the_mines_are_known() -> None:
    game = game_of(3, 3, 6, "none")
    state = game.initial(generator(1, 0))
    for action in range(9):
        state = game.apply(state, action, generator(1, action + 1))
        if game.outcome(state) is not None:
            break
    assert state.exploded is not None
    assert game.sample_state(game.view(state, 0), generator(7, 1)) == state
