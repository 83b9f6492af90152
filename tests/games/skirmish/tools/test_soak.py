"""Random games hold every promise, and broken ones are found."""

import numpy as np
import pytest

import ludex
from ludex.core.errors import IllegalAction
from ludex.core.seeding import Rng, generator
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.position import Position
from ludex.games.skirmish.tools import soak as soaking
from ludex.games.skirmish.tools.soak import (
    BrokenPromise,
    play_random_games,
    require_invariants,
    require_masks,
    require_placements,
)
from tests.games.skirmish.support import deployed, shipped


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


def test_a_unit_that_stands_somewhere_unplaced_is_found() -> None:
    board = shipped("small")
    words = ludex.Match(board, seed=1).state.words.copy()
    words[layout.UNITS + layout.HEX] = 3
    with pytest.raises(BrokenPromise, match="stands nowhere"):
        require_invariants(board, Position(words.tobytes()), "here")


def test_an_empty_mask_is_found() -> None:
    masks = np.ones((3, 4), np.bool_)
    require_masks(masks, "here")
    masks[1] = False
    with pytest.raises(BrokenPromise, match="here: a mask is empty"):
        require_masks(masks, "here")


@pytest.mark.parametrize(
    ("word", "value", "promise"),
    [
        (layout.UNITS + layout.HEX, 3, "a unit that is not placed stands nowhere"),
        (layout.PHASE, layout.MOVE, "the deployment is over exactly if it is complete"),
    ],
)
def test_a_broken_lane_is_found(word: int, value: int, promise: str) -> None:
    board = shipped("small")
    states = np.stack([ludex.Match(board, seed=1).state.words] * 3).copy()
    require_placements(board, states, "here")
    states[1, word] = value
    with pytest.raises(BrokenPromise, match=promise):
        require_placements(board, states, "here")


def test_units_on_one_hex_or_on_a_wall_are_found() -> None:
    board = shipped("small")
    whole = deployed(board).words.copy()[None]
    require_placements(board, whole, "here")
    doubled = whole.copy()
    doubled[0, layout.UNITS + layout.HEX] = doubled[0, layout.UNITS + layout.UNIT_WORDS + layout.HEX]
    with pytest.raises(BrokenPromise, match="no two units stand on one hex"):
        require_placements(board, doubled, "here")
    whole[0, layout.UNITS + layout.HEX] = board.scenario.walls.argmax()
    with pytest.raises(BrokenPromise, match="no unit stands on a wall"):
        require_placements(board, whole, "here")


def test_another_end_of_the_replay_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    board = shipped("small")

    def other(seed: int, ply: int, stream: int, lane: int) -> Rng:
        return generator(seed + 1, ply, stream, lane=lane)

    monkeypatch.setattr(soaking, "generator", other)
    with pytest.raises((BrokenPromise, IllegalAction)):
        play_random_games(board, 1, seed=1)
