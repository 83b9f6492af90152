"""`ludex eval` of a game for one: its shape, its table, its refusals, and Ctrl-C."""

import json
from dataclasses import replace

import pytest

from ludex.core import registry
from tests.arena.executors import Backwards
from tests.cli.conftest import Ludex

BOARD = ("eval", "minesweeper", "--rows", "5", "--cols", "5", "--mines", "2", "--seed", "3")


@pytest.mark.slow
def test_the_document(ludex: Ludex) -> None:
    result = ludex(*BOARD, "--agent", "random", "--games", "70", "--json")
    document = json.loads(result.stdout)
    promised = ["game", "preset", "agent", "games", "seed", "win_rate", "ci95", "ms_per_move"]
    assert list(document)[: len(promised)] == promised
    assert (document["agent"], document["games"], document["seed"]) == ("random", 70, 3)
    assert document["ci95"][0] <= document["win_rate"] <= document["ci95"][1]
    assert (document["interrupted"], document["luck"]) == (False, None)
    assert result.stderr == ""


def test_the_table(ludex: Ludex) -> None:
    result = ludex(*BOARD, "--agent", "random", "--games", "20")
    assert "random on minesweeper" in result.stdout
    assert "avg progress" in result.stdout
    assert "luck              -" in result.stdout
    assert "20 games, seed 3" in result.stdout


def test_start_rules_are_flags(ludex: Ludex) -> None:
    played = ludex(*BOARD, "--agent", "random", "--games", "4", "--start", "safe", "--json")
    assert "start=safe" in json.loads(played.stdout)["preset"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--opponent", "random"), "minesweeper is a game for one: it takes no --opponent, found random"),
        (("--opening-plies", "2"), "minesweeper is a game for one: it takes no --opening-plies, found 2"),
        (("--games", "0"), "--games"),
        (("--agent", "nobody"), "unknown agent of minesweeper: 'nobody'"),
    ],
)
def test_wrong_usage(ludex: Ludex, arguments: tuple[str, ...], complaint: str) -> None:
    result = ludex(*BOARD, *arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert complaint in result.stderr


def test_a_game_that_does_not_say_how(ludex: Ludex, monkeypatch: pytest.MonkeyPatch) -> None:
    known = registry.spec("minesweeper")
    silent = replace(known, tools=replace(known.tools, evaluate=None))
    monkeypatch.setattr("ludex.operations.evaluation.spec", lambda game: silent)
    result = ludex(*BOARD, "--agent", "random")
    assert result.returncode == 2
    assert "its GameSpec names no `evaluate`" in result.stderr


def test_an_interruption_reports_what_is_finished(ludex: Ludex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludex.operations.requests.executor_for", lambda workers, prepare: Backwards(1, after=2))
    result = ludex(*BOARD, "--agent", "random", "--games", "50", "--json")
    document = json.loads(result.stdout)
    assert (result.returncode, document["games"], document["interrupted"]) == (130, 2, True)
    assert "2 games, seed 3; interrupted" in ludex(*BOARD, "--agent", "random", "--games", "50").stdout


def test_an_interruption_before_the_first_game(ludex: Ludex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludex.operations.requests.executor_for", lambda workers, prepare: Backwards(1, after=0))
    result = ludex(*BOARD, "--agent", "random", "--json")
    assert (result.returncode, result.stdout) == (130, "")
    assert "before the first game was finished: nothing to report" in result.stderr
