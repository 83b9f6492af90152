"""The verbs of one game, its own and those of every game: `ludex GAME VERB`."""

import json
from dataclasses import replace
from typing import Any

import pytest

from ludex.arena.duel import Duel, duel
from ludex.cli.ownverbs import game_verbs
from ludex.core import registry
from ludex.operations import evaluation
from tests.cli.conftest import Ludex

WITH_VERBS = [(spec.id, verb) for spec in registry.available()[0] for verb in game_verbs(spec)]


@pytest.mark.parametrize(("game", "verb"), WITH_VERBS)
def test_each_explains_itself(ludex: Ludex, game: str, verb: str) -> None:
    listed = ludex(game, "--help")
    assert listed.returncode == 0
    assert verb in listed.stdout.split()
    result = ludex(game, verb, "--help")
    assert (result.returncode, "--json" in result.stdout) == (0, True)
    assert f"ludex {game} {verb}" in ludex("games", game).stdout


def test_a_solved_board_as_json(ludex: Ludex) -> None:
    result = ludex("quoridor", "solve", "--preset", "3x3", "--json")
    assert (result.returncode, result.stderr) == (0, "")
    document = json.loads(result.stdout)
    assert document.pop("seconds") > 0
    assert document == {
        "game": "quoridor",
        "preset": "3x3",
        "size": 3,
        "walls": 2,
        "winner": "second",
        "plies": 12,
        "positions": 1386,
        "configurations": 32,
        "moves": [],
        "best": ["a2h", "b2h"],
    }


def test_a_solved_board_for_people(ludex: Ludex) -> None:
    result = ludex("quoridor", "solve", "--preset", "3x3").stdout
    assert "the second player wins in 12 plies" in result
    assert "a2h b2h" in result
    assert "1,386 positions of 32 configurations" in result


def test_a_draw_is_printed(ludex: Ludex) -> None:
    moves = "a1h c4 c1h c3h b4h a3v b3v d3v"
    arguments = ("quoridor", "solve", "--preset", "5x5", "--moves", moves)
    document = json.loads(ludex(*arguments, "--json").stdout)
    assert (document["winner"], document["plies"]) == ("draw", None)
    assert "neither player can force a win" in ludex(*arguments).stdout


@pytest.mark.slow
def test_an_agent_of_a_run_is_exported_and_measured(ludex: Ludex, monkeypatch: pytest.MonkeyPatch) -> None:
    trained = ludex("train", "tictactoe", "--games", "50", "--checkpoint-every", "50", "--json")
    assert trained.returncode == 0, trained.stderr
    run = f"run:{json.loads(trained.stdout)['run']}"
    result = ludex("tictactoe", "export", run, "--output", "mine.json", "--json")
    assert result.returncode == 0, result.stderr
    exported = json.loads(result.stdout)
    assert (exported["net"], exported["preset"]) == ("mine.json", "3x3x3")
    arguments = ("tictactoe", "measure", "mine.json", "--opponent", "random", "--games", "10", "--json")
    measured = json.loads(ludex(*arguments).stdout)
    assert measured["agent"] == "ranking:file=mine.json"
    assert [row["agent"] for row in measured["opponents"]] == ["random"]
    assert measured["games"] == 10

    def cut_off(*terms: Any, **how: Any) -> Duel:
        return replace(duel(*terms, **how), interrupted=True)

    monkeypatch.setattr(evaluation, "duel", cut_off)
    interrupted = ludex(*arguments)
    assert (interrupted.returncode, json.loads(interrupted.stdout)["interrupted"]) == (130, True)
    monkeypatch.setattr(evaluation, "duel", lambda *terms, **how: replace(cut_off(*terms, **how), pairs=()))
    assert "interrupted before the first pair" in ludex(*arguments).stderr
    assert ludex("quoridor", "export", run, "--output", "q.json").returncode != 0


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        ("quoridor solve", 2, "error [unsupported]: about 5.0e+24 positions are too many to solve"),
        ("quoridor solve --preset 4x4", 2, "error [unknown_preset]"),
        ("quoridor solve --preset 3x3 --walls -1", 2, "key 'walls'"),
        ("quoridor solve --preset 3x3 --size big", 2, "key 'size'"),
        (
            "quoridor solve --preset 3x3 --moves e9",
            3,
            "error [malformed_action]: move 1, 'e9': 'e9' is not",
        ),
        (
            "quoridor solve --preset 3x3 --moves b3",
            3,
            "error [illegal_action]: move 1, 'b3': the pawn cannot go from b1 to b3",
        ),
        ("quoridor solve --preset 3x3 --moves c1,a3,c2,a2,c3", 3, "error [game_over]: there is nothing to solve"),
        ("quoridor dance", 2, "dance"),
        ("quoridor solve --speed 3", 2, "--speed"),
        ("tictactoe solve", 2, "solve"),
        ("tictactoe export run:nobody --output r.json", 2, "run:nobody: no run is called 'nobody'"),
        ("tictactoe export net.pt --output net.pt", 2, "--output: expected a name that ends in .onnx, found 'net.pt'"),
        ("tictactoe measure nothing.json --opponent random", 4, "nothing.json"),
        ("skirmish measure net.pt --games 5", 2, "--games: expected an even number"),
    ],
)
def test_bad_input(ludex: Ludex, arguments: str, code: int, complaint: str) -> None:
    result = ludex(*(word.replace(",", " ") for word in arguments.split()))
    assert (result.returncode, result.stdout) == (code, "")
    assert complaint in result.stderr
