"""The data a browser gets about a board: no more than the player may know, and every cell that can be acted on."""

import json
from typing import Any

import numpy as np
import pytest

from ludex.core.errors import GameOver, IllegalAction, MoveError
from ludex.core.match import Match, play
from ludex.core.registry import make, make_agent
from ludex.core.seeding import generator
from ludex.games.minesweeper.game import Minesweeper, counters, vary_secret
from ludex.games.minesweeper.rules.notation import expand
from ludex.games.minesweeper.rules.position import Position
from ludex.games.minesweeper.rules.three_bv import three_bv
from ludex.games.minesweeper.screen.scene import board_model, scene
from tests.games.minesweeper.support import cells_of, game_and_position, game_of, played


def drawn(game: Minesweeper, state: Position) -> dict[str, Any]:
    document = scene(game, game.view(state, 0), game.legal(state))
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    return document


def test_the_stage_names_every_cell_as_its_reveal_does() -> None:
    game = game_of(16, 30, 99, "zero")
    model = board_model(game)
    state = Match(game, 0).state
    assert [model[key] for key in ("rows", "cols", "mines", "start")] == [16, 30, 99, "zero"]
    names = model["names"]
    assert isinstance(names, list)
    assert names == [game.action_text(state, cell) for cell in range(game.cells)]
    flags = [game.action_text(state, game.cells + cell) for cell in range(game.cells)]
    assert [f"{name}{model['flag_mark']}" for name in names] == flags


@pytest.mark.parametrize("preset", ["beginner", "expert"])
@pytest.mark.parametrize("seed", range(4))
def test_a_scene_is_the_view_and_the_mask(preset: str, seed: int) -> None:
    game = make("minesweeper", preset)
    assert isinstance(game, Minesweeper)
    match = play(game, [make_agent(game, "random:flags=true")], seed=seed)
    for state in match.positions:
        seen_scene, view, legal = drawn(game, state), game.view(state, 0), game.legal(state)
        assert seen_scene["numbers"] == view.numbers.reshape(-1).tolist()
        assert seen_scene["flags"] == view.flags.reshape(-1).tolist()
        assert seen_scene["exploded"] == state.exploded
        assert seen_scene["mines_left"] == game.mines - sum(seen_scene["flags"])
        assert seen_scene["safe_left"] == game.safe - state.opened
        assert [*seen_scene["reveal"], *(game.cells + cell for cell in seen_scene["flag"])] == np.flatnonzero(
            legal
        ).tolist()
        assert (seen_scene["mines"] is None) == (seen_scene["bbbv"] is None) == (game.outcome(state) is None)
    mines = cells_of(game, match.state) & 0x10 != 0
    assert seen_scene["mines"] == np.flatnonzero(mines).tolist()
    assert seen_scene["bbbv"] == three_bv(mines)


def test_a_live_scene_does_not_depend_on_where_the_mines_are() -> None:
    game = game_of(9, 9, 10, "zero")
    moved = 0
    for seed in range(4):
        match = play(game, [make_agent(game, "random:flags=true")], seed=seed)
        for ply, state in enumerate(match.positions[1:-1]):
            other = vary_secret(game, state, 0, generator(5, ply))
            moved += other.cells != state.cells
            assert drawn(game, other) == drawn(game, state)
    assert moved > 0


def test_chords_are_the_satisfied_numbers_with_something_left_to_reveal() -> None:
    # b1 shows the mine at c1.
    game, state = game_and_position(".1*. .... ....")
    assert drawn(game, state)["chord"] == []
    state = played(game, state, "c1!")
    assert drawn(game, state)["chord"] == [1]
    wrong = played(game, state, "c1!", "a1!")
    assert drawn(game, wrong)["chord"] == [1]
    assert scene(game, game.view(state, 0), np.zeros(2 * game.cells, np.bool_))["chord"] == []


def test_a_chord_reveals_every_hidden_neighbour_without_a_flag_in_order() -> None:
    game, state = game_and_position(".1*. .... ....")
    state = played(game, state, "c1!")
    assert expand(game, game.view(state, 0), "chord:b1") == ["a1", "a2", "b2", "c2"]
    assert expand(game, game.view(state, 0), "b1") is None
    after = state
    for text in ("a1", "a2", "b2", "c2"):
        if game.legal(after)[game.parse_action(after, text)]:
            after = played(game, after, text)
    assert all(game.view(after, 0).numbers.flat[cell] >= 0 for cell in (0, 4, 5, 6))


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("chord:z9", "malformed_action", "names no action: expected a cell from a1 to d3"),
        ("chord:", "malformed_action", "names no action"),
        ("chord:b1!", "malformed_action", "names no chord: expected chord: and a cell, such as chord:a1"),
        ("chord:d3", "illegal_action", "d3 shows no number, it is hidden"),
        ("chord:b1", "illegal_action", "b1 shows 1, and 0 of its neighbours have flags"),
    ],
)
def test_a_chord_that_cannot_be_is_refused_with_the_reason(text: str, code: str, said: str) -> None:
    game, state = game_and_position(".1*. .... ....")
    with pytest.raises(MoveError, match=said) as error:
        expand(game, game.view(state, 0), text)
    assert error.value.code == code


def test_a_chord_with_nothing_left_or_after_the_end_is_refused() -> None:
    game, state = game_and_position("1*.")
    state = played(game, state, "b1!")
    with pytest.raises(IllegalAction, match="no neighbour of a1 is left to reveal"):
        expand(game, game.view(state, 0), "chord:a1")
    with pytest.raises(GameOver, match="the game is over"):
        expand(game, game.view(played(game, state, "c1"), 0), "chord:a1")


def test_counters_count_moves_and_how_agents_found_them() -> None:
    game, state = game_and_position("1*.")
    reveal, flag = game.parse_action(state, "b1"), game.parse_action(state, "b1!")
    assert counters(game, state, 2, {}) == {"reveal": 1}
    assert counters(game, state, 2, {"how": "rule", "because": ["c1"]}) == {"reveal": 1, "proven_by_rule": 1}
    assert counters(game, state, reveal, {"how": "guess"}) == {"reveal": 1, "mine_hit": 1, "guess": 1}
    assert counters(game, state, flag, {}) == {"flag": 1}
    assert counters(game, played(game, state, "b1!"), flag, {}) == {"unflag": 1}
