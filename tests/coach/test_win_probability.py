"""Curves from values to probabilities."""

import json
import sys
import types
from pathlib import Path

import pytest

from ludex.coach.win_probability import NEARLY, Curve, curves
from ludex.core.errors import BrokenGame


def test_a_curve_is_increasing_and_keeps_certain_values() -> None:
    curve = Curve(slope=0.7, bias=0.2, bend=-0.6)
    found = [curve.of_value(value / 10, players=2) for value in range(-10, 11)]
    assert found == sorted(found)
    assert (found[0], found[-1]) == (0.0, 1.0)
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
