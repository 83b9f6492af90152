"""Ctrl-C and kill -9: what was finished is there."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Ludex
from tests.waiting import until

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def heeding() -> Iterator[None]:
    """A shell starts what it does not wait for with Ctrl-C ignored, and children inherit that."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def start(folder: Path, *arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "ludex", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=os.environ.copy(),
        start_new_session=True,
    )


def interrupted(folder: Path, workers: str) -> tuple[int, str, str]:
    """Start an endless match, press Ctrl-C after some games, and see how it ends."""
    arguments = ["match", "tictactoe", "--agents", "random,random", "--games", "4000000", "--json"]
    journal = folder / "journal"
    process = start(folder, *arguments, "--workers", workers, "--journal", str(journal))
    await_lines(journal, 10)
    os.killpg(process.pid, signal.SIGINT)
    try:
        out, err = process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    return process.returncode, out, err


@pytest.mark.parametrize("workers", [pytest.param("1", marks=pytest.mark.full), "2"])
def test_ctrl_c_ends_at_once_with_what_was_played(own_folders: Path, workers: str) -> None:
    code, out, err = interrupted(own_folders, workers)
    assert code == 130, err
    report = json.loads(out)
    assert report["interrupted"] is True
    assert 0 < report["games"] < 4000000
    assert sum(report["wins"]) + report["draws"] == report["games"]


@pytest.mark.parametrize(
    ("verb", "workers"),
    [
        pytest.param("match", "1", marks=pytest.mark.full),
        ("match", "2"),
        pytest.param("tournament", "2", marks=pytest.mark.full),
    ],
)
def test_a_killed_match_goes_on_to_the_same_end(ludex: Ludex, own_folders: Path, verb: str, workers: str) -> None:
    agents, games = ("perfect:ties=random,random", "600") if verb == "match" else (FIELD, "200")
    arguments = (verb, "tictactoe", "--agents", agents, "--games", games, "--seed", "5", "--json")
    journal = own_folders / "journal"
    process = start(own_folders, *arguments, "--journal", str(journal), "--workers", workers)
    await_lines(journal, 10)
    # It must not end while the second one starts, however fast it plays.
    os.killpg(process.pid, signal.SIGSTOP)
    second = ludex(*arguments, "--journal", str(journal))
    process.kill()
    os.killpg(process.pid, signal.SIGCONT)
    # Every worker holds these pipes: they end only if all workers do.
    out, _ = process.communicate(timeout=30)
    assert out == ""
    assert (second.returncode, "another process is playing these games" in second.stderr) == (4, True)
    assert 10 <= lines(journal) < 301
    gone_on, at_once = (ludex(*arguments, *options) for options in (("--journal", str(journal)), ()))
    assert untimed(json.loads(gone_on.stdout)) == untimed(json.loads(at_once.stdout))
    assert lines(journal) == 301


FIELD = "perfect:ties=random,random,ranking"


def untimed(document: Any) -> Any:
    """A document without what a clock says."""
    if isinstance(document, dict):
        return {key: untimed(value) for key, value in document.items() if not key.startswith("ms_")}
    return [untimed(value) for value in document] if isinstance(document, list) else document


def lines(journal: Path) -> int:
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def await_lines(journal: Path, least: int) -> None:
    until(lambda: lines(journal) >= least, f"{least} lines")


def test_a_killed_training_resumes_to_the_same_end(ludex: Ludex, own_folders: Path) -> None:
    arguments = ("train", "tictactoe", "--config", "negamax", "--games", "2000", "--seed", "5", "--json")
    whole = json.loads(ludex(*arguments).stdout)
    process = start(own_folders, *arguments)
    runs = own_folders / "runs"
    (killed,) = until(
        lambda: [run for run in runs.iterdir() if run.name != whole["run"] and rows(run)], "the first row"
    )
    process.kill()
    process.communicate()
    assert not (killed / "summary.json").exists()
    resumed = json.loads(ludex("train", "tictactoe", "--resume", killed.name, "--json").stdout)
    assert resumed["ranking_sha256"] == whole["ranking_sha256"]
    assert rows(killed) == rows(runs / whole["run"])


@pytest.mark.parametrize("resumed", [False, True])
def test_an_interrupted_training_says_how_it_goes_on(ludex: Ludex, own_folders: Path, resumed: bool) -> None:
    endless = ("--config", "negamax", "--games", "1000000", "--set", "checkpoint_every=10")
    begin: tuple[str, ...] = ("train", "tictactoe", *endless)
    runs = own_folders / "runs"
    if resumed:
        assert ludex(*begin, "--minutes", "0.001").returncode == 0
        begin = ("train", "tictactoe", "--resume", next(runs.iterdir()).name)
    before = len(rows(next(runs.iterdir()))) if resumed else 0
    process = start(own_folders, *begin)
    until(lambda: runs.is_dir() and any(len(rows(run)) > before for run in runs.iterdir()), "another row")
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert f"interrupted; go on with: ludex train tictactoe --resume {next(runs.iterdir()).name}" in err


def test_a_resumed_training_refuses_no_minutes(ludex: Ludex) -> None:
    result = ludex("train", "tictactoe", "--resume", "any", "--minutes", "0")
    assert (result.returncode, "minutes" in result.stderr) == (2, True)


def rows(run: Path) -> str:
    return (run / "metrics.jsonl").read_text() if (run / "metrics.jsonl").exists() else ""
