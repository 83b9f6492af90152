"""Names with brackets, narrow terminals, broken packages, interrupted evaluations: nothing of it breaks a command."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import Any

import pytest
import typer
from pydantic import Field

from ludex.cli.gameverb import board_verb
from ludex.core import registry
from ludex.core.options import Options
from tests.cli.conftest import Ludex


@pytest.fixture
def bracketed(ludex: Ludex, own_folders: Path) -> str:
    """An agent whose name would be markup."""
    folder = own_folders / "[" / "b]"
    folder.mkdir(parents=True)
    ludex("rankings", "export", "--shipped", str(folder / "r.json"))
    return f"ranking:file={folder / 'r.json'}"


@pytest.mark.slow
def test_a_name_with_brackets_is_only_a_name(ludex: Ludex, bracketed: str) -> None:
    result = ludex("match", "tictactoe", "--agents", f"{bracketed},random", "--games", "2", "--save", COLUMNS="300")
    assert (result.returncode, bracketed in result.stdout) == (0, True)
    played = ludex("play", "tictactoe", "--agent", bracketed, said="b2\nr\n", COLUMNS="300")
    assert f"{bracketed} wins: resignation." in played.stdout
    listed = ludex("replay", COLUMNS="300")
    assert (listed.returncode, bracketed in listed.stdout) == (0, True)


@pytest.mark.parametrize(
    ("columns", "board"),
    [(30, (3, 3, 3)), (30, (4, 4, 4)), (40, (4, 4, 4)), (80, (3, 3, 3)), (80, (4, 4, 4)), (80, (6, 10, 5))],
)
def test_every_column_of_a_board_is_seen(ludex: Ludex, columns: int, board: tuple[int, int, int]) -> None:
    rows, cols, k = board
    flags = ["--rows", str(rows), "--cols", str(cols), "--k", str(k), "--agent", "random", "--no-save"]
    output = ludex("play", "tictactoe", *flags, said="h\nq\n", COLUMNS=str(columns)).stdout
    last = f"{'abcdefghij'[cols - 1]}1"
    assert output.count(last) >= 2
    assert max(map(len, output.splitlines()[1 : 2 * rows + 2])) <= columns


def test_ids_are_never_cut(ludex: Ludex) -> None:
    ludex("play", "tictactoe", said="b2\nq\n")
    (match,) = json.loads(ludex("replay", "--json").stdout)
    assert match["id"] in ludex("replay", COLUMNS="40").stdout


@pytest.mark.slow
def test_a_damaged_match_hides_no_other(ludex: Ludex, own_folders: Path) -> None:
    ludex("match", "tictactoe", "--agents", "random,random", "--games", "4", "--save")
    (first, *_) = json.loads(ludex("replay", "--json").stdout)
    for column, text in (("actions", "[4.5]"), ("agents", "not json")):
        with sqlite3.connect(own_folders / "data" / "ludex.db") as connection:
            connection.execute(f"UPDATE matches SET {column} = ? WHERE id = ?", (text, first["id"]))
        connection.close()
        document = json.loads(ludex("replay", "--json").stdout)
        # A list does not read the actions, which may be long.
        assert [row["id"] for row in document if "damaged" in row] == ([first["id"]] if column == "agents" else [])
        assert len(document) == 4
        assert ludex("replay", first["id"]).returncode == 4
    assert "damaged" in ludex("replay", COLUMNS="200").stdout


def test_a_finished_match_cannot_be_resumed_but_is_shown(ludex: Ludex) -> None:
    ludex("play", "tictactoe", "--seat", "both", said="a1\na2\nb1\nb2\nc1\n")
    (match,) = json.loads(ludex("replay", "--json").stdout)
    again = ludex("play", "tictactoe", "--resume", match["id"])
    assert (again.returncode, ": a complete line." in again.stdout) == (0, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["play", "tictactoe", "--seed", "9" * 40],
        ["train", "tictactoe", "--games", "2020-13-45"],
        ["train", "tictactoe", "--games", "9" * 5000],
        ["train", "tictactoe", "--set", "games=" + "[" * 2000],
        ["match", "tictactoe", "--agents", "random,random", "--movetime", "9" * 17],
    ],
)
def test_wild_values_are_wrong_usage(ludex: Ludex, arguments: list[str]) -> None:
    result = ludex(*arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    "url", ["sqlite:///x.db?timeout=abc", "sqlite:///x%00.db", "nonsense", "sqlite:////dev/null/x"]
)
def test_a_wild_database_url_is_named(ludex: Ludex, url: str) -> None:
    result = ludex("replay", LUDEX_DB=url)
    assert result.returncode == 5
    assert "error [store" in result.stderr


class StopsAtSecond:
    """An executor under which Ctrl-C comes at the beginning of the second duel."""

    duels = 0

    def run(
        self, call: Callable[[Any], Any], tasks: Iterable[Any], alone: Any = None
    ) -> Generator[tuple[int, Any], None, None]:
        StopsAtSecond.duels += 1
        if StopsAtSecond.duels == 2:
            raise KeyboardInterrupt
        for index, task in enumerate(tasks):
            yield index, call(task)


def test_an_evaluation_interrupted_between_opponents_says_so(ludex: Ludex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludex.operations.requests.executor_for", lambda workers, prepare: StopsAtSecond())
    command = ("eval", "tictactoe", "--opponent", "random", "--opponent", "perfect", "--games", "4")
    result = ludex(*command, "--json")
    document = json.loads(result.stdout)
    assert (result.returncode, document["interrupted"], len(document["opponents"])) == (130, True, 1)
    StopsAtSecond.duels = 0
    assert "ms per move; interrupted" in ludex(*command).stdout


@pytest.mark.slow
def test_a_full_standard_output_is_named() -> None:
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "ludex", "games"]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=os.environ)
    assert result.returncode == 1
    assert "Traceback" not in result.stderr


class Depths(Options):
    depth: int = Field(3, description="of the board")


def test_an_option_named_like_a_flag_takes_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    import dataclasses

    spec = dataclasses.replace(registry.spec("tictactoe"), options=Depths)
    monkeypatch.setattr(registry, "spec", lambda name: spec)

    def verb(board: Any, *, depth: int = 7) -> None:
        """Do something."""

    command = board_verb(verb).get_command(None, "tictactoe")
    flags = {option for parameter in command.get_params(typer.Context(command)) for option in parameter.opts}
    assert {"--depth", "--game-depth"} <= flags


def test_moves_come_before_keys(ludex: Ludex, monkeypatch: pytest.MonkeyPatch) -> None:
    from ludex.games.tictactoe.game import TicTacToe

    monkeypatch.setattr(TicTacToe, "action_text", lambda self, state, action: "hturq?xyz"[action])
    monkeypatch.setattr(TicTacToe, "parse_action", lambda self, state, text: "hturq?xyz".index(text))
    played = ludex("play", "tictactoe", "--seat", "both", "--no-save", said="r\nq\nu\nr\n")
    assert "Unfinished" not in played.stdout
    assert "wins: resignation" in played.stdout


def test_a_result_is_shown_though_it_cannot_be_saved(ludex: Ludex, monkeypatch: pytest.MonkeyPatch) -> None:
    from ludex.core.errors import StoreLocked
    from ludex.store.matches import Matches

    def locked(self: Matches, record: Any) -> str:
        raise StoreLocked("held by another")

    monkeypatch.setattr(Matches, "create", locked)
    result = ludex("match", "tictactoe", "--agents", "random,random", "--games", "2", "--save", "--json")
    assert (result.returncode, json.loads(result.stdout)["games"]) == (5, 2)
