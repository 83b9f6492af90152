"""Requests: the seed of games, typed, zero, or drawn where code of others could guess it, and paths of files."""

import json
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

import ludex
from ludex.arena.journal import open_journal, seed_in
from ludex.arena.terms import Terms
from ludex.core.errors import BadJournal, BadOption
from ludex.core.registry import resolve
from ludex.lab.limits import JobLimits
from ludex.operations.description import OPERATIONS
from ludex.operations.permissions import Permissions
from ludex.operations.requests import programs_of, seed_for
from ludex.operations.training import TRAINING

ENGINE = 'ugi:"other-engine"'


@pytest.mark.parametrize(
    ("game", "entrants", "drawn"),
    [
        ("minesweeper", ["exact", "random"], False),
        ("minesweeper", ["exact", ENGINE], True),
        ("skirmish", [ENGINE, "objective"], True),
        ("quoridor", ["hard", ENGINE], False),
    ],
)
def test_a_seed_is_drawn_where_others_could_guess_dice_or_secrets(game: str, entrants: list[str], drawn: bool) -> None:
    board = ludex.make(game)
    seeds = {seed_for(board, entrants, None, None) for _ in range(3)}
    assert len(seeds) == (3 if drawn else 1)
    assert (max(seeds) > 1 << 100) == drawn
    assert seed_for(board, entrants, 7, None) == 7


def test_a_journal_that_is_resumed_keeps_the_seed_that_was_drawn(tmp_path: Path) -> None:
    board, path = ludex.make("minesweeper"), tmp_path / "games.jsonl"
    assert seed_in(path) is None
    with open_journal(path, Terms.of(board, ("exact", ENGINE), seed=1 << 90)) as journal:
        journal.append({})
    assert json.loads(path.read_text())["seed"] == str(1 << 90)
    assert seed_for(board, ["exact", ENGINE], None, path) == 1 << 90
    path.write_text("no journal\n")
    with pytest.raises(BadJournal, match="line 1: not a journal"):
        seed_for(board, ["exact", ENGINE], None, path)


def test_a_job_names_its_configuration_from_every_folder_or_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ("x" * 120) / ("y" * 120)
    folder.mkdir(parents=True)
    shipped = next(Path(ludex.__file__).parent.glob("games/tictactoe/**/*.yaml"))
    for place in (tmp_path, folder):
        copyfile(shipped, place / "own.yaml")
    request = TRAINING.parse({"game": "tictactoe", "config": "own.yaml"})
    monkeypatch.chdir(tmp_path)
    assert request.checked(JobLimits(), remote=None).config == str(tmp_path / "own.yaml")
    assert request.checked(None, remote=None).config == "own.yaml"
    monkeypatch.chdir(folder)
    with pytest.raises(BadOption, match="at most 256 characters"):
        request.checked(JobLimits(), remote=None)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("train", {}),
        ("puzzles", {"theme": "fork"}),
        ("duel", {"agents": ["random", "perfect"]}),
        ("tuning", {"agent": "minimax:depth=2", "parameters": ["samples"]}),
    ],
)
def test_an_executor_that_cannot_be_made_is_refused_before_there_is_a_job(kind: str, options: dict[str, Any]) -> None:
    operation = resolve(OPERATIONS[kind])
    with pytest.raises(BadOption, match="--address is for --executor ray"):
        operation.parse({"game": "tictactoe", "address": "host:1", **options}).checked(
            JobLimits(), remote=Permissions()
        )
    if kind != "train":
        with pytest.raises(BadOption, match="--executor ray takes no --workers"):
            operation.parse({"game": "tictactoe", "executor": "ray", "workers": 2, **options}).checked(
                None, remote=None
            )


def test_the_audit_log_gets_the_programs_that_a_training_names() -> None:
    changes = {"evaluation.opponents": ["easy", "py:mine:Agent"], "seed": 1}
    request = TRAINING.parse({"game": "skirmish", "config": "minute", "changes": changes, "sweep": {"stage": ["il"]}})
    assert programs_of(request) == ["py:mine:Agent"]
