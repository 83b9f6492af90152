"""Random games hold every promise, and broken ones are found."""

import pytest

import ludex
from ludex.games.skirmish import soak as soaking
from ludex.games.skirmish.engine import layout
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.position import Position
from ludex.games.skirmish.soak import BrokenPromise, require_invariants, soak


def game(preset: str) -> Skirmish:
    made = ludex.make("skirmish", preset)
    assert isinstance(made, Skirmish)
    return made


@pytest.mark.parametrize("preset", ["small", "people"])
def test_games_end_and_replay(preset: str) -> None:
    found = soak(game(preset), 3, seed=7)
    assert found.games == found.replayed == 3
    assert found.deadlocks == 0
    assert sum(found.outcomes.values()) == 3


def test_a_cramped_deployment_deadlocks_and_is_counted() -> None:
    found = soak(game("cramped"), 5, seed=1)
    assert (found.games, found.deadlocks, found.replayed) == (5, 5, 0)


def test_a_unit_that_stands_somewhere_unplaced_is_found() -> None:
    board = game("small")
    words = ludex.Match(board, seed=1).state.words.copy()
    words[layout.UNITS + layout.HEX] = 3
    with pytest.raises(BrokenPromise, match="stands nowhere"):
        require_invariants(board, Position(words.tobytes()), "here")


def test_an_empty_mask_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    board = game("small")
    monkeypatch.setattr(soaking.Match, "legal", lambda match: board.legal(match.state) & False)
    with pytest.raises(BrokenPromise, match="the mask is empty in the phase deployment"):
        soak(board, 1, seed=1)
