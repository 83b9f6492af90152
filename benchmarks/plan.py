"""Everything that is measured: which command writes which document, in earnest and to try it out."""

import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.documents import ROOT


@dataclass(frozen=True, slots=True)
class Measurement:
    """One document of figures."""

    name: str
    module: tuple[str, ...]
    """The module that measures, with its arguments."""
    full: tuple[str, ...] = ()
    brief: tuple[str, ...] = ()
    """Arguments that only show that it works; the figures say nothing."""
    jax: bool = False
    """Whether its peer needs JAX, which may be installed apart."""

    def command(self, python: str, *, brief: bool) -> list[str]:
        return [python, "-m", *self.module, *(self.brief if brief else self.full)]


def _speed(game: str, *, jax: bool = False) -> Measurement:
    return Measurement(game, ("ludex", "bench", game, "--json"), ("--seconds", "2"), ("--seconds", "0.02"), jax)


def _strength(name: str) -> Measurement:
    return Measurement(name, ("benchmarks.again", name), brief=("--games", "2"))


MEASUREMENTS = (
    _speed("tictactoe"),
    Measurement("tictactoe-pgx", ("benchmarks.tictactoe_pgx",), brief=("--seconds", "0.02"), jax=True),
    _speed("quoridor"),
    _speed("minesweeper", jax=True),
    Measurement("skirmish", ("benchmarks.skirmish_speed",), ("--seconds", "2"), ("--seconds", "0.02")),
    Measurement("minesweeper-ppo", ("benchmarks.minesweeper_ppo",), brief=("--updates", "1", "--lanes", "4")),
    Measurement("minesweeper-net-speed", ("benchmarks.minesweeper_net_speed",), brief=("--moves", "3")),
    Measurement("mcts", ("benchmarks.mcts",), brief=("--games", "2", "--simulations", "20")),
    Measurement(
        "alphazero-peer",
        ("benchmarks.alphazero_peer",),
        ("--seconds", "12"),
        ("--seconds", "0.1", "--games", "4", "--simulations", "4", "--channels", "4", "--blocks", "1"),
    ),
    Measurement("web_health", ("benchmarks.web_health",), brief=("--requests", "20", "--rounds", "1")),
    Measurement(
        "web_load", ("benchmarks.web_load",), brief=("--games", "1", "--caches", "warm", "--paced", "--seconds", "1")
    ),
    Measurement("web_crowd", ("benchmarks.web_load", "crowd"), brief=("--games", "2", "--seconds", "4")),
    Measurement("web_pair", ("benchmarks.web_load", "pair"), brief=("--games", "2", "--crowd", "2", "--seconds", "2")),
    Measurement("attack", ("benchmarks.attack",), brief=("--only", "absurd options", "database mode")),
    Measurement("startup", ("benchmarks.startup",)),
    Measurement("web_repaint", ("benchmarks.web_repaint",), brief=("--clicks", "2")),
    Measurement("first_paint", ("benchmarks.first_paint",), brief=("--visits", "1")),
    Measurement("web_soak", ("benchmarks.soak",), brief=("--matches", "8", "--most-growth", "9")),
    Measurement(
        "scaling",
        ("benchmarks.scaling",),
        ("--boards", "1500", "--games", "16", "--repeat", "3"),
        ("--boards", "8", "--games", "4", "--repeat", "1"),
    ),
    *map(
        _strength,
        (
            "levels",
            "tictactoe-strength",
            "quoridor-strength",
            "skirmish_ladder",
            "minesweeper-strength",
            "minesweeper-boards-977",
            "minesweeper-calibration",
        ),
    ),
)
ELSEWHERE = {
    "minesweeper-net": "one NVIDIA H200: `ludex minesweeper measure --device cuda`",
    "minesweeper-net-977": "one NVIDIA H200: `python benchmarks/minesweeper_net.py imitated.pt --device cuda`",
    "minesweeper-milestones": "one NVIDIA H200: `python -m benchmarks.minesweeper_milestones --minutes 9 --out OUT`",
    "minesweeper-ppo-gpu": "one NVIDIA H200: `python -m benchmarks.minesweeper_ppo --device cuda --lanes 1024`",
    "skirmish-gpu": "one NVIDIA H200: `python -m benchmarks.skirmish_speed`",
    "skirmish-net": "one NVIDIA H200: `ludex skirmish measure net.pt --device cuda --workers 15 --lanes 1000`",
    "skirmish-contract": "one NVIDIA H200: `ludex train skirmish --config contract --device cuda`, then `measure`",
    "skirmish-maskable": "the log of a run: `ludex train skirmish --config miniature --trainer maskable_ppo`",
    "puzzles": "any machine: `python -m benchmarks.puzzle_proofs --count 200`",
    "review": "16 cores of x86-64: `python -m benchmarks.review --games 1000 --ladder-games 100 --workers 16 --write`",
    "skirmish-shipped": "16 cores of x86-64: `python -m benchmarks.again skirmish-shipped`",
    "alphazero-speed": "one NVIDIA H200: `python -m benchmarks.alphazero_speed --device cuda`",
    "alphazero-workers": "16 cores: `python -m benchmarks.alphazero_workers --runs RUNS`",
    "alphazero-pgx": "one NVIDIA H200: `python -m benchmarks.alphazero_pgx`",
    "alphazero": "networks and runs of the learner: `python -m benchmarks.alphazero JUDGE --name NAME`",
    "alphazero-ownership": "with `examples/connect_four`: `python -m benchmarks.alphazero_ownership --runs RUNS`",
    "minesweeper-ppo-curves": "the log of a run: `python -m benchmarks.minesweeper_ppo_curve`",
}
"""Documents that this command leaves alone, and where they come from."""


@dataclass(frozen=True, slots=True)
class Done:
    """How a measurement went."""

    name: str
    seconds: float
    error: str | None


def measured(
    measurements: Iterable[Measurement], into: Path, *, brief: bool, python: str = sys.executable, jax_python: str
) -> Iterable[Done]:
    """Take the measurements one after the other. One that fails leaves its old figures, and the rest go on."""
    for measurement in measurements:
        begin = time.monotonic()
        error = _taken(measurement, into, measurement.command(jax_python if measurement.jax else python, brief=brief))
        yield Done(measurement.name, time.monotonic() - begin, error)


def _taken(measurement: Measurement, into: Path, command: list[str]) -> str | None:
    if measurement.module[0] == "ludex":
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            into.mkdir(parents=True, exist_ok=True)
            (into / f"{measurement.name}.json").write_text(done.stdout)
    else:
        done = subprocess.run([*command, "--into", str(into)], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return None
    return (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
