"""The notebooks run, show what they say they show, and hold nothing of the machine that wrote them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.examples.notebooks import FOLDER, code_cells, execute_cells, text_of

NOTEBOOK = FOLDER / "first_steps.ipynb"


@pytest.fixture
def notebook() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    return document


def test_every_cell_runs_and_shows_what_the_notebook_holds(
    notebook: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {}
    for cell, outputs in zip(code_cells(notebook), execute_cells(notebook, namespace), strict=True):
        assert cell["outputs"] == outputs, "python tests/examples/notebooks.py writes the outputs again"
    assert namespace["match"].outcome.scores == (1.0, -1.0)
    assert namespace["decision"].note == "c1 blocks the only threat"
    assert namespace["result"].ci95[0] > 0.5
    assert np.nansum(namespace["probabilities"]) == pytest.approx(namespace["mines"].options.mines)
    assert namespace["episodes"] > 1024
    assert 0.5 < namespace["low"] < namespace["high"] < 1
    assert list(tmp_path.iterdir()) == []


def test_a_review_shows_what_the_notebook_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = json.loads((FOLDER / "review_your_games.ipynb").read_text(encoding="utf-8"))
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {}
    for cell, outputs in zip(code_cells(document), execute_cells(document, namespace), strict=True):
        assert cell["outputs"] == outputs, "python tests/examples/notebooks.py writes the outputs again"
    moves = namespace["moves"]
    assert set(moves.columns) == {"match", "ply", "player", "move", "best", "cost"}
    assert (moves.cost >= 0).all()
    assert moves[moves.player == "random"].cost.mean() > moves[moves.player == "you"].cost.mean()


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_the_file_is_small_and_written_as_the_script_writes_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text == text_of(json.loads(text))
    assert len(text) < 32_000
    assert str(Path.home()) not in text
    assert "/tmp/" not in text
