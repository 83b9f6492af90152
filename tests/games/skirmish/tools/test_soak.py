"""Random games hold every promise, and broken ones are found."""

import numpy as np
import pytest

from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.tools.soak import (
    BrokenPromise,
    play_random_games,
    require_masks,
    require_placements,
)
from tests.games.skirmish.support import deployed, first, shipped


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["small", "people"])
def test_games_end_and_replay(preset: str) -> None:
    result = play_random_games(shipped(preset), 3, seed=7)
    assert result.games == 3
    assert result.deadlocks == 0
    assert sum(result.outcomes.values()) == 3


def test_a_cramped_deployment_deadlocks_and_is_counted() -> None:
    result = play_random_games(shipped("cramped"), 5, seed=1)
    assert (result.games, result.deadlocks) == (5, 5)


def test_an_empty_mask_is_found() -> None:
    masks = np.ones((3, 4), np.bool_)
    require_masks(masks, "here")
    masks[1] = False
    with pytest.raises(BrokenPromise, match="here: a mask is empty"):
        require_masks(masks, "here")


STANDS = layout.UNITS + layout.HEX


@pytest.mark.parametrize(
    ("ply", "word", "value", "promise"),
    [
        ("first", STANDS, 3, "a unit that is not placed stands nowhere"),
        ("first", layout.PHASE, layout.MOVE, "the deployment is over exactly if it is complete"),
        ("deployed", STANDS + layout.UNIT_WORDS, "the first unit's", "no two units stand on one hex"),
        ("deployed", STANDS, "a wall", "no unit stands on a wall"),
    ],
)
def test_a_broken_lane_is_found(ply: str, word: int, value: int | str, promise: str) -> None:
    board = shipped("small")
    position = first(board) if ply == "first" else deployed(board)
    states = np.stack([position.words] * 3).copy()
    require_placements(board, states, "here")
    places = {"the first unit's": int(states[1, STANDS]), "a wall": int(board.scenario.walls.argmax())}
    states[1, word] = places[value] if isinstance(value, str) else value
    with pytest.raises(BrokenPromise, match=promise):
        require_placements(board, states, "here")
