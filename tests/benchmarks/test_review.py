"""Curves are found again in games that were drawn from one."""

import math

import pytest

from benchmarks.review.calibration import Rated, fitted, reliability
from ludex.coach.win_probability import Curve
from ludex.core.seeding import generator


def drawn(curve: Curve, count: int) -> list[Rated]:
    """Positions whose results follow a curve."""
    rng = generator(1, 0)
    values = [0.02 + 0.96 * rng.uniform() for _ in range(count)]
    return [
        Rated(number, value, float(rng.uniform() < curve.of_value(value, players=1)))
        for number, value in enumerate(values)
    ]


def test_a_curve_is_found_and_fits_what_it_was_not_fitted_to() -> None:
    truth = Curve(slope=1.8, bias=-0.4)
    samples = drawn(truth, 8000)
    found = fitted(samples[::2], biased=True)
    assert found.slope == pytest.approx(1.8, abs=0.2)
    assert found.bias == pytest.approx(-0.4, abs=0.2)
    for row in reliability(samples[1::2], found):
        spread = math.sqrt(row["rated"] * (1 - row["rated"]) / row["positions"])
        assert abs(row["rated"] - row["won"]) < 4 * spread + 0.01


def test_a_few_positions_do_not_bend_the_curve() -> None:
    found = fitted([Rated(0, 0.9, 0.0), Rated(1, 0.95, 0.0), Rated(2, 0.2, 1.0)], biased=True)
    assert 0.5 < found.slope < 1.5
    assert fitted([Rated(0, 1.0, 1.0)], biased=True) == Curve()
