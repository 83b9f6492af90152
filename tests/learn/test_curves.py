"""Curves of metrics: their axis, their parts, and bands over runs."""

import pytest

from ludex.learn.curves import Curve, band, curves, default_axis, numbers
from ludex.learn.runs import Row


def test_what_can_be_drawn_are_finite_numbers() -> None:
    rows: list[Row] = [{"a": 1, "b": "x", "c": True, "d": None}, {"e": float("nan"), "f": 0.5, "a": 2}]
    assert numbers([rows]) == ["a", "f"]


@pytest.mark.parametrize(
    ("rows", "axis"),
    [
        # `games` restarts with every update, so that it is no count of the run.
        ([{"update": 1, "games": 9, "loss": 1.0}, {"update": 2, "games": 7, "loss": 1.0}], "update"),
        ([{"games": 1, "epoch": 1, "loss": 1.0}, {"games": 2, "epoch": 1, "loss": 1.0}], "games"),
        ([{"games": 5, "epoch": 5, "loss": 1.0}], "epoch"),
        ([{"loss": 1.0}, {"loss": 0.5}], ""),
        ([{"games": 1, "loss": 1.0}, {"loss": 0.5}], ""),
        ([], ""),
    ],
)
def test_the_axis_is_the_finest_count_that_grows(rows: list[Row], axis: str) -> None:
    assert default_axis([rows], "loss") == axis


def test_rows_with_the_same_x_are_separated_by_the_texts_in_which_they_differ() -> None:
    rows: list[Row] = [
        {"update": at, "stage": "ppo", "opponent": name, "win_rate": rate}
        for at, name, rate in [(1, "easy", 0.5), (1, "hard", 0.1), (2, "easy", 0.7), (2, "hard", 0.2)]
    ]
    lines = curves({"a": rows, "b": rows[:1]}, "win_rate", "update")
    assert [(curve.part, curve.points) for curve in lines["a"]] == [
        ("easy", {1.0: 0.5, 2.0: 0.7}),
        ("hard", {1.0: 0.1, 2.0: 0.2}),
    ]
    # One row alone differs from nothing, but it is the same curve as the other run's.
    assert [curve.part for curve in lines["b"]] == ["easy"]


def test_a_band_is_the_mean_between_the_lowest_and_the_highest() -> None:
    area = band(0, [Curve("a", "", {1.0: 0.0, 2.0: 4.0}), Curve("b", "", {1.0: 2.0, 2.0: 8.0})], None)
    assert (area.x, area.mean, area.low, area.high) == ([1.0, 2.0], [1.0, 6.0], [0.0, 4.0], [2.0, 8.0])


def test_a_curve_is_interpolated_between_its_points_and_ends_at_its_last() -> None:
    area = band(0, [Curve("a", "", {0.0: 0.0, 4.0: 4.0}), Curve("b", "", {0.0: 10.0, 2.0: 10.0})], None)
    assert area.x == [0.0, 2.0, 4.0]
    assert area.mean == [5.0, 6.0, 4.0]
    assert area.runs == [2, 2, 1]


def test_a_long_curve_is_thinned_with_both_its_ends() -> None:
    area = band(0, [Curve("a", "", {float(x): float(x) for x in range(1000)})], 10)
    assert (len(area.x), area.x[0], area.x[-1]) == (10, 0.0, 999.0)
