"""Training and what follows it, on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

import tests.cli.conftest as cli
from tests.cli.conftest import Ludex
from tests.games.minesweeper.learning.support import TINY

pytestmark = pytest.mark.slow

ludex = cli.ludex
BOARD = ["--rows", "6", "--cols", "6", "--mines", "4"]


def document_of(run: Ludex, *arguments: str) -> Any:
    result = run(*arguments, "--json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_train_measure_export_and_play(ludex: Ludex, own_folders: Path, tmp_path: Path) -> None:
    changes = [part for key, value in TINY.items() if key != "device" for part in ("--set", f"{key}={value}")]
    # An agent that begins with a random cell has other boards than one that opens where solvers do.
    changes += ["--set", "env.random_first_click=false"]
    summary = document_of(
        ludex, "train", "minesweeper", "--config", "miniature", "--device", "cpu", "--stage", "all", *changes
    )
    net = Path(summary["net"])
    assert set(summary["win_rates"]) == {"6x6x4 zero", "6x6x4 safe"}
    assert net.with_name("imitated.pt").is_file()

    document = document_of(
        ludex, "minesweeper", "measure", str(net), *BOARD, "--games", "20", "--lanes", "8", "--device", "cpu",
        "--before", str(net.with_name("imitated.pt")),
    )  # fmt: skip
    assert document["games"] == 20
    assert document["ci95"][0] <= document["win_rate"] <= document["ci95"][1]
    assert document["gain_ci95"][0] <= document["gain"] <= document["gain_ci95"][1]

    file = tmp_path / "net.onnx"
    assert document_of(ludex, "minesweeper", "export", str(net), "--output", str(file))["bytes"] == file.stat().st_size
    assert b".py" not in file.read_bytes(), "a network holds nothing about the machine that exported it"
    for start in ("zero", "none"):
        games = [*BOARD, "--start", start, "--games", "20", "--seed", "977"]
        played = document_of(ludex, "eval", "minesweeper", "--agent", f"net:net={file}", *games)
        beside = ["--beside", f"net:net={file}", "--beside", "exact"]
        measured = document_of(
            ludex, "minesweeper", "measure", str(net), *games, "--lanes", "8", "--device", "cpu", *beside
        )
        for figure in ("games", "seed", "win_rate", "steps_to_outcome"):
            assert measured[figure] == played[figure], "the same boards, through torch and through ONNX"
        assert measured["avg_progress"] == pytest.approx(played["avg_progress"])
        itself, exact = measured["beside"]
        assert (itself["agent"], itself["gain"], itself["gain_ci95"]) == (f"net:net={file}", 0.0, [0.0, 0.0])
        solved = document_of(ludex, "eval", "minesweeper", "--agent", "exact", *games)
        assert exact["win_rate"] == solved["win_rate"]
        assert exact["gain"] == pytest.approx(measured["win_rate"] - solved["win_rate"])
        assert exact["gain_ci95"][0] <= exact["gain"] <= exact["gain_ci95"][1]

    plot = tmp_path / "reliability.svg"
    calibrated = document_of(
        ludex, "minesweeper", "calibrate", *BOARD, "--states", "30", "--net", str(file), "--output", str(plot)
    )
    assert plot.read_text().startswith("<?xml")
    assert calibrated["states"] == 30
    assert sum(one[0] for one in calibrated["bins"]) == calibrated["cells"] > 30
    assert 0.0 <= calibrated["ece"] <= calibrated["mean_error"] <= 1.0


def test_training_from_files_is_training_from_games(ludex: Ludex, own_folders: Path, tmp_path: Path) -> None:
    """Chunks made by two processes and read back give the very weights that chunks made on the way give."""
    changes = [part for key, value in TINY.items() if key != "device" for part in ("--set", f"{key}={value}")]
    common = ["--config", "miniature", *changes]
    data = str(tmp_path / "data")
    made = document_of(ludex, "minesweeper", "examples", data, *common, "--chunks", "3", "--workers", "2")
    assert (made["chunks"], made["made"], made["games"]) == (3, 3, 36)
    assert made["examples"] > 30
    made = document_of(ludex, "minesweeper", "examples", data, *common, "--chunks", "6")
    assert (made["chunks"], made["made"]) == (6, 3)

    training = ["train", "minesweeper", *common, "--device", "cpu", "--stage", "il"]
    here = document_of(ludex, *training)
    there = document_of(ludex, *training, "--set", f"imitation.dataset={data}")
    assert Path(here["net"]).read_bytes() == Path(there["net"]).read_bytes()

    other = ludex(*training, "--set", f"imitation.dataset={data}", "--set", "starts=[safe]")
    assert other.returncode == 2
    assert "imitation.dataset:" in other.stderr
    assert "was made by a configuration with other starts" in other.stderr
    mixed = ludex("minesweeper", "examples", data, *common, "--chunks", "6", "--set", "seed=9")
    assert mixed.returncode == 4
    assert "made by another recipe, which differs in seed" in mixed.stderr


def test_a_device_that_is_not_there_is_named(ludex: Ludex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    result = ludex("minesweeper", "measure", str(tmp_path / "net.pt"), "--device", "cuda")
    assert result.returncode == 2
    assert "error [bad_config]: device: there is no CUDA device here; expected auto or cpu" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["train", "minesweeper", "--stage", "rl"], "stage"),
        (["train", "minesweeper", "--stage", "ppo"], "finetune.kl_coef must be 0 where PPO begins from scratch"),
        (["train", "minesweeper", "--set", "env.H=12"], "key 'env.H': boards and starts name the boards"),
        (["minesweeper", "export", "missing.pt", "--output", "x.onnx"], "missing.pt"),
        (["minesweeper", "export", "missing.pt", "--output", "x.bin"], "ends in .onnx"),
        (["minesweeper", "measure", "missing.pt"], "missing.pt"),
        (["minesweeper", "examples", "x", "--chunks", "1", "--set", "imitation.games=1"], "imitation.games"),
        (["train", "minesweeper", "--device", "cpu", "--set", "imitation.dataset=nowhere"], "shards.jsonl"),
        (["minesweeper", "calibrate", "--output", "x.gif"], "ends in .svg or .png"),
        (["minesweeper", "calibrate", "--net", "missing.onnx"], "missing.onnx"),
    ],
)
def test_bad_input_is_named(ludex: Ludex, arguments: list[str], said: str) -> None:
    result = ludex(*arguments)
    assert result.returncode != 0
    assert said in result.stderr
    assert "Traceback" not in result.stderr
