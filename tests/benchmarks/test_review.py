"""Curves are found again in games that were drawn from one; an interrupted measurement is resumed."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from benchmarks.logistic import fit
from benchmarks.review.calibration import Rated, cross_validated, fitted, forecasts, reliability
from benchmarks.review.journal import Journal
from benchmarks.review.ladder import Game, laddered
from ludex.coach.analyst import analyst_version
from ludex.coach.win_probability import Curve
from ludex.core.executor import InProcess
from ludex.core.registry import make
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
    curve = fitted(samples[::2])
    assert curve.slope == pytest.approx(1.8, abs=0.2)
    assert curve.bias == pytest.approx(-0.4, abs=0.2)
    for row in reliability(forecasts(samples[1::2], curve)):
        spread = math.sqrt(row["rated"] * (1 - row["rated"]) / row["positions"])
        assert abs(row["rated"] - row["won"]) < 4 * spread + 0.01


@pytest.mark.parametrize("truth", [Curve(1.0, 0.2, 1.5), Curve(1.4, -0.1)])
def test_a_curve_is_bent_where_the_games_are(truth: Curve) -> None:
    curve = fitted(drawn(truth, 6000))
    assert bool(curve.bend) == bool(truth.bend)
    for value in (0.2, 0.5, 0.7, 0.9):
        assert curve.of_value(value, players=1) == pytest.approx(truth.of_value(value, players=1), abs=0.04)


def test_a_ladder_leaves_out_what_another_analyst_found(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "ladder.jsonl", until=0.0)
    rung = Game("tictactoe", "3x3x3", "newcomer", "casual", analyst_version(make("tictactoe")), 1)
    for version, lost in ((rung.analyst, 0.0), ("another", 1.0)):
        journal.results[json.dumps(rung._replace(analyst=version))] = [1.0, [[1.0, lost]]]
    (row,) = laddered(1, 1, InProcess(), journal, ["tictactoe"])
    assert (row["level"], row["accuracy"], row["games"]) == ("newcomer", 100.0, 1)


def test_no_position_is_rated_by_a_curve_of_its_own_game() -> None:
    # Game 3 alone is won against its value: a curve that had seen it would rate it higher.
    samples = [Rated(game, 0.8 if won else 0.2, float(won)) for game in range(10) for won in (0, 1) for _ in range(50)]
    upset = [sample._replace(points=1.0 - sample.points) if sample.game == 3 else sample for sample in samples]
    plain = {(sample.share, sample.game) for sample in cross_validated(samples) if sample.game == 3}
    assert {(sample.share, sample.game) for sample in cross_validated(upset) if sample.game == 3} == plain


def squared(task: tuple[int]) -> int:
    return task[0] ** 2


def test_finished_tasks_are_not_run_again(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    first = Journal(path)
    first.run(InProcess(), squared, [(1,), (2,)])
    assert first.of([(2,), (3,), (1,)]) == [4, 1]
    resumed = Journal(path)
    resumed.run(InProcess(), squared, [(2,), (3,)])
    assert resumed.of([(2,), (3,)]) == [4, 9]
    assert len(path.read_text().splitlines()) == 3


def test_weights_of_a_probability_with_a_known_factor_are_found() -> None:
    rng = np.random.default_rng(1)
    features, factor = rng.normal(size=(20_000, 2)), rng.uniform(0.5, 1.0, 20_000)
    won = rng.random(20_000) < factor / (1.0 + np.exp(-features @ np.array([1.0, -0.5])))
    assert fit(features, won.astype(float), np.zeros(2), 1e-3, factor) == pytest.approx([1.0, -0.5], abs=0.1)
