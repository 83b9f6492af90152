"""The study of `contract`: one command that trains, stops when its time is up, goes on and says what was gained."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import skirmish_contract
from benchmarks.documents import read, write
from benchmarks.tables.skirmish import skirmish_contract as table

SIZES = ["--games", "4", "--lanes", "4", "--workers", "1", "--device", "cpu", "--miniature"]


@dataclass
class Judge:
    """Stands for the games: after training, only the battle is better."""

    judged: list[tuple[str, str, str, str]] = field(default_factory=list)
    file: str = ""
    fails_at: int | None = None
    """The row in the middle of which the machine goes away."""

    def __call__(self, game: object, net: Path, *rest: object, **sizes: object) -> "Judge":
        assert net.exists()
        self.file = net.name
        return self

    def against(self, opponent: str, temperature: float, placing: str, fighting: str) -> "Judge":
        self.judged.append((self.file, opponent, placing, fighting))
        if len(self.judged) == self.fails_at:
            raise ConnectionError
        return self

    @property
    def scores(self) -> Any:
        file, _, _, fighting = self.judged[-1]
        return np.array([1, -1, 1, 1] if (file, fighting) == ("net.pt", "learned") else [-1, -1, 0, 0])

    def row(self) -> dict[str, Any]:
        # `opponent` is the evaluation's too.
        return {
            "games": 4,
            "win_rate": (self.scores.mean() + 1) / 2,
            "ci95": [0.1, 0.9],
            "opponent": self.judged[-1][1],
        }


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Judge:
    judge = Judge()
    monkeypatch.setenv("LUDEX_RUNS", str(tmp_path / "runs"))
    monkeypatch.setattr(skirmish_contract, "Measuring", judge)
    return judge


@pytest.mark.slow
def test_it_stops_goes_on_and_separates_placing_from_fighting(
    judge: Judge, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [*SIZES, "--into", str(tmp_path)]
    skirmish_contract.main([*command, "--minutes", "0"])
    assert "before the run is trained" in capsys.readouterr().out
    [run] = (tmp_path / "runs").iterdir()
    assert json.loads((run / "status.json").read_text())["state"] == "paused"

    judge.fails_at = 3
    with pytest.raises(ConnectionError):
        skirmish_contract.main(command)
    judge.fails_at = None
    assert len(json.loads((run / "judged.json").read_text())) == 2
    skirmish_contract.main([*command, "--minutes", "0"])
    assert "before every row is judged" in capsys.readouterr().out
    assert not (tmp_path / "skirmish-contract.json").exists()

    skirmish_contract.main(command)
    document = read("skirmish-contract", tmp_path)
    assert (document["preset"], document["updates"]) == ("mirror", 2)
    # The row in which it went away was judged twice, all others once.
    assert len(judge.judged) == len(skirmish_contract.plan()) + 1
    gains = {(row["deployment"], row["battle"]): row["gain"] for row in document["rows"] if row["stage"] == "after"}
    assert gains == {("learned", "learned"): 0.5, ("learned", "objective"): 0.0, ("objective", "learned"): 0.5}


def test_a_miniature_is_no_result(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        skirmish_contract.main(["--miniature"])
    assert "a miniature is no result: name another folder by --into" in capsys.readouterr().err


def test_the_table_says_what_placing_and_fighting_gained(tmp_path: Path) -> None:
    rows = [
        {**dict(zip(skirmish_contract.KEYS, keys, strict=True)), "games": 4, "win_rate": 0.5, "ci95": [0.1, 0.9]}
        for keys in skirmish_contract.plan()
    ]
    for row in rows:
        row["scores"] = [-1, -1, 0, 0] if row["stage"] == "before" else [1, 1, 0, 0]
    judged = skirmish_contract.with_gains(rows)
    assert not any("scores" in row for row in judged)
    write(tmp_path, "skirmish-contract", {"preset": "mirror", "updates": 32, "rows": judged})
    header, *lines = table(tmp_path)
    assert header[-1] == "gained, points"
    assert [line[1:3] for line in lines][3:] == [
        ("the network", "`objective`"),
        ("`objective`", "the network"),
        ("`objective`", "`objective`"),
    ]
    assert [line[-1] for line in lines] == ["+50.0 (-48.0 to +148.0)"] * 5 + [""]
