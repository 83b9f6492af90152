"""The command line, run in this process or, where that matters, in one of its own."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ludex.cli.main import main


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


Ludex = Callable[..., Result]


def document_of(result: Result) -> Any:
    """What a command printed with --json: one document on one line, and nothing else."""
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("\n") == 1
    return json.loads(result.stdout)


def run_here(folder: Path, *arguments: str, said: str = "", **environment: str) -> Result:
    """Run `ludex` in this process and folder; `said` is typed into it, keyword arguments are environment variables."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["ludex", *arguments])
        patch.setattr(sys, "stdin", io.StringIO(said))
        patch.chdir(folder)
        for name, value in {"COLUMNS": "120", **environment}.items():
            patch.setenv(name, value)
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return Result(code, out.getvalue(), err.getvalue())


@pytest.fixture
def ludex(own_folders: Path) -> Ludex:
    """Run `ludex` here, in the test's own folder."""
    return partial(run_here, own_folders)


@pytest.fixture
def process(own_folders: Path) -> Ludex:
    """Run `ludex` in a process of its own."""

    def run(*arguments: str, said: str = "", **environment: str) -> Result:
        result = subprocess.run(
            [sys.executable, "-m", "ludex", *arguments],
            input=said,
            capture_output=True,
            text=True,
            check=False,
            cwd=own_folders,
            env={**os.environ, "COLUMNS": "120", **environment},
            timeout=120,
        )
        return Result(result.returncode, result.stdout, result.stderr)

    return run


@pytest.fixture
def data_bytes(own_folders: Path) -> Callable[[], dict[str, bytes]]:
    """Every match and ranking in the database, as one value to compare."""

    def read() -> dict[str, bytes]:
        from ludex.store.database import Database

        with Database.open() as database:
            stored = {match.id: repr(match).encode() for match in database.matches.list(limit=1000)}
            for ranking in database.list_rankings():
                entries = list(database.rankings(ranking.game, ranking.preset).entries())
                stored[f"{ranking.game} {ranking.preset}"] = repr(entries).encode()
        return stored

    return read
