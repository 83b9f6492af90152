"""One command measures; what fails is named and leaves the old figures alone."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.again import renewed
from benchmarks.documents import RESULTS, ROOT
from benchmarks.plan import ELSEWHERE, Measurement, measured

pytestmark = pytest.mark.slow


def benchmarks(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "benchmarks", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.full
def test_speed_and_strength_are_measured_into_a_folder(tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in RESULTS.iterdir()}
    result = benchmarks("run", "--brief", "--only", "tictactoe,tictactoe-strength", "--into", str(tmp_path))
    assert result.returncode == 0, result.stdout
    names = [line.split()[0] for line in result.stdout.splitlines()]
    assert names == ["tictactoe", "tictactoe-strength", *ELSEWHERE]
    speed = json.loads((tmp_path / "tictactoe.json").read_text())
    assert set(speed["machine"]) == {"system", "processor", "cores", "python", "load", "versions"}
    for row in speed["rows"]:
        assert row["ratio"] == row["ours"] / row["peer"]
        assert row["ours_wall"] > 0
        assert row["peer_wall"] > 0
    (strength,) = json.loads((tmp_path / "tictactoe-strength.json").read_text())["rows"]
    assert [met["games"] for met in strength["opponents"]] == [2, 2]
    assert "--games 2000" in strength["command"]
    assert {path: path.read_bytes() for path in RESULTS.iterdir()} == before


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--brief",), "name another folder by --into"),
        (("--only", "chess"), "unknown document 'chess'; known: tictactoe, "),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: tuple[str, ...], complaint: str) -> None:
    result = benchmarks("run", *arguments)
    assert result.returncode == 2
    assert complaint in result.stderr


def test_a_failure_is_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    absent = Measurement("absent", ("ludex", "bench", "chess", "--json"))
    also = Measurement("tictactoe", ("ludex", "games", "tictactoe", "--json"))
    (tmp_path / "absent.json").write_text("old")
    first, second = measured([absent, also], tmp_path, brief=True, jax_python="")
    assert first.error is not None
    assert "unknown_game" in first.error
    assert (tmp_path / "absent.json").read_text() == "old"
    assert second.error is None


def test_a_document_keeps_its_shape_when_it_is_measured_again() -> None:
    document = {
        "reference": {"small": 0.9},
        "matches": [
            {
                "command": "ludex match tictactoe --agents perfect,random --games 400 --seed 1",
                "note": "kept",
                "games": 400,
                "wins": [0, 0],
            }
        ],
    }
    again = renewed(document, most=4)
    assert again["reference"] == {"small": 0.9}
    (match,) = again["matches"]
    assert (match["command"], match["note"]) == (document["matches"][0]["command"], "kept")  # type: ignore[index]
    assert match["games"] == 4
    assert sum(match["wins"]) <= 4
    with pytest.raises(ValueError, match="expected a command of ludex or python, found 'rm -r x'"):
        renewed({"command": "rm -r x"})
