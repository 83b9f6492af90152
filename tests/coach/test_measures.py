"""Accuracy, probabilities of winning, and luck."""

import json
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from ludex.coach.accuracy import Kept, accuracy, move_accuracy
from ludex.coach.analyst import draws, ended, luck, worth
from ludex.coach.win_probability import NEARLY, Curve, curves
from ludex.core.errors import BrokenGame
from ludex.core.game import Player
from ludex.core.match import Match
from ludex.core.seeding import generator
from tests.core.conformance.toy_games import Guess, Nim


def test_greater_losses_are_less_accurate() -> None:
    accuracies = [move_accuracy(loss / 20) for loss in range(21)]
    assert accuracies == sorted(accuracies, reverse=True)
    assert (accuracies[0], accuracies[-1] < 1.0) == (100.0, True)


def test_moves_of_a_decided_game_hardly_count() -> None:
    blunder = Kept(0.6, 0.5)
    quick = accuracy([blunder, blunder])
    long = accuracy([blunder, blunder, *[Kept(0.0, 0.0)] * 10])
    assert quick is not None
    assert long is not None
    assert quick < long < 50


def test_giving_away_a_won_game_counts_in_full() -> None:
    percent = accuracy([Kept(1.0, 0.9), Kept(0.99, 0.0)])
    assert percent is not None
    assert percent < 15


def test_a_curve_is_increasing_and_keeps_certain_values() -> None:
    curve = Curve(slope=0.7, bias=0.2, bend=-0.6)
    values = [curve.of_value(value / 10, players=2) for value in range(-10, 11)]
    assert values == sorted(values)
    assert (values[0], values[-1]) == (0.0, 1.0)
    assert curve.of_value(0.999999, players=2) == 1.0 - NEARLY


def test_a_bend_steepens_the_middle_and_leaves_the_ends() -> None:
    plain, bent = Curve(), Curve(bend=1.0)
    assert bent.of_value(0.55, players=1) - 0.5 == pytest.approx(2 * (plain.of_value(0.55, players=1) - 0.5), rel=0.05)
    assert bent.of_value(0.99, players=1) < Curve(slope=2.0).of_value(0.99, players=1)


def test_a_curve_that_falls_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a curve that rises"):
        Curve(slope=0.5, bend=-0.5)


def test_in_a_game_for_one_the_value_is_a_probability() -> None:
    assert Curve().of_value(0.25, players=1) == pytest.approx(0.25)
    assert Curve().of_value(0.25, players=2) == pytest.approx(0.625)


def test_a_file_that_holds_no_curves_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "no_curves"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "win_probability.json").write_text(json.dumps({"curves": {"*": {"slope": "steep"}}}))
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(BrokenGame, match=r"no_curves: win_probability\.json"):
        curves("no_curves")
    assert isinstance(sys.modules.pop("no_curves"), types.ModuleType)


GAME = Guess(players=1)


def chances(state: Any, player: Player) -> float:
    """The exact probability to find the number."""
    made: int = sum(state.tried)
    return (3 - made) / (5 - made)


def test_the_worth_of_a_move_is_what_draws_give_on_average() -> None:
    match = Match(GAME, seed=3)
    value = worth(GAME, match.state, 2, chances, 2000, generator(1, 0))
    assert value == pytest.approx(0.6, abs=0.02)


@pytest.mark.slow
def test_luck_is_zero_in_expectation_and_explains_the_results() -> None:
    """With one choice as good as any other nothing but luck is between the first probability and the result."""
    total, most = 0.0, 400
    for seed in range(most):
        match = Match(GAME, seed)
        share = 0.0
        for number in range(3):
            if match.over:
                break
            before = match.state
            match.play(number)
            share += luck(GAME, before, number, match.state, chances, 40, generator(seed, number, 9))
        result = ended(GAME, match.state, 0)
        assert result is not None
        assert share == pytest.approx(result - 0.6, abs=0.45)
        total += share
    # The standard deviation of one result is about a half.
    assert abs(total / most) < 4 * 0.5 / most**0.5


def test_moves_without_chance_are_known() -> None:
    assert draws(GAME, Match(GAME, 1).state, 0, generator(1, 0))
    nim = Nim()
    assert not draws(nim, Match(nim, 1).state, 0, generator(1, 0))
