"""Time for a whole game: how it is written, charged, given back, and lost."""

import time
from typing import Any

import pytest

import ludex
from ludex.core.clock import Clock
from ludex.core.decision import Decision
from ludex.core.errors import BadOption
from ludex.core.game import Outcome
from ludex.core.limit import Limit

GAME = ludex.make("tictactoe")


class Hand:
    """A watch that moves only when a test says that time has passed: no busy machine changes what is charged."""

    def __init__(self) -> None:
        self._ms = 0.0

    def passes(self, ms: float) -> None:
        self._ms += ms

    def perf_counter(self) -> float:
        return self._ms / 1000


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> Hand:
    clock = Hand()
    monkeypatch.setattr("ludex.core.match.time", clock)
    return clock


class Taker:
    """Takes the first free cell after so many milliseconds, and keeps the limits it was given."""

    def __init__(self, hand: Hand, ms: float) -> None:
        self.name = f"taker {ms:g}"
        self.seen: list[Limit] = []
        self._hand = hand
        self._ms = ms

    def decide(self, view: Any, legal: Any, *, rng: Any, limit: Limit) -> Decision:
        self.seen.append(limit)
        self._hand.passes(self._ms)
        return Decision(action=int(legal.argmax()))

    @property
    def left(self) -> list[float]:
        return [limit.clocks[0].remaining_ms for limit in self.seen]


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("60", Clock(60_000)),
        ("60+0.5", Clock(60_000, 500)),
        ("0.001", Clock(1)),
        ("0.29+0.007", Clock(290, 7)),
        ("999999+0", Clock(999_999_000)),
    ],
)
def test_a_clock_is_read(text: str, clock: Clock) -> None:
    assert Clock.parse(text) == clock


@pytest.mark.parametrize("text", ["", "0", "0.000+3", "+1", "1+", "1e3", "-1", " 1", "1s", "nan", "9" * 5000, "٣"])
def test_what_is_no_clock_is_named(text: str) -> None:
    with pytest.raises(BadOption, match="--clock needs"):
        Clock.parse(text)


def test_a_clock_is_charged_and_gives_back() -> None:
    assert Clock(100, 30).charge(40) == Clock(90, 30)
    assert Clock(100).charge(100) == Clock(0)
    assert Clock(100, 5000).charge(100.001) is None


@pytest.mark.parametrize(
    ("limit", "longest"),
    [
        (Limit(), None),
        (Limit(time_ms=30), 30),
        (Limit(clocks=(Clock(20), Clock(1)), depth=3), 20),
        (Limit(clocks=(Clock(20), Clock(1)), time_ms=30), 20),
        (Limit(clocks=(Clock(40), Clock(1)), time_ms=30), 30),
    ],
)
def test_time_is_up_at_the_sooner_of_two(limit: Limit, longest: float | None) -> None:
    assert limit.longest_ms == longest


@pytest.mark.parametrize(
    "limit", [Limit(time_ms=30), Limit(clocks=(Clock(30),)), Limit(clocks=(Clock(30),), time_ms=60_000)]
)
def test_the_flag_is_raised_in_time(limit: Limit) -> None:
    begin = time.perf_counter()
    with limit.watch():
        while not limit.stopped:
            time.sleep(0.001)
    assert 0.02 < time.perf_counter() - begin < 5.0
    assert not limit.renew().stopped


def test_who_takes_longer_than_what_is_left_loses(hand: Hand) -> None:
    texts: list[str] = []
    match = ludex.play(
        GAME,
        [Taker(hand, 0), Taker(hand, 60)],
        seed=1,
        clock=Clock(100),
        watch=lambda match, decision: texts.append(match.moves[-1].text),
    )
    assert match.outcome == Outcome((1.0, -1.0), "time forfeit")
    # The second move took what the first had left, and was not played.
    assert [move.text for move in match.moves] == texts == ["a3", "b3", "c3"]
    assert ludex.replay(GAME, ludex.Record.of(match, ("a", "b"))).outcome == match.outcome


def test_each_seat_has_its_own_time_and_sees_both(hand: Hand) -> None:
    quick, slow = Taker(hand, 5), Taker(hand, 20)
    ludex.play(GAME, [quick, slow], seed=1, clock=Clock(5000))
    assert quick.left == pytest.approx([5000, 4995, 4990, 4985])
    assert slow.left == pytest.approx([5000, 4980, 4960])
    for mine, theirs in zip(quick.seen[1:], slow.seen[1:], strict=False):
        assert mine.clocks[1] == theirs.clocks[0]


def test_the_increment_comes_after_each_move(hand: Hand) -> None:
    taker = Taker(hand, 40)
    ludex.play(GAME, [taker, Taker(hand, 0)], seed=1, clock=Clock(50, 1000))
    assert taker.left == pytest.approx([50, 1010, 1970, 2930])


class SlowRules:
    """Tic-tac-toe that takes its time to say what is legal."""

    def __init__(self, hand: Hand) -> None:
        self.info = GAME.info
        self._hand = hand

    def __getattr__(self, name: str) -> Any:
        return getattr(GAME, name)

    def legal(self, state: Any) -> Any:
        self._hand.passes(30)
        return GAME.legal(state)


def test_nobody_pays_for_the_rules_or_the_opening(hand: Hand) -> None:
    rules: Any = SlowRules(hand)
    quick = Taker(hand, 0)
    match = ludex.play(rules, [quick, quick], seed=1, clock=Clock(20), opening_plies=2)
    assert match.outcome is not None
    assert match.outcome.reason != "time forfeit"
    assert set(quick.left) == {20}


def test_clocks_belong_to_the_match_and_not_to_the_limit(hand: Hand) -> None:
    with pytest.raises(ValueError, match="name the `clock`"):
        ludex.play(GAME, [Taker(hand, 0), Taker(hand, 0)], seed=1, limit=Limit(clocks=(Clock(1), Clock(1))))


@pytest.mark.parametrize("jump", [-86_400, 86_400])
def test_a_wall_clock_that_jumps_costs_nobody_time(monkeypatch: pytest.MonkeyPatch, jump: int) -> None:
    real = time.time

    class Jumper(Taker):
        def decide(self, view: Any, legal: Any, *, rng: Any, limit: Limit) -> Decision:
            decision = super().decide(view, legal, rng=rng, limit=limit)
            monkeypatch.setattr(time, "time", lambda: real() + jump * len(self.seen))
            return decision

    # Nothing reads this watch: what is charged here is charged by the machine's own.
    jumper = Jumper(Hand(), 0)
    match = ludex.play(GAME, [jumper, Taker(Hand(), 0)], seed=1, clock=Clock(20_000), limit=Limit(time_ms=10_000))
    assert match.outcome == Outcome((1.0, -1.0), "line")
    left = [limit.clock.remaining_ms for limit in jumper.seen if limit.clock is not None]
    assert 10_000 < min(left) <= max(left) == 20_000
    assert not any(limit.stopped for limit in jumper.seen)
