"""The window of positions: what is learned from, and what a checkpoint restores."""

import weakref
from pathlib import Path

import numpy as np
import pytest
import torch

from ludex.core.errors import BadRun
from ludex.learn.alphazero.replay import Replay, delete_chunks
from ludex.learn.alphazero.selfplay import Samples

CPU = torch.device("cpu")


def numbered(first: int, count: int) -> Samples:
    """Positions whose score is their number."""
    number = np.arange(first, first + count, dtype=np.float32)
    seen, policies = np.zeros((count, 1, 2, 2), np.float16), np.full((count, 3), 1 / 3, np.float16)
    return Samples(seen, policies, number, number, number, np.zeros((count, 0, 2, 2), np.int8))


def owned(first: int, count: int) -> Samples:
    """Such positions, whose cells are 1 where the number is odd and -1 where it is even."""
    signs = np.where(np.arange(first, first + count) % 2, 1, -1).astype(np.int8)
    return numbered(first, count)._replace(ownership=np.tile(signs[:, None, None, None], (1, 3, 2, 2)))


def replay(window: int = 100, growth: float = 1.0, owned_planes: int = 0) -> Replay:
    return Replay((1, 2, 2), 3, window, growth, CPU, owned_planes=owned_planes)


def drawn(held: Replay, seed: int = 0) -> list[float]:
    scores: list[float] = held.sample(400, torch.Generator().manual_seed(seed)).scores.tolist()
    return scores


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
    delete_chunks(tmp_path, states[-1]["first"])
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


def test_what_became_of_cells_is_kept_with_their_positions(tmp_path: Path) -> None:
    held = replay(owned_planes=3)
    for first in range(0, 240, 40):
        held.add(owned(first, 40))
    state = held.save(tmp_path)
    other = replay(owned_planes=3)
    other.load(tmp_path, state)
    for window in (held, other):
        batch = window.sample(200, torch.Generator().manual_seed(1))
        assert batch.ownership.shape == (200, 3, 2, 2)
        signs = torch.where(batch.scores % 2 == 1, 1.0, -1.0)
        assert torch.equal(batch.ownership, signs[:, None, None, None].expand(-1, 3, 2, 2))


def test_files_of_earlier_versions_are_read_where_nothing_is_learned_of_cells(tmp_path: Path) -> None:
    held = replay()
    held.add(numbered(0, 40))
    state = held.save(tmp_path)
    with np.load(tmp_path / "000000.npz") as file:
        assert {*file} == {"first", "observations", "policies", "scores", "searched", "moves_left"}
    replay().load(tmp_path, state)
    with pytest.raises(BadRun, match=r"000000.npz: expected arrays .*ownership: .*ownership.npy"):
        replay(owned_planes=3).load(tmp_path, state)
