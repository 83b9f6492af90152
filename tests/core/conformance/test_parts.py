"""The tools of the checker do what the checks rely on."""

import pickle
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np
import pytest

from ludex.core.conformance.fingerprint import fingerprint
from ludex.core.conformance.randomness import AmbientChance, DrawnError, Trap
from ludex.core.conformance.report import BlockedError, ConformanceError, Fault, Report
from ludex.core.conformance.serialization import broken, odd
from ludex.core.game import Json
from ludex.core.seeding import Rng, generator


@dataclass(frozen=True)
class Position:
    board: Any
    cache: Any = field(default=None, compare=False)


class Slotted:
    __slots__ = ("__secret", "shown")

    def __init__(self, shown: int, secret: int) -> None:
        self.shown = shown
        self.__secret = secret


class Colour(IntEnum):
    RED = 1


class Lazy:
    def __init__(self, number: int, *, filled: bool) -> None:
        self.number = number
        if filled:
            assert self.double == 2 * number

    @cached_property
    def double(self) -> int:
        return 2 * self.number


class Cyclic:
    def __init__(self, number: int) -> None:
        self.number, self.me = number, self


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Position(np.arange(3)), Position(np.arange(3), cache="filled")),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({3, 1, 2}, {2, 3, 1}),
        ((1, 2), [1, 2]),
        (np.int64(3), 3),
        (float("nan"), float("nan")),
        (Cyclic(1), Cyclic(1)),
        (Lazy(1, filled=False), Lazy(1, filled=True)),
        (random.Random(1), random.Random(1)),
    ],
)
def test_equal_contents_have_one_fingerprint(one: Any, other: Any) -> None:
    assert fingerprint(one) == fingerprint(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Position(np.arange(3)), Position(np.arange(3)[::-1])),
        (np.zeros(2, np.int8), np.zeros(2, np.int16)),
        (np.zeros((2, 1)), np.zeros((1, 2))),
        (Slotted(1, 2), Slotted(1, 3)),
        (Cyclic(1), Cyclic(2)),
        (random.Random(1), random.Random(2)),
        (-1, -2),
        (1, True),
        ("1", 1),
        (Colour.RED, 1),
        (Position([1]), {"board": [1]}),
    ],
)
def test_different_contents_have_two(one: Any, other: Any) -> None:
    assert fingerprint(one) != fingerprint(other)


def test_the_whole_includes_what_equality_leaves_out() -> None:
    assert fingerprint(Position(1, "a"), whole=True) != fingerprint(Position(1, "b"), whole=True)


def test_a_trap_cannot_be_drawn_from() -> None:
    draws = (Rng.bits, Rng.uniform, lambda trap: trap.below(6), lambda trap: trap.state, lambda trap: trap.choice([1]))
    for draw in draws:
        with pytest.raises(DrawnError):
            draw(Trap())
    with pytest.raises(DrawnError):
        Trap().shuffle([1, 2])


def test_ambient_chance_is_put_back() -> None:
    random.seed(5)
    np.random.seed(5)
    expected = random.random(), np.random.random()
    random.seed(5)
    np.random.seed(5)
    with AmbientChance(1) as ambient:
        before = ambient.used
        np.random.random()
        assert (before, ambient.used) == (False, True)
    assert (random.random(), np.random.random()) == expected


def test_broken_documents_are_made_from_a_good_one() -> None:
    document: dict[str, Json] = {"pile": 3, "rows": [[1, 2], [3]], "name": "ab"}
    flaws = dict(broken(document, generator(1, 0)))
    assert flaws["key 'pile' missing"] == {"rows": [[1, 2], [3]], "name": "ab"}
    assert flaws["'3' at ['pile']"]["pile"] == "3"
    assert flaws["['a', 'b'] at ['name']"]["name"] == ["a", "b"]
    assert not any(spoiled == document for spoiled in flaws.values())
    assert any(spoiled["pile"] == 1 << 70 for _, spoiled in odd(document, generator(1, 0)))
    assert document == {"pile": 3, "rows": [[1, 2], [3]], "name": "ab"}


def test_another_position_of_the_same_type_is_not_called_broken() -> None:
    assert [] not in [spoiled for _, spoiled in broken([4, 2], generator(1, 0))]


def test_an_answer_that_comes_and_goes_is_a_fault() -> None:
    def some_check(_: object) -> Iterator[str]:
        yield from ()
        raise BlockedError("legal raised KeyError")

    report = Report("the game")
    assert report.run(some_check, None, "seed 1")
    with pytest.raises(ConformanceError, match="blocked: seed 1: some_check: legal raised KeyError"):
        report.conclude()


def test_the_error_survives_a_process_boundary() -> None:
    error = ConformanceError("the game", [Fault("turn", "seed 1"), Fault("phase", "seed 2")])
    copy = pickle.loads(pickle.dumps(error))
    assert copy.faults == error.faults
    assert str(copy) == "the game breaks the contract in 2 ways\n  turn: seed 1\n  phase: seed 2"


def test_a_check_that_failed_is_not_run_again() -> None:
    report = Report("the game")

    def some_check(number: int) -> Iterator[str]:
        yield f"found {number}"

    assert [report.run(some_check, number) for number in range(3)] == [False] * 3
    assert [str(fault) for fault in report.faults] == ["some_check: found 0"]
