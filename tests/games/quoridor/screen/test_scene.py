"""The scene of a position, against the reference."""

import json
from itertools import pairwise
from typing import Any

import pytest

from ludex.games.quoridor.screen.scene import scene, stage
from tests.games.quoridor.support import Step, game_of, live_steps, played
from tests.reference import quoridor as reference


def scene_of(step: Step) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(json.dumps(scene(step.game, step.position, step.game.legal(step.position))))
    return document


def spot(place: dict[str, int]) -> reference.Square:
    return place["col"], place["row"]


def test_the_stage_names_columns_and_rows_from_white_s_side() -> None:
    assert stage(game_of(3, 2)) == {
        "size": 3,
        "walls": 2,
        "goals": [2, 0],
        "columns": ["a", "b", "c"],
        "rows": ["1", "2", "3"],
    }


@pytest.mark.slow
@pytest.mark.parametrize(("size", "walls"), [(9, 10), (5, 4), (4, 3)])
def test_pawns_walls_stocks_and_moves_are_the_reference_s(size: int, walls: int) -> None:
    for step in live_steps(60, size, walls):
        document = scene_of(step)
        assert tuple(spot(pawn) for pawn in document["pawns"]) == step.state.pawns
        assert {wall["text"] for wall in document["walls"]} == step.state.walls
        assert tuple(document["left"]) == step.state.left
        assert {move["text"] for move in document["legal"]} == reference.moves(step.state)
        for move in [*document["legal"], *document["walls"]]:
            named = reference.name(spot(move)) + ("" if move["kind"] == "pawn" else move["kind"])
            assert named == move["text"]


@pytest.mark.parametrize(("size", "walls"), [(9, 10), (5, 4)])
def test_paths_lead_from_pawn_to_goal_by_open_steps_and_none_is_shorter(size: int, walls: int) -> None:
    for step in live_steps(60, size, walls):
        document = scene_of(step)
        ways = reference.ways(size, step.state.walls)
        for player, path in enumerate(document["paths"]):
            squares = [spot(place) for place in path]
            assert squares[0] == step.state.pawns[player]
            assert squares[-1] in reference.goal(size, player)
            assert all(after in ways[before] for before, after in pairwise(squares))
            assert document["distances"][player] == len(squares) - 1 == reference.distance(step.state, player)


def test_a_finished_game_has_no_legal_moves() -> None:
    game = game_of(3, 0)
    position = played("a1 a3 a2 b3 a3", game)
    document = scene(game, position, game.legal(position))
    assert document["legal"] == []
    assert document["distances"] == [0, 2]
