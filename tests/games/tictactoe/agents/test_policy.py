"""The runtime policy: win in one, block in one, greatest Q, lowest index."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.core.errors import Unsupported
from ludex.core.ranking import Entry
from ludex.games.tictactoe.agents.policy import RankingPolicy
from ludex.games.tictactoe.learning.training import Learning, losing_lines
from ludex.games.tictactoe.rules.position import Position
from tests.games.support import examples
from tests.games.tictactoe.support import (
    at,
    canonical_entries,
    game_of,
    live_grids,
    policy_on,
    position_of,
    q_by_key,
    shipped,
)
from tests.reference import tictactoe as reference

QUIET = at("XEE EOE EEE")
ONE_THREAT = at("XXE EOE EEE")
WIN_AND_THREAT = at("XXE OOE EEE")
TWO_WINS = at("EEX OXO EXO")


def policy_with(position: Position, **q: float) -> RankingPolicy:
    """A policy that has learned these values, written `m4=0.5` for move 4."""
    policy = policy_on()
    learning = Learning(policy, alpha=1.0, bound=math.inf)
    for move, value in q.items():
        learning.set_q(position, int(move.removeprefix("m")), value)
    return policy


@pytest.mark.parametrize(
    ("position", "q", "move", "fired"),
    [
        pytest.param(QUIET, {"m8": 0.5}, 8, None, id="silent without threats"),
        pytest.param(ONE_THREAT, {"m8": 5.0, "m2": -5.0}, 2, "block_in_1", id="one threat, whatever Q says"),
        pytest.param(WIN_AND_THREAT, {"m5": 5.0}, 2, "win_in_1", id="a win before a block"),
        pytest.param(TWO_WINS, {"m6": 5.0}, 1, "win_in_1", id="of two wins the smallest index"),
        pytest.param(at("EEE EXO XXO"), {}, 2, "win_in_1", id="a win silences the double threat"),
    ],
)
def test_ruling_1_the_tactical_rules(position: Position, q: dict[str, float], move: int, fired: str | None) -> None:
    choice = policy_with(position, **q).choose(position)
    assert choice.move == move
    for name in ("win_in_1", "block_in_1", "double_threat"):
        assert getattr(choice, name) == (name == fired)


def test_ruling_1_the_documents_words_would_block_in_every_quiet_position_and_ask_q_in_lost_ones_alone() -> None:
    """To the letter: the smallest move after which the opponent has no win in one."""
    fires: dict[int, set[bool]] = {}
    for grid in live_grids():
        if not reference.wins(grid, 3):
            preventing = [
                cell for cell in reference.moves(grid, 3) if not reference.wins(reference.play(grid, cell), 3)
            ]
            fires.setdefault(min(2, len(reference.threats(grid, 3))), set()).add(bool(preventing))
            if len(reference.threats(grid, 3)) == 1:
                assert policy_on().move(position_of(grid, 3)) == preventing[0]
            if not preventing:
                assert reference.solve(grid, 3)[0] == -1
    assert fires == {0: {True}, 1: {True}, 2: {False}}


@pytest.mark.slow
def test_ruling_1_the_telemetry_of_every_live_position_is_the_references() -> None:
    policy = policy_on()
    for grid in live_grids():
        wins, threats = reference.wins(grid, 3), reference.threats(grid, 3)
        choice = policy.choose(position_of(grid, 3))
        assert choice.win_in_1 == bool(wins)
        assert choice.block_in_1 == (not wins and len(threats) == 1)
        assert choice.double_threat == (not wins and len(threats) >= 2)


@pytest.mark.slow
def test_the_shipped_policy_moves_like_the_reference_in_every_live_position() -> None:
    policy = policy_on(shipped().entries())
    expected = reference.ranking_policy(q_by_key(shipped().entries()), 3)
    for grid in live_grids():
        assert policy.move(position_of(grid, 3)) == expected(grid)


canonical_keys = st.deferred(lambda: st.sampled_from(canonical_entries()))
random_q_values = st.dictionaries(canonical_keys, st.floats(-5, 5), max_size=200)


@pytest.mark.slow
@examples(25)
@given(random_q_values)
def test_any_ranking_loses_the_lines_the_reference_counts(q: dict[tuple[str, int], float]) -> None:
    policy = policy_on(Entry(state, move, value) for (state, move), value in q.items())
    expected = reference.ranking_policy(q, 3)
    start = reference.empty(3, 3)
    assert losing_lines(policy, 0) == reference.losing_lines(start, 3, "X", expected)


@examples(25)
@given(random_q_values, st.integers(0, 4519))
def test_any_ranking_moves_like_the_reference(q: dict[tuple[str, int], float], index: int) -> None:
    policy = policy_on(Entry(state, move, value) for (state, move), value in q.items())
    grid = live_grids()[index]
    assert policy.move(position_of(grid, 3)) == reference.ranking_policy(q, 3)(grid)


def test_ruling_4_equal_values_are_broken_by_the_original_index() -> None:
    # In the canonical image the same two moves come in the other order.
    position = at("EEX EEE EEE")
    policy = policy_with(position, m1=0.5, m3=0.5)
    canonical = policy.symmetry.canonical(position)
    assert canonical.moves[1] > canonical.moves[3]
    assert policy.move(position) == 1


def test_ruling_4_the_sum_of_a_tenth_and_a_fifth_beats_three_tenths() -> None:
    assert policy_with(QUIET, m5=0.3, m8=0.1 + 0.2).best(QUIET) == [8]


def test_missing_values_count_as_zero() -> None:
    assert policy_with(QUIET, m8=-0.5).q_values(QUIET) == dict.fromkeys([1, 2, 3, 5, 6, 7], 0.0) | {8: -0.5}
    assert policy_with(QUIET, m1=-1e-300, m2=-1e-300).move(QUIET) == 5


def test_the_policy_reads_what_the_store_holds_now() -> None:
    policy = policy_with(QUIET, m8=0.5)
    assert policy.move(QUIET) == 8
    policy.store.replace([])
    assert policy.move(QUIET) == 1


def test_losing_lines_are_counted_on_other_boards_too() -> None:
    game = game_of(2, 4, 3)
    policy = reference.ranking_policy({}, 3)
    expected = [reference.losing_lines(reference.empty(2, 4), 3, mark, policy) for mark in "XO"]
    assert [losing_lines(policy_on(board=game.board), seat) for seat in (0, 1)] == expected


def test_losing_lines_of_a_board_that_is_too_large_are_refused() -> None:
    with pytest.raises(Unsupported, match="up to 12 cells, not 16"):
        losing_lines(policy_on(board=game_of(4, 4, 4).board), 0)
