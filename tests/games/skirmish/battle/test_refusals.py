"""An action that cannot be played says so, with what could be, and changes nothing."""

import re

import pytest

from ludex.core.errors import IllegalAction, MalformedAction
from ludex.core.seeding import generator
from ludex.games.skirmish.engine import layout
from tests.games.skirmish.battle.support import active
from tests.games.skirmish.support import arranged, play, shipped, texts


def test_a_refused_action_names_the_phase_and_all_that_is_legal() -> None:
    game = shipped("small")
    position = arranged(game, layout.MOVE, {"01": (3, 4), "04": (7, 4)}, words=active(0))
    packed = position.packed
    with pytest.raises(IllegalAction, match="shoot/04 cannot be played in the phase move") as caught:
        play(game, position, "shoot/04")
    assert position.packed == packed
    found = re.search(r"legal: (.*) and (\d+) more", caught.value.message)
    assert found is not None
    shown = found[1].split(", ")
    known = texts(game, position)
    assert set(shown) <= known
    assert len(shown) + int(found[2]) == len(known)


def test_activating_a_unit_that_is_not_in_the_pool_is_refused() -> None:
    game = shipped("small")
    position = arranged(game, layout.MOVE, {"01": (3, 4), "02": (2, 2), "04": (7, 4)}, ready=("01",))
    with pytest.raises(IllegalAction, match=r"activate/02 cannot be played in the phase move; legal: activate/01"):
        play(game, position, "activate/02")
    with pytest.raises(MalformedAction, match="names no action of player 1"):
        play(game, position, "activate/04")


def test_nothing_can_be_played_after_the_end() -> None:
    game = shipped("small")
    position = arranged(game, layout.OVER, {"01": (3, 4)}, words={layout.RESULT: layout.ANNIHILATION})
    for action in range(game.info.num_actions):
        with pytest.raises(IllegalAction):
            game.apply(position, action, generator(0, 0))
