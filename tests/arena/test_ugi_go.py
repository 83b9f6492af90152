"""A limit goes through words unchanged."""

import pytest

from ludex.arena.ugi_go import BadLine, limit_of, words_of
from ludex.core.clock import Clock
from ludex.core.limit import Limit

LIMITS = [
    Limit(),
    Limit(time_ms=300, depth=6, nodes=1000),
    Limit(clocks=(Clock(5000, 100), Clock(0))),
    Limit(clocks=(Clock(1), Clock(60_000, 500)), time_ms=20),
]


@pytest.mark.parametrize("mover", [0, 1])
@pytest.mark.parametrize("limit", LIMITS)
def test_what_is_said_is_understood(limit: Limit, mover: int) -> None:
    heard = limit_of(words_of(limit, mover), mover)
    for name in ("time_ms", "depth", "nodes", "clocks"):
        assert getattr(heard, name) == getattr(limit, name)


def test_nobody_is_promised_a_part_of_a_millisecond() -> None:
    assert words_of(Limit(clocks=(Clock(1.99), Clock(0.5, 0.5))), 0) == ["p1time", "1", "p2time", "0"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("p1time 5", "no p2time"),
        ("p2time 5 p2inc 5", "no p1time"),
        ("p1inc 5", "no p1time"),
        ("depth", "'depth'"),
        ("depth 3 depth 3", "depth twice"),
        ("p1time 5 p2time 5 p1time 6", "p1time twice"),
        ("nodes 0", "nodes 0"),
        ("movestogo 5", "movestogo 5"),
    ],
)
def test_what_is_wrong_is_said(line: str, found: str) -> None:
    with pytest.raises(BadLine, match=rf"expected: go .*, found ({found})$"):
        limit_of(line.split(), 0)
