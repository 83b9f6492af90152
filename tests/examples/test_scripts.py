"""The scripts of `examples/`, each in miniature."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import ludex
from ludex.arena.ugi_agent import UgiAgent
from ludex.core.limit import Limit

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def run_python(*command: str, folder: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "LUDEX_RUNS": str(folder / "runs")}
    result = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.full
def test_a_network_is_trained_and_its_calibration_plotted(tmp_path: Path) -> None:
    script = str(EXAMPLES / "minesweeper_in_five_minutes.py")
    small = ("--steps", "2", "--games", "8", "--states", "10")
    measured = json.loads(run_python(script, *small, "--output", "plot.svg", folder=tmp_path))
    assert measured["states"] >= 10
    assert (tmp_path / "plot.svg").read_text().count("<path") > 3
    (run,) = (tmp_path / "runs").iterdir()
    assert (run / "net.onnx").stat().st_size > 1000


@pytest.mark.full
def test_alphazero_learns_a_game_and_meets_a_search(tmp_path: Path) -> None:
    script = str(EXAMPLES / "alphazero_connect_four.py")
    keys = ("self_play.games=8", "self_play.plies=8", "search.simulations=4", "learning.batch=8", "net.channels=8")
    changes = [word for change in (*keys, "net.blocks=1", "iterations=2") for word in ("--set", change)]
    small = ("--game", "tictactoe", "--minutes", "1", "--games", "2", "--nodes", "8")
    output = run_python(script, *small, *changes, folder=tmp_path)
    assert "2 games on tictactoe 3x3x3" in output
    (run,) = (tmp_path / "runs").iterdir()
    assert (run / "net.onnx").stat().st_size > 1000


@pytest.mark.full
def test_maskable_ppo_trains_on_a_game(tmp_path: Path) -> None:
    small = ("--steps", "32", "--rollout", "32", "--games", "4")
    output = run_python(str(EXAMPLES / "sb3_maskable_ppo.py"), *small, folder=tmp_path)
    assert [line.partition(":")[0] for line in output.splitlines()] == ["untrained", "trained for 32 steps"]


@pytest.mark.full
def test_rllib_trains_on_a_game(tmp_path: Path) -> None:
    small = ("--steps", "64", "--rollout", "64", "--games", "4")
    output = run_python(str(EXAMPLES / "rllib_ppo.py"), *small, folder=tmp_path)
    before, after = output.splitlines()
    assert before.startswith("untrained: won ")
    # RLlib rounds the length of a rollout up.
    assert 64 <= int(after.removeprefix("trained for ").split()[0]) < 128


def test_an_engine_in_javascript_beats_chance_and_never_loses_to_it(tmp_path: Path) -> None:
    engine = f"ugi:\"node '{EXAMPLES / 'ugi_engine' / 'engine.mjs'}'\""
    terms = ("--games", "6", "--movetime", "2000", "--seed", "1", "--json")
    played = json.loads(
        run_python("-m", "ludex", "match", "tictactoe", "--agents", f"{engine},random", *terms, folder=tmp_path)
    )
    wins, losses = played["wins"]
    assert (played["games"], losses, wins >= 3) == (6, 0, True)


def test_every_example_is_listed() -> None:
    listed = (EXAMPLES / "README.md").read_text()
    for path in EXAMPLES.iterdir():
        assert path.name in listed, path.name


@pytest.mark.parametrize("name", [path.name for path in sorted(EXAMPLES.glob("*.py"))])
def test_a_script_says_how_it_is_used(name: str) -> None:
    lines = (EXAMPLES / name).read_text().splitlines()
    assert any(line.strip().startswith(f"python examples/{name}") for line in lines)


CELLS = [column + row for row in "123" for column in "abc"]
UCI_ENGINE = """
import sys
cells = [column + row for row in "123" for column in "abc"]
moves = []
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("id name First", "uciok", sep="\\n", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        moves = words[3:]
    elif words[0] == "go":
        print("bestmove", next(cell for cell in cells if cell not in moves), flush=True)
    elif words[0] == "quit":
        break
    elif words[0] != "ucinewgame":
        print("info string error unknown", words[0], flush=True)
"""


def test_an_engine_that_speaks_uci_plays_through_the_bridge(tmp_path: Path) -> None:
    engine = tmp_path / "engine.py"
    engine.write_text(UCI_ENGINE)
    command = shlex.join([sys.executable, str(EXAMPLES / "uci_bridge.py"), sys.executable, str(engine)])
    game = ludex.make("tictactoe")
    agent = UgiAgent(game, command)
    match = ludex.play(game, [agent, ludex.make_agent(game, "random")], seed=1, limit=Limit(time_ms=2000))
    agent.close()
    texts = [move.text for move in match.moves]
    assert texts[0] == "a1"
    for ply in range(2, len(texts), 2):
        assert texts[ply] == next(cell for cell in CELLS if cell not in texts[:ply])


def test_passes_go_no_further_than_the_bridge_for_rhino(tmp_path: Path) -> None:
    program, diary = ROOT / "tests" / "arena" / "gtp_programs.py", tmp_path / "diary"
    command = [sys.executable, str(EXAMPLES / "rhino_bridge.py"), sys.executable, str(program), "good", str(diary)]
    commands = "play black a1\nplay white PASS\ngenmove black\nquit\n"
    result = subprocess.run(command, input=commands, capture_output=True, text=True, check=True, timeout=60)
    assert result.stdout.split() == ["=", "=", "=", "B2"]
    assert diary.read_text() == "play black a1\ngenmove black\nquit\n"
