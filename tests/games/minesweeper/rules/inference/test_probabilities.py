"""Mine probabilities against every layout one by one, and what must hold on boards of any size."""

import math
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest

from ludex.games.minesweeper.rules.inference.probabilities import assess_position, mine_probabilities
from tests.games.minesweeper.rules.inference.support import (
    PRESETS,
    Numbers,
    around_of,
    numbers_of,
    positions_of_games,
    random_mines,
    small_positions,
)
from tests.reference.minesweeper_layouts import layouts, probabilities, weighed_probabilities

STAR = "##### #111# #1#1# #111# #####"
"""The middle is a mine, or at least four cells around the ones are."""
STARS = "############# #111#111#111# #1#1#1#1#1#1# #111#111#111# #############"
"""The three middles are mines, or at least ten other cells are."""


def inside(text: str, rows: int, cols: int) -> Numbers:
    """A patch in a corner of a large hidden board, one cell away from its walls."""
    patch, numbers = numbers_of(text), np.full((rows, cols), -1, np.int8)
    numbers[1 : 1 + patch.shape[0], 1 : 1 + patch.shape[1]] = patch
    return numbers


def check(numbers: Numbers, mines: int) -> None:
    """Probabilities, certainties and the number of layouts, against all layouts one by one."""
    fitting = layouts(numbers.tolist(), mines)
    exact = probabilities(numbers.tolist(), fitting)
    found, log_count = assess_position(numbers, mines)
    assert math.isclose(log_count, math.log(len(fitting)), rel_tol=1e-12, abs_tol=1e-12)
    assert (np.isnan(found) == (numbers >= 0)).all()
    for square, share in exact.items():
        assert abs(found[square] - float(share)) < 1e-12, (numbers, mines, square)
        assert (found[square] == 0.0) == (share == 0), (numbers, mines, square)
        assert (found[square] == 1.0) == (share == 1), (numbers, mines, square)


def check_weighed(numbers: Numbers, mines: int) -> None:
    """The same for large boards with few numbers, and to as many digits where a probability is small."""
    exact, count = weighed_probabilities(numbers.tolist(), mines)
    found, log_count = assess_position(numbers, mines)
    assert math.isclose(log_count, math.log(count), rel_tol=1e-12, abs_tol=1e-11)
    for square, share in exact.items():
        assert math.isclose(found[square], float(share), rel_tol=1e-11), (mines, square, found[square], share)
        assert (found[square] == 0.0) == (share == 0), (mines, square)
        assert (found[square] == 1.0) == (share == 1), (mines, square)


@pytest.mark.slow
def test_probabilities_are_the_share_of_the_layouts() -> None:
    checked = 0
    for numbers, mines in small_positions(seed=1, count=1700):
        if math.comb(int((numbers < 0).sum()), mines) <= 1000:
            check(numbers, mines)
            checked += 1
    assert checked > 1000


@pytest.mark.parametrize(
    ("text", "mines"),
    [
        ("##", 0),  # no mine at all
        ("##", 2),  # nothing but mines
        ("### #8# ###", 8),
        ("#1### #1###", 1),  # all mines are beside the number
        ("#1### #1###", 5),
        ("1###1 #####", 2),  # two regions
        ("1###1 #####", 4),  # as full as can be
        ("#1#1#1#1#", 2),  # a chain that takes two mines or three
        ("#1#1#1#1#", 3),
        ("#1#1#1#1####1#1##", 5),
        ("##2## ##### 1###1", 4),
        (STAR, 1),
        (STAR, 4),
    ],
)
def test_positions_at_the_ends_of_what_can_be(text: str, mines: int) -> None:
    check(numbers_of(text), mines)


@pytest.mark.slow
@pytest.mark.parametrize("mines", [4, 5, 6, 800, 2000, 3000, 3500, 4000, 4075])
def test_few_and_many_mines_on_the_largest_board(mines: int) -> None:
    check_weighed(inside("#12# #### #1##", 64, 64), mines)


def test_an_improbable_mine_is_not_called_safe() -> None:
    patch = "###0### ##2#1## #####0# ###11##"
    found = mine_probabilities(inside(patch, 64, 64), 6)
    assert 0 < np.nanmin(np.where(found > 0, found, 1)) < 1e-8
    check_weighed(inside(patch, 64, 64), 6)


def test_an_improbable_escape_is_not_called_impossible() -> None:
    """The middles are mines but for one case in 10**19, which rounds to certainty: it must not be 1."""
    numbers = inside(STARS, 64, 64)
    exact, _ = weighed_probabilities(numbers.tolist(), 12)
    assert 0 < 1 - exact[3, 3] < Fraction(1, 10**19)
    assert 1 - 1e-15 < mine_probabilities(numbers, 12)[3, 3] < 1.0


@pytest.mark.parametrize(("rows", "cols", "mines"), [*PRESETS, (64, 64, 2000), (1, 1, 1), (1, 64, 3), (64, 64, 4096)])
def test_an_untouched_board_is_even(rows: int, cols: int, mines: int) -> None:
    found, log_count = assess_position(np.full((rows, cols), -1, np.int8), mines)
    assert np.allclose(found, mines / (rows * cols), rtol=1e-13, atol=0)
    assert math.isclose(log_count, math.log(math.comb(rows * cols, mines)), rel_tol=1e-12, abs_tol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols", "mines"), PRESETS)
def test_probabilities_add_up_to_the_mines(rows: int, cols: int, mines: int) -> None:
    for numbers in positions_of_games(rows, cols, mines, "safe", seed=100, games=4):
        assert abs(np.nansum(mine_probabilities(numbers, mines)) - mines) < 1e-9


@pytest.mark.parametrize(("mines", "share"), [(800, 0.05), (800, 0.5), (800, 0.8), (2000, 0.05), (2000, 0.8)])
def test_large_boards_add_up_and_are_true(mines: int, share: float) -> None:
    mined, around = random_mines(1, 64, 64, mines)
    open_cells = ~mined & (np.random.default_rng(2).random((64, 64)) < share)
    check_large(mined, np.where(open_cells, around, -1).astype(np.int8))


@pytest.mark.parametrize("mines", [800, 2000, 3000])
def test_half_open_boards_add_up_and_are_true(mines: int) -> None:
    mined, around = random_mines(3, 64, 64, mines)
    left = np.arange(64)[None, :] < 32
    check_large(mined, np.where(~mined & left, around, -1).astype(np.int8))


def check_large(mined: np.ndarray, numbers: Numbers) -> None:
    found, log_count = assess_position(numbers, int(mined.sum()))
    assert abs(np.nansum(found) - mined.sum()) < 1e-8
    assert math.isfinite(log_count)
    assert (np.isnan(found) == (numbers >= 0)).all()
    assert not mined[found == 0.0].any()
    assert mined[found == 1.0].all()


@pytest.mark.parametrize(("count", "mines"), [(100, 800), (200, 2000), (441, 1764), (441, 1800)])
def test_many_regions_do_not_overflow(count: int, mines: int) -> None:
    """Each 4 has 70 ways around it, and all together more than a float can count."""
    numbers = np.full((64, 64), -1, np.int8)
    places = [(row, col) for row in range(1, 63, 3) for col in range(1, 63, 3)][:count]
    for place in places:
        numbers[place] = 4
    rest = 64 * 64 - 9 * count
    found, log_count = assess_position(numbers, mines)
    assert log_count == pytest.approx(math.log(70**count * math.comb(rest, mines - 4 * count)), rel=1e-12)
    assert np.allclose(found[0:3, 0:3].reshape(-1)[[0, 1, 2, 3, 5, 6, 7, 8]], 0.5, rtol=0, atol=1e-12)
    assert found[63, 63] == pytest.approx((mines - 4 * count) / rest, rel=1e-12, abs=0)


def test_a_long_chain_does_not_overflow() -> None:
    """One region that winds through the whole board, with far more ways than a float can count."""
    numbers = np.full((64, 64), -1, np.int8)
    mined, _ = random_mines(9, 64, 64, 1600)
    for turn, row in enumerate(range(1, 62, 4)):
        numbers[row, 1:63:2] = 0
        numbers[min(row + 2, 61), 61 if turn % 2 == 0 else 1] = 0
    mined[numbers == 0] = False
    around = around_of(mined)
    check_large(mined, np.where(numbers == 0, around, -1).astype(np.int8))
    assert assess_position(np.where(numbers == 0, around, -1).astype(np.int8), int(mined.sum()))[1] > math.log(2) * 1100


def test_a_turned_board_has_the_same_probabilities_turned() -> None:
    mined, around = random_mines(5, 12, 17, 40)
    open_cells = ~mined & (np.random.default_rng(6).random((12, 17)) < 0.4)
    numbers = np.where(open_cells, around, -1).astype(np.int8)
    found = mine_probabilities(numbers, 40)
    for turns in range(4):
        for mirrored in (False, True):
            turned, wanted = np.rot90(numbers, turns), np.rot90(found, turns)
            if mirrored:
                turned, wanted = turned[:, ::-1], wanted[:, ::-1]
            again = mine_probabilities(np.ascontiguousarray(turned), 40)
            assert np.allclose(again, wanted, rtol=0, atol=1e-12, equal_nan=True)
            assert ((again == 0) == (wanted == 0)).all()
            assert ((again == 1) == (wanted == 1)).all()


def test_the_numbers_given_are_left_alone_and_need_not_lie_in_one_piece() -> None:
    wide = np.repeat(numbers_of("#1### #1###"), 2, axis=1)
    numbers = wide[:, ::2]
    before = numbers.copy()
    numbers.flags.writeable = False
    assert np.array_equal(mine_probabilities(numbers, 2), mine_probabilities(before, 2), equal_nan=True)
    assert np.array_equal(numbers, before)


@pytest.mark.slow
def test_threads_get_the_answers_that_one_alone_gets() -> None:
    """Kernels let other threads run, so that shared memory would mix the positions up."""
    positions = [
        (numbers, mines)
        for rows, cols, mines in (PRESETS[0], PRESETS[3])
        for numbers in positions_of_games(rows, cols, mines, "safe", seed=7, games=3)
    ]
    alone = [mine_probabilities(*one) for one in positions]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(3):
            for found, wanted in zip(pool.map(lambda one: mine_probabilities(*one), positions), alone, strict=True):
                assert np.array_equal(found, wanted, equal_nan=True)
