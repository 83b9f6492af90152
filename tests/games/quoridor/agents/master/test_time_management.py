"""The engine under a clock: it shares its time out, and no game is lost on time."""

import time

import pytest

import ludex
from ludex.arena.duel import duel
from ludex.arena.terms import Terms
from ludex.core.clock import Clock
from ludex.core.executor import InProcess
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.games.quoridor.agents.master.agent import LEAST_MS, OVERHEAD_MS, Allowance

MOVES = 162
"""The most that one player has on 9x9."""


def allowed(limit: Limit, moves_left: int = MOVES) -> Allowance:
    allowance = Allowance.of(limit, moves_left)
    assert allowance is not None
    return allowance


def under(remaining_ms: float, increment_ms: float = 0, time_ms: int | None = None) -> Limit:
    return Limit(time_ms=time_ms, clocks=(Clock(remaining_ms, increment_ms), Clock(1)))


def test_a_fixed_time_is_used_up_but_for_the_overhead() -> None:
    assert allowed(Limit(time_ms=300)) == Allowance(300 - OVERHEAD_MS, 300 - OVERHEAD_MS)
    assert allowed(Limit(time_ms=2)).most_ms == LEAST_MS
    assert Allowance.of(Limit(depth=3, nodes=5), MOVES) is None


def test_a_clock_is_shared_out() -> None:
    minute = allowed(under(60_000))
    assert 1000 < minute.most_ms < 6000
    assert minute.enough_ms == minute.most_ms / 2
    assert allowed(under(60_000, 1000)).most_ms - minute.most_ms == 750
    assert allowed(under(60_000), moves_left=10).most_ms > minute.most_ms


@pytest.mark.parametrize("increment", [0, 10, 10_000])
@pytest.mark.parametrize("remaining", [0, 1, 10, 100, 1000, 10_000, 600_000])
def test_never_more_than_a_quarter_and_never_nothing(remaining: int, increment: int) -> None:
    most = allowed(under(remaining, increment), moves_left=1).most_ms
    assert LEAST_MS <= most <= max(LEAST_MS, remaining / 4 - OVERHEAD_MS)


def test_the_longest_game_leaves_time_for_its_last_move() -> None:
    left = 3000.0
    for moves_left in range(MOVES, 0, -1):
        left -= allowed(under(left), moves_left).most_ms + 1
    assert left > 0


def test_the_shorter_of_a_fixed_time_and_a_share_counts() -> None:
    assert allowed(under(60_000, time_ms=100)) == allowed(Limit(time_ms=100))
    assert allowed(under(400, time_ms=10_000)).most_ms == allowed(under(400)).most_ms


@pytest.mark.slow
def test_a_decision_keeps_to_its_share_of_the_clock() -> None:
    game = ludex.make("quoridor")
    agent = ludex.make_agent(game, "master:hash=1")
    # Kernels are loaded before the clock runs.
    decide(Match(game, seed=1), agent, Limit(depth=1))
    begin = time.process_time()
    decision = decide(Match(game, seed=1), agent, under(6000))
    assert 1000 * (time.process_time() - begin) < 6000 / 4
    assert int(str(decision.stats["depth"])) > 3


def test_no_depth_is_begun_that_would_not_be_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ludex.make("quoridor")
    agent = ludex.make_agent(game, "master:hash=1")
    monkeypatch.setattr(Allowance, "of", lambda limit, moves_left: Allowance(most_ms=60_000, enough_ms=0))
    assert decide(Match(game, seed=1), agent, under(60_000)).stats["depth"] == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "clock"),
    [
        ("5x5", Clock(3000)),
        # A busy machine stalls a process for longer than these clocks leave for a move.
        pytest.param("9x9", Clock(1000), marks=pytest.mark.full),
        pytest.param("9x9", Clock(300, 20), marks=pytest.mark.full),
    ],
)
def test_masters_lose_no_game_on_time(preset: str, clock: Clock) -> None:
    terms = Terms.of(
        ludex.make("quoridor", preset), ("master:hash=1", "master:hash=1"), seed=2, clock=clock, opening_plies=4
    )
    result = duel(terms, games=2, executor=InProcess())
    assert result.time_forfeits == (0, 0)
    assert all(played.outcome.reason != "time forfeit" for played in result.played)
    # The time was there to be used: an agent without time has one millisecond per move.
    assert min(result.move_times(agent).longest for agent in (0, 1)) > 3
