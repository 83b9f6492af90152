"""`ludex check` and `ludex bench` where a package is missing or a game does not offer something."""

import importlib.metadata
import json
import subprocess
import sys
from functools import partial
from importlib.util import find_spec

import pytest

from ludex.cli import check
from ludex.core.errors import KernelsFailed, Unsupported
from tests.cli.conftest import Ludex


def refuse() -> None:
    raise Unsupported("three players")


@pytest.fixture
def without_pettingzoo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludex.envs.find_spec", lambda name: None if name == "pettingzoo" else find_spec(name))
    parts = [
        ("environment", "gymnasium", partial(check._gymnasium, "tictactoe")),
        ("environment", "pettingzoo", partial(check._pettingzoo, "tictactoe")),
        ("environment", "open_spiel", refuse),
    ]
    monkeypatch.setattr(check, "_parts", lambda _name: iter(parts))


@pytest.mark.usefixtures("without_pettingzoo")
def test_what_was_not_checked_is_not_counted_as_passed(ludex: Ludex) -> None:
    result = ludex("check", "tictactoe")
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == [
        "not checked: environment pettingzoo: pettingzoo is not installed: pip install pettingzoo, or 'ludex[envs]'",
        "not offered: environment open_spiel: three players",
        "tictactoe: 1 of 3 checks passed, 1 not checked, 1 not offered",
    ]
    assert "\nNOT CHECKED environment pettingzoo" in result.stderr


@pytest.mark.usefixtures("without_pettingzoo")
def test_the_document_names_the_status_of_each_check(ludex: Ludex) -> None:
    document = json.loads(ludex("check", "tictactoe", "--json").stdout)
    assert document["ok"], "nothing is wrong with the game"
    assert [row["status"] for row in document["checks"]] == ["passed", "not checked", "not offered"]


@pytest.mark.slow
def test_our_rows_are_measured_and_the_extra_is_named(ludex: Ludex, monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        if name in ("open_spiel", "pettingzoo"):
            raise importlib.metadata.PackageNotFoundError(name)
        return "1"

    monkeypatch.setattr("ludex.core.bench.version", version)
    for module in ("pyspiel", "pettingzoo", "pettingzoo.classic.tictactoe.tictactoe"):
        monkeypatch.setitem(sys.modules, module, None)
    result = ludex("bench", "tictactoe", "--seconds", "0.01", "--json")
    assert result.returncode == 0, result.stderr
    document = json.loads(result.stdout)
    assert all(row["ours"] > 0 and row["peer"] is None for row in document["rows"])
    assert document["machine"]["versions"]["open_spiel"] is None
    for peer in ("open_spiel", "pettingzoo"):
        assert f"{peer} is not installed: pip install 'ludex[peers]'" in result.stderr


def test_kernels_that_do_not_compile_end_the_checks(ludex: Ludex, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise KernelsFailed("landing (rules.py:17) does not compile")

    parts = [("kernels", "pile", fail), ("game", "small", fail)]
    monkeypatch.setattr(check, "_parts", lambda _name: iter(parts))
    result = ludex("check", "pile")
    assert result.returncode == 1
    assert result.stdout.splitlines() == [
        "failed: kernels pile: landing (rules.py:17) does not compile",
        "pile: 0 of 1 checks passed, 1 failed",
    ]


def test_a_process_that_dies_says_what_to_do() -> None:
    code = "import os\nfrom ludex.cli import check\nwith check._watched():\n    {}"
    for end, says in (("os.abort()", True), ("pass", False)):
        result = subprocess.run([sys.executable, "-c", code.format(end)], capture_output=True, text=True, check=False)
        assert ("run it with NUMBA_BOUNDSCHECK=1" in result.stderr) is says
