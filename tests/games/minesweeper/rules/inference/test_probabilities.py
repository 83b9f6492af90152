"""Mine probabilities against every layout and a peer that players use, and positions that have none."""

import math
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import ms_toollib
import numpy as np
import pytest

from ludex.core.errors import Unsupported
from ludex.games.minesweeper.rules.inference.probabilities import assess_position, mine_probabilities
from ludex.games.minesweeper.rules.layout import BadBoard, InconsistentPosition, mine_counts
from tests.games.minesweeper.rules.inference.support import (
    PRESETS,
    Numbers,
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
    chances, log_count = assess_position(numbers, mines)
    assert math.isclose(log_count, math.log(len(fitting)), rel_tol=1e-12, abs_tol=1e-12)
    assert (np.isnan(chances) == (numbers >= 0)).all()
    for square, share in exact.items():
        assert abs(chances[square] - float(share)) < 1e-12, (numbers, mines, square)
        assert (chances[square] == 0.0) == (share == 0), (numbers, mines, square)
        assert (chances[square] == 1.0) == (share == 1), (numbers, mines, square)


def check_weighed(numbers: Numbers, mines: int) -> None:
    """The same for large boards with few numbers, and to as many digits where a probability is small."""
    exact, count = weighed_probabilities(numbers.tolist(), mines)
    chances, log_count = assess_position(numbers, mines)
    assert math.isclose(log_count, math.log(count), rel_tol=1e-12, abs_tol=1e-11)
    for square, share in exact.items():
        assert math.isclose(chances[square], float(share), rel_tol=1e-11), (mines, square, chances[square], share)
        assert (chances[square] == 0.0) == (share == 0), (mines, square)
        assert (chances[square] == 1.0) == (share == 1), (mines, square)


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
    chances = mine_probabilities(inside(patch, 64, 64), 6)
    assert 0 < np.nanmin(np.where(chances > 0, chances, 1)) < 1e-8
    check_weighed(inside(patch, 64, 64), 6)


def test_an_improbable_escape_is_not_called_impossible() -> None:
    """The middles are mines but for one case in 10**19, which rounds to certainty: it must not be 1."""
    numbers = inside(STARS, 64, 64)
    exact, _ = weighed_probabilities(numbers.tolist(), 12)
    assert 0 < 1 - exact[3, 3] < Fraction(1, 10**19)
    assert 1 - 1e-15 < mine_probabilities(numbers, 12)[3, 3] < 1.0


@pytest.mark.parametrize(("rows", "cols", "mines"), [*PRESETS, (64, 64, 2000), (1, 1, 1), (1, 64, 3), (64, 64, 4096)])
def test_an_untouched_board_is_even(rows: int, cols: int, mines: int) -> None:
    chances, log_count = assess_position(np.full((rows, cols), -1, np.int8), mines)
    assert np.allclose(chances, mines / (rows * cols), rtol=1e-13, atol=0)
    assert math.isclose(log_count, math.log(math.comb(rows * cols, mines)), rel_tol=1e-12, abs_tol=1e-12)


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
    chances, log_count = assess_position(numbers, int(mined.sum()))
    assert abs(np.nansum(chances) - mined.sum()) < 1e-8
    assert math.isfinite(log_count)
    assert (np.isnan(chances) == (numbers >= 0)).all()
    assert not mined[chances == 0.0].any()
    assert mined[chances == 1.0].all()


@pytest.mark.parametrize(("count", "mines"), [(100, 800), (200, 2000), (441, 1764), (441, 1800)])
def test_many_regions_do_not_overflow(count: int, mines: int) -> None:
    """Each 4 has 70 ways around it, and all together more than a float can count."""
    numbers = np.full((64, 64), -1, np.int8)
    places = [(row, col) for row in range(1, 63, 3) for col in range(1, 63, 3)][:count]
    for place in places:
        numbers[place] = 4
    rest = 64 * 64 - 9 * count
    chances, log_count = assess_position(numbers, mines)
    assert log_count == pytest.approx(math.log(70**count * math.comb(rest, mines - 4 * count)), rel=1e-12)
    assert np.allclose(chances[0:3, 0:3].reshape(-1)[[0, 1, 2, 3, 5, 6, 7, 8]], 0.5, rtol=0, atol=1e-12)
    assert chances[63, 63] == pytest.approx((mines - 4 * count) / rest, rel=1e-12, abs=0)


def test_a_long_chain_does_not_overflow() -> None:
    """One region that winds through the whole board, with far more ways than a float can count."""
    numbers = np.full((64, 64), -1, np.int8)
    mined, _ = random_mines(9, 64, 64, 1600)
    for turn, row in enumerate(range(1, 62, 4)):
        numbers[row, 1:63:2] = 0
        numbers[min(row + 2, 61), 61 if turn % 2 == 0 else 1] = 0
    mined[numbers == 0] = False
    around = mine_counts(mined)
    check_large(mined, np.where(numbers == 0, around, -1).astype(np.int8))
    assert assess_position(np.where(numbers == 0, around, -1).astype(np.int8), int(mined.sum()))[1] > math.log(2) * 1100


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
    alone = [mine_probabilities(*position) for position in positions]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(3):
            for chances, wanted in zip(pool.map(lambda one: mine_probabilities(*one), positions), alone, strict=True):
                assert np.array_equal(chances, wanted, equal_nan=True)


@pytest.mark.parametrize(
    ("text", "mines"),
    [
        ("2#", 1),  # more than there are neighbours
        ("0# #1", 1),
        ("1#2", 1),
        ("1###1 #####", 1),  # two regions need a mine each
        ("1###1 #####", 7),  # more than the numbers allow
        ("#1", 0),
        ("#2# ###", 1),
        ("1#1#1#1 #######", 0),
    ],
)
def test_numbers_that_no_layout_fits(text: str, mines: int) -> None:
    with pytest.raises(InconsistentPosition) as error:
        mine_probabilities(numbers_of(text), mines)
    assert f"no layout of {mines} mines fits" in str(error.value)
    assert text.replace(" ", "\n") in str(error.value)
    assert error.value.code == "inconsistent_position"


@pytest.mark.parametrize("mines", [-1, 4, 4096])
def test_a_number_of_mines_that_no_board_has(mines: int) -> None:
    with pytest.raises(BadBoard, match=rf"mines must be in 0\.\.3, the hidden cells, found {mines}"):
        mine_probabilities(numbers_of("1# ##"), mines)


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        (np.zeros((2, 2), np.int64), r"int8\[H, W\], found int64\[2, 2\]"),
        (np.zeros((2, 2), np.uint8), "found uint8"),
        (np.zeros(4, np.int8), r"found int8\[4\]"),
        (np.zeros((1, 2, 2), np.int8), r"found int8\[1, 2, 2\]"),
        (np.zeros((0, 5), np.int8), "a board has 1 to 4096 cells, found 0 x 5"),
        (np.zeros((65, 64), np.int8), "found 65 x 64"),
        (np.array([[0, 0], [9, 0]], np.int8), "row 1, column 0: expected -1 .* found 9"),
        (np.array([[0, -2]], np.int8), "row 0, column 1: expected -1 .* found -2"),
    ],
)
def test_arrays_that_are_no_board(numbers: np.ndarray, message: str) -> None:
    with pytest.raises(BadBoard, match=message) as error:
        mine_probabilities(numbers, 0)
    assert error.value.code == "bad_board"


def test_a_position_that_is_too_wide_to_count_is_not_answered_wrongly() -> None:
    mined, around = random_mines(1, 64, 64, 1600)
    rows, cols = np.indices((64, 64))
    numbers = np.where(~mined & (rows % 2 == 1) & (cols % 2 == 1), around, -1).astype(np.int8)
    with pytest.raises(Unsupported, match="too many numbers depend on each other"):
        mine_probabilities(numbers, 1600)
    # Whatever was written on the way does not disturb the next one.
    assert mine_probabilities(numbers_of("#1#"), 1).tolist()[0][::2] == [0.5, 0.5]


HIDDEN = 10
"""What the peer has for a hidden cell."""


def peer(numbers: Numbers, mines: int) -> np.ndarray:
    board = np.where(numbers < 0, HIDDEN, numbers).astype(int).tolist()
    chances, _ = ms_toollib.cal_probability_onboard(board, mines)
    return np.array(chances)


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols", "mines"), PRESETS)
@pytest.mark.parametrize("start", ["zero", "safe"])
@pytest.mark.parametrize(("least", "most"), [(30, 30), pytest.param(130, None, marks=pytest.mark.full)])
def test_probabilities_equal_the_peers(
    rows: int, cols: int, mines: int, start: str, least: int, most: int | None
) -> None:
    positions = list(positions_of_games(rows, cols, mines, start, seed=1000, games=4 if rows == 16 else 32))
    guesses = [numbers for numbers in positions if (mine_probabilities(numbers, mines) != 0.0).all()]
    between = positions[:: max(1, len(positions) // least)]
    assert len(between) >= least
    assert guesses
    for numbers in between + guesses[:most]:
        chances, hidden = mine_probabilities(numbers, mines), numbers < 0
        assert np.abs(chances - peer(numbers, mines))[hidden].max() < 1e-12
