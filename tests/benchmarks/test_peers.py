"""The benchmark beside planted peers, and what it says where peers are missing."""

import os
import sys
from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest

from benchmarks.peers import minesweeper as peers
from ludex.core.errors import MissingDependency
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.tools.profile import RandomPlay
from ludex.kernels.jit import most_threads


@pytest.mark.full
def test_every_row_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []

    def planted(*size: int) -> Callable[[], int]:
        sizes.append(size)
        return lambda: 1

    monkeypatch.setattr(peers, "jumanji_play", planted)
    monkeypatch.setattr(peers, "batched_rl_play", planted)
    rows = peers.bench(0.001)
    assert sizes == [(10, 10, 10, 256), (16, 30, 99, 256)]
    assert all(row.ours > 0 for row in rows)
    steps = [row for row in rows if row.unit == "steps per CPU-second"]
    names = ("8x8x10", "10x10x10", "16x16x40", "16x30x99")
    assert [row.name for row in steps[:8]] == [f"{size}, {n} lanes, one thread" for size in names for n in (256, 1024)]
    beside = [(row.name.partition(",")[0], row.peer_name) for row in steps if row.peer is not None]
    assert beside == [("10x10x10", peers.JUMANJI), ("16x30x99", peers.BATCHED_RL)] * 2
    unit = f"steps per second of the clock, {most_threads()} threads"
    assert sum(row.unit == unit for row in rows) == 8
    games = {row.name: row.ours for row in rows if row.unit == "games per CPU-second"}
    micros = {row.name: row.ours for row in rows if row.unit == "CPU-microseconds a game"}
    assert list(games) == list(micros) == ["expert on 9x9x10", "expert on 16x16x40", "expert on 16x30x99"]
    assert all(games[name] * micros[name] == pytest.approx(1e6) for name in games)
    counted = [row for row in rows if row.unit == "positions per CPU-second"]
    assert [row.peer_name for row in counted] == ["ms_toollib"]
    assert counted[0].peer is not None


def test_one_core_is_used_and_the_others_come_back() -> None:
    before = os.sched_getaffinity(0)
    with peers._one_core():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before


@pytest.mark.slow
def test_positions_are_of_the_middle_of_games() -> None:
    positions = peers._mid_games(peers.EXPERTS)
    shares = [float((numbers >= 0).sum()) / 381 for numbers in positions]
    assert len(positions) >= 20
    assert all(numbers.shape == (16, 30) for numbers in positions)
    assert all(1 / 3 <= share < 1 for share in shares)
    assert min(shares) < 0.5 < 2 / 3 <= max(shares)


def test_random_play_does_what_it_counts() -> None:
    play = RandomPlay(EnvConfig(), 300)
    steps = play.play()
    assert steps >= 20_000
    assert steps % 300 == 0
    assert play.draw() == steps
    assert play._lanes.episode.min() > 0


def test_missing_peers_are_named_with_their_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(MissingDependency, match=r"jax is not installed: pip install 'ludex\[peers\]'"):
        peers.jumanji_play(10, 10, 10, 256)
    monkeypatch.setitem(sys.modules, "jax", ModuleType("jax"))
    monkeypatch.setitem(sys.modules, "jumanji.environments.logic.minesweeper.env", None)
    with pytest.raises(MissingDependency, match="jumanji is not installed"):
        peers.jumanji_play(10, 10, 10, 256)
    monkeypatch.setitem(sys.modules, "minesweeper_env_rl.env", None)
    with pytest.raises(MissingDependency, match=r"pip install --no-deps minesweeper-env-rl==0\.9\.0"):
        peers.batched_rl_play(16, 30, 99, 256)
    monkeypatch.setitem(sys.modules, "minesweeper_env_rl", ModuleType("minesweeper_env_rl"))
    monkeypatch.setitem(sys.modules, "minesweeper_env_rl.env", ModuleType("minesweeper_env_rl.env"))
    with pytest.raises(MissingDependency, match=r"this version .* has no batched environment"):
        peers.batched_rl_play(16, 30, 99, 256)
    monkeypatch.setitem(sys.modules, "ms_toollib", None)
    with pytest.raises(MissingDependency, match="ms_toollib is not installed"):
        peers.toollib_probabilities([np.zeros((2, 2), np.int8)], 1)
