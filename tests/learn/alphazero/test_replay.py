"""The window of positions: what is learned from, and what a checkpoint restores."""

import weakref
from pathlib import Path

import numpy as np
import torch

from ludex.learn.alphazero.replay import Replay, tidy
from ludex.learn.alphazero.samples import Samples

CPU = torch.device("cpu")


def numbered(first: int, count: int) -> Samples:
    """Positions whose score is their number."""
    number = np.arange(first, first + count, dtype=np.float32)
    return Samples(
        np.zeros((count, 1, 2, 2), np.float16), np.full((count, 3), 1 / 3, np.float16), number, number, number
    )


def replay(window: int = 100, growth: float = 1.0) -> Replay:
    return Replay((1, 2, 2), 3, window, growth, CPU)


def drawn(held: Replay, seed: int = 0) -> list[float]:
    found: list[float] = held.sample(400, torch.Generator().manual_seed(seed)).scores.tolist()
    return found


def test_only_the_last_positions_are_drawn() -> None:
    held = replay()
    for first in range(0, 250, 50):
        held.add(numbered(first, 50))
    assert (held.total, held.size) == (250, 100)
    assert set(drawn(held)) <= set(map(float, range(150, 250)))
    assert len(set(drawn(held))) > 90


def test_a_chunk_larger_than_the_window_leaves_its_last_positions() -> None:
    held = replay(window=30)
    held.add(numbered(0, 100))
    assert set(drawn(held)) == set(map(float, range(70, 100)))


def test_early_games_are_forgotten_while_the_window_grows() -> None:
    held = replay(window=1000, growth=0.5)
    held.add(numbered(0, 300))
    assert held.size == 150
    assert min(drawn(held)) >= 150


def test_positions_that_left_the_window_take_no_memory() -> None:
    held = replay()
    forgotten = weakref.ref((samples := numbered(0, 50)).scores)
    held.add(samples)
    del samples
    for first in (50, 100):
        assert forgotten() is not None
        held.add(numbered(first, 50))
    assert forgotten() is None


def test_a_restored_window_draws_the_same(tmp_path: Path) -> None:
    held = replay()
    states = []
    for first in range(0, 240, 40):
        held.add(numbered(first, 40))
        states.append(held.save(tmp_path))
    tidy(tmp_path, states[-1]["first"])
    held.add(numbered(999, 5))
    held.save(tmp_path)
    other = replay()
    other.load(tmp_path, states[-1])
    assert len(list(tmp_path.glob("*.npz"))) == states[-1]["next"] - states[-1]["first"]
    again = replay()
    for first in range(0, 240, 40):
        again.add(numbered(first, 40))
    assert drawn(other, 7) == drawn(again, 7)
    other.add(numbered(240, 40))
    again.add(numbered(240, 40))
    assert drawn(other, 8) == drawn(again, 8)
