"""`ludex bench` where the peers are not installed."""

import importlib.metadata
import json
import sys

import pytest

from tests.cli.conftest import Ludex


@pytest.mark.slow
def test_our_rows_are_measured_and_the_extra_is_named(ludex: Ludex, monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        if name in ("open_spiel", "pettingzoo"):
            raise importlib.metadata.PackageNotFoundError(name)
        return "1"

    monkeypatch.setattr("ludex.core.bench.version", version)
    for module in ("pyspiel", "pettingzoo", "pettingzoo.classic.tictactoe.tictactoe"):
        monkeypatch.setitem(sys.modules, module, None)
    done = ludex("bench", "tictactoe", "--seconds", "0.01", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert all(row["ours"] > 0 and row["peer"] is None for row in document["rows"])
    assert document["machine"]["versions"]["open_spiel"] is None
    for peer in ("open_spiel", "pettingzoo"):
        assert f"{peer} is not installed, so nothing is measured beside it: pip install 'ludex[peers]'" in done.stderr
