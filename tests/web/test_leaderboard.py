"""The leaderboard's files: each slice's own, and one that cannot be read hides no other."""

import asyncio
import dataclasses
import json
from importlib.resources import files
from pathlib import Path

import pytest

from ludex.core import registry
from ludex.core.spec import GameSpec
from ludex.web.leaderboard import FILE, Leaderboards

GOOD = json.loads((files("ludex.games.tictactoe.data") / FILE).read_text())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (None, "cannot be read: No such file or directory"),
        ("{", "Invalid JSON"),
        (b"\xff\xfe", "utf-8"),
        (json.dumps({**GOOD, "diary": 1}), "unknown key 'diary'"),
        (json.dumps({**GOOD, "boards": [{}]}), "missing key 'boards.0.preset'"),
        (json.dumps({**GOOD, "machine": None}), "key 'machine'"),
    ],
)
def test_a_file_that_cannot_be_read_is_reported_and_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | bytes | None, complaint: str
) -> None:
    # A name of its own: Python remembers packages.
    package = tmp_path / f"strange_{tmp_path.name}"
    package.mkdir()
    (package / "__init__.py").touch()
    if text is not None:
        (package / FILE).write_bytes(text.encode() if isinstance(text, str) else text)
    monkeypatch.syspath_prepend(tmp_path)
    fault = fault_of(monkeypatch, package.name)
    assert complaint in fault
    assert str(tmp_path) not in fault


def test_a_missing_package_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    assert fault_of(monkeypatch, "nowhere_at_all") == "quoridor: leaderboard.json: No module named 'nowhere_at_all'"


def _with_leaderboard(game: str, package: str | None) -> GameSpec:
    spec = registry.spec(game)
    return dataclasses.replace(spec, tools=dataclasses.replace(spec.tools, leaderboard=package))


def fault_of(monkeypatch: pytest.MonkeyPatch, package: str) -> str:
    """What is said of a game whose results lie there; the other game is shown as ever, and one without has no place."""
    specs: list[GameSpec] = [
        registry.spec("tictactoe"),
        _with_leaderboard("quoridor", package),
        _with_leaderboard("skirmish", None),
    ]
    monkeypatch.setattr(registry, "available", lambda: (specs, []))
    found = asyncio.run(Leaderboards().games())
    assert [game.game for game in found.games] == ["tictactoe"]
    (fault,) = found.broken
    return fault
