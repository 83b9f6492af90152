"""The scene of a position, against the reference."""

import json

import pytest
from hypothesis import given

from ludex.core.registry import make_agent
from ludex.games.tictactoe.screen.scene import counters, scene, stage
from tests.games.tictactoe.support import at, choices, decision_of, examples, game_of, shapes, walked
from tests.reference import tictactoe as reference

pytestmark = pytest.mark.slow

GAME = game_of()


def test_the_stage_names_every_cell_from_the_top_left() -> None:
    assert stage(game_of(2, 3, 2)) == {"rows": 2, "cols": 3, "k": 2, "names": ["a2", "b2", "c2", "a1", "b1", "c1"]}


@examples(200)
@given(shapes, choices)
def test_a_scene_is_what_the_reference_sees(shape: tuple[int, int, int], steps: list[int]) -> None:
    game, position, grid = walked(shape, steps)
    shown = json.loads(json.dumps(scene(game, position, game.legal(position))))
    assert "".join(mark or "E" for mark in shown["cells"]) == reference.key(grid)
    assert shown["legal"] == reference.moves(grid, shape[2])
    assert "".join(mark or "E" for mark in shown["canonical"]["cells"]) == reference.canonical_key(grid)
    winner = reference.winner(grid, shape[2])
    assert bool(shown["lines"]) == (winner is not None)
    for line in shown["lines"]:
        assert len(line) == shape[2]
        assert {shown["cells"][cell] for cell in line} == {winner}


def test_a_mark_that_completes_two_lines_shows_both() -> None:
    position = at("XXX XOO XOO")
    assert scene(GAME, position, GAME.legal(position))["lines"] == [[0, 1, 2], [0, 3, 6]]


def test_the_transform_to_the_canonical_board_is_named() -> None:
    position = at("EEX EEE EEE")
    assert scene(GAME, position, GAME.legal(position))["canonical"] == {
        "key": "EEEEEEEEX",
        "transform": "Rot90",
        "cells": [None] * 8 + ["X"],
    }


def test_shortcuts_of_a_machine_are_counted_and_nothing_else() -> None:
    agent = make_agent(GAME, "ranking")
    expected = {"XXE OOE EEE": {"winIn1": 1}, "XEE EOE EEX": {}, "XXE OEE EEE": {"blockIn1": 1}}
    for key, names in expected.items():
        decision = decision_of(agent, GAME, at(key))
        assert counters(GAME, at(key), decision.action, decision.stats) == names
    assert counters(GAME, at("EEE EEE EEE"), 0, {}) == {}
