"""`ludex check` where a package is missing or a game does not offer something."""

import json
from functools import partial
from importlib.util import find_spec

import pytest

from ludex.cli import check
from ludex.core.errors import Unsupported
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
    done = ludex("check", "tictactoe")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "not checked: environment pettingzoo: pettingzoo is not installed: pip install 'ludex[envs]'",
        "not offered: environment open_spiel: three players",
        "tictactoe: 1 of 3 checks passed, 1 not checked, 1 not offered",
    ]
    assert "\nNOT CHECKED environment pettingzoo" in done.stderr


@pytest.mark.usefixtures("without_pettingzoo")
def test_the_document_names_the_status_of_each_check(ludex: Ludex) -> None:
    document = json.loads(ludex("check", "tictactoe", "--json").stdout)
    assert document["ok"], "nothing is wrong with the game"
    assert [row["status"] for row in document["checks"]] == ["passed", "not checked", "not offered"]
