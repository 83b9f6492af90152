"""Listings, the doctor and commands that meet something odd: a damaged run, a broken package, bytes of no text."""

import dataclasses
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from pydantic import Field

import ludex as face
from ludex.arena import pairs
from ludex.arena.duel import duel
from ludex.arena.terms import Terms
from ludex.cli import exits, games
from ludex.core import registry
from ludex.core.limit import Limit
from ludex.core.options import Options
from ludex.core.registry import GAME_GROUP
from tests.cli.conftest import Ludex


def test_a_damaged_run_is_listed_beside_the_others(ludex: Ludex, own_folders: Path) -> None:
    good = json.loads(ludex("train", "tictactoe", "--games", "1", "--json").stdout)["run"]
    bad = json.loads(ludex("train", "tictactoe", "--games", "1", "--json").stdout)["run"]
    (own_folders / "runs" / bad / "run.json").write_text("{}")
    listed = {row["run"]: row for row in json.loads(ludex("runs", "--json").stdout)}
    assert set(listed) == {good, bad}
    assert "run.json" in listed[bad]["damaged"]
    assert listed[good]["damaged"] is None
    assert "run.json" in ludex("runs", COLUMNS="300").stdout
    # Other commands take the name, so that it is never shortened.
    assert good in ludex("runs", COLUMNS="60").stdout


def test_a_folder_with_brackets_is_only_a_folder(ludex: Ludex, own_folders: Path) -> None:
    empty = ludex("runs", LUDEX_RUNS=str(own_folders / "[" / "x]"))
    assert (empty.returncode, "no runs in" in empty.stdout) == (0, True)


@pytest.fixture
def broken_package(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("broken", "nowhere.spec:SPEC", GAME_GROUP)
    points = {**registry.game_points(), "broken": point}
    monkeypatch.setattr(registry, "game_points", lambda: points)


@pytest.mark.usefixtures("broken_package")
def test_a_broken_package_breaks_no_command_but_its_own(ludex: Ludex) -> None:
    result = ludex("games", "--json")
    assert [game["id"] for game in json.loads(result.stdout)] == ["tictactoe", "quoridor", "minesweeper", "skirmish"]
    assert "left out: game 'broken'" in result.stderr
    assert ludex("play", "--help").returncode == 0
    assert ludex("rankings", "export").returncode == 0
    examined = ludex("doctor", "--json")
    assert (examined.returncode, [row["check"] for row in json.loads(examined.stdout) if not row["ok"]]) == (
        1,
        ["games"],
    )
    assert ludex("perft", "broken", "--depth", "1").returncode == 2


@pytest.mark.slow
@pytest.mark.parametrize(("verb", "said"), [("engine", b"\xff\xfe\nisready\n"), ("play", b"\xff\xfe\nq\n")])
def test_bytes_that_are_no_text_end_nothing_badly(own_folders: Path, verb: str, said: bytes) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "ludex", verb, "tictactoe"],
        input=said,
        capture_output=True,
        check=False,
        cwd=own_folders,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
    )
    assert result.returncode == 0
    assert b"Traceback" not in result.stderr
    if verb == "engine":
        assert b"info string error bad_line" in result.stdout
        assert b"readyok" in result.stdout


class Odd(Options):
    folder: Path = Field(Path("/tmp"), description="a default that JSON does not know")
    needed: int = Field(description="no default at all")


def test_options_of_any_kind_are_listed() -> None:
    spec = dataclasses.replace(registry.spec("tictactoe"), options=Odd)
    assert json.loads(json.dumps(games._describe(spec)))["options"] == {"folder": "/tmp", "needed": None}


def test_an_endless_budget_is_no_error() -> None:
    limit = Limit(time_ms=10**18)
    with limit.watch():
        assert threading.active_count() > 1
    assert not limit.stopped


class FirstOnly:
    """An executor that takes one task of however many."""

    def run(
        self, call: Callable[[Any], Any], tasks: Iterable[Any], alone: Any = None
    ) -> Generator[tuple[int, Any], None, None]:
        yield 0, call(next(iter(tasks)))


@pytest.mark.slow
def test_a_million_million_games_begin_at_once() -> None:
    result = duel(Terms.of(face.make("tictactoe"), ("random", "random"), seed=1), games=10**12, executor=FirstOnly())
    assert len(result.played) == 100


def test_a_game_without_a_score_has_its_own_exit_code() -> None:
    assert exits.exit_code(pairs.AbortedGame("stuck")) == exits.ABORT == 7


def test_a_healthy_installation(ludex: Ludex) -> None:
    result = ludex("doctor", "--json")
    assert result.returncode == 0
    rows = json.loads(result.stdout)
    folders = ["data folder", "database", "runs folder", "jobs folder"]
    assert [row["check"] for row in rows] == ["versions", "training", *folders, "kernels", "games"]
    assert all(row["ok"] for row in rows)
    assert "ok" in ludex("doctor").stdout


def test_a_failed_check_says_what_to_do(ludex: Ludex, own_folders: Path) -> None:
    (own_folders / "file").write_text("in the way")
    blocked = {"LUDEX_DATA": str(own_folders / "file" / "data"), "LUDEX_RUNS": str(own_folders / "file")}
    result = ludex("doctor", "--json", **blocked)
    sick = {row["check"]: row["detail"] for row in json.loads(result.stdout) if not row["ok"]}
    assert result.returncode == 1
    assert set(sick) == {"data folder", "database", "runs folder"}
    assert "set LUDEX_DATA to a writable folder" in sick["data folder"]
