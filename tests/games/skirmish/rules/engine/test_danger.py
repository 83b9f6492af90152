"""What fire and charges could do is what the reference says, wherever a hex has to be chosen."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from ludex.games.skirmish.env.opponents import SeatAdapter
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.engine import observation as see
from ludex.games.skirmish.rules.engine.danger import (
    DANGER_PLANES,
    FIRE,
    SEVERAL,
    STRIKE,
    UNDER_FIRE,
    VALUE,
    WITHIN_CHARGE,
    WITHIN_FIRE,
)
from ludex.games.skirmish.rules.position import Position
from tests.games.skirmish.support import arranged, random_play, shipped, terrible
from tests.reference.skirmish_danger import Onlooker

pytestmark = pytest.mark.slow

CLOSE = 2e-6
"""What sums of single precision may be off."""


def danger(game: Skirmish, position: Position, player: int) -> NDArray[np.float32]:
    """[planes, hexes], unturned."""
    planes = game.observe(game.view(position, player))["planes"].reshape(see.PLANES, -1)
    return planes[see.DANGER : see.DANGER + DANGER_PLANES]


def turned(game: Skirmish, position: Position, player: int) -> NDArray[np.float32]:
    """The same from the player's own end, brought back hex by hex."""
    planes = SeatAdapter(game).observe(game.view(position, player))["planes"].reshape(see.PLANES, -1)
    there = game.scenario.grid.half_turn if player == 1 else np.arange(game.scenario.grid.size)
    back = np.where(there == layout.NOWHERE, np.arange(len(there)), there)
    return planes[see.DANGER : see.DANGER + DANGER_PLANES][:, back]


def positions(game: Skirmish, seeds: range, every: int) -> Iterator[Position]:
    """Positions of random games, one in so many."""
    for seed in seeds:
        for match in random_play(game, seed):
            if match.ply % every == seed % every:
                yield match.state


@pytest.mark.parametrize(
    ("name", "seeds", "every"),
    [
        ("small", range(1), 1),
        ("default", range(2), 11),
        pytest.param("small", range(4), 1, marks=pytest.mark.full),
        pytest.param("default", range(3), 11, marks=pytest.mark.full),
    ],
)
def test_the_planes_are_those_of_the_reference(name: str, seeds: range, every: int) -> None:
    game = shipped(name)
    compared: Counter[tuple[str, int]] = Counter()
    filled = np.zeros(DANGER_PLANES, np.int64)
    for position in positions(game, seeds, every):
        for player in (0, 1):
            expected = Onlooker(game, position, player).danger()
            planes = danger(game, position, player)
            np.testing.assert_allclose(planes, expected, rtol=0.0, atol=CLOSE)
            assert (turned(game, position, player) == planes).all()
            filled += (planes > 0).any(axis=1)
            compared[position.phase, player] += bool(planes.any())
    # Every plane was something more than zeros, for both players, and never where no hex is chosen.
    assert filled.min() > 5
    assert {phase for (phase, _), count in compared.items() if count} == {"deployment", "move"}
    assert all(compared["move", player] > 5 and compared["deployment", player] > 0 for player in (0, 1))
    assert {"shoot", "charge", "fight", "over"} >= {phase for (phase, _), count in compared.items() if not count}


def test_the_planes_are_those_of_the_reference_where_guns_destroy_nearly_everything(tmp_path: Path) -> None:
    game, most = terrible(tmp_path), 0.0
    for position in positions(game, range(6), 1):
        for player in (0, 1):
            planes = danger(game, position, player)
            np.testing.assert_allclose(planes, Onlooker(game, position, player).danger(), rtol=0.0, atol=CLOSE)
            most = max(most, float(planes[FIRE].max()))
    # Two weapons that destroy a unit each do not destroy it twice.
    assert most == pytest.approx(max(unit.value for unit in game.units) / VALUE)


def test_units_that_have_advanced_fire_assault_weapons_only() -> None:
    """And one that has fled fires nothing."""
    game = shipped("small")
    places = {"01": (5, 2), "02": (4, 2), "04": (5, 5)}
    for unit, mark, fires in ((0, 0, True), (0, layout.ADVANCED, False), (1, layout.ADVANCED, True)):
        words = {layout.ACTIVE: unit}
        position = arranged(game, layout.MOVE, places, words=words, marks={f"0{unit + 1}": mark})
        assert danger(game, position, 0)[FIRE].any() == fires
        assert danger(game, position, 0)[STRIKE].any() == (mark == 0), "a unit that has advanced does not charge"
        position = arranged(game, layout.MOVE, places, words=words, marks={f"0{unit + 1}": mark | layout.FLED})
        assert not danger(game, position, 0)[FIRE].any()


def test_a_wounded_unit_fears_more_and_is_worth_less_fire() -> None:
    game = shipped("small")
    places, words = {"01": (5, 2), "04": (5, 5)}, {layout.ACTIVE: 0}
    whole = danger(game, arranged(game, layout.MOVE, places, words=words), 0)
    frail = danger(game, arranged(game, layout.MOVE, places, words=words, wounds={"01": 1, "04": 1}), 0)
    for plane in (UNDER_FIRE, WITHIN_FIRE, WITHIN_CHARGE):
        assert (frail[plane] >= whole[plane]).all()
        assert frail[plane].max() > whole[plane].max()
        # One enemy destroys a unit once at most.
        assert frail[plane].max() <= np.float32(1 / SEVERAL)
    for plane in (FIRE, STRIKE):
        assert frail[plane].max() <= whole[plane].max()
