"""Many boards at once: each lane is a single environment, however many there are and however they are stepped."""

import gc
import tracemalloc
from typing import Any

import numpy as np
import pytest

from ludex.core.seeding import MASK
from ludex.games.minesweeper.env.buffers import REST
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.env.env import MinesweeperEnv, VecMinesweeper
from ludex.games.minesweeper.env.lanes import Lanes
from ludex.kernels.jit import most_threads
from ludex.kernels.sampling import RandomActions

CONFIGS: dict[str, dict[str, Any]] = {
    "seed": {},
    "uint8": {"obs_dtype": "uint8"},
    "float16": {"obs_dtype": "float16", "progress_channel": True},
    "channels": {"frontier_channel": True, "remaining_mines_channel": True, "progress_channel": True},
    "frontier": {"frontier_mask": True, "reveal_only": True},
    "band": {"density_band": (0.1, 0.3), "random_first_click": True, "frontier_channel": True, "frontier_mask": True},
    "safe": {"guarantee_safe_neighborhood": False, "use_flag_shaping": True, "remaining_mines_channel": True},
    "none": {"guarantee_safe_neighborhood": False, "first_click_safe": False, "random_first_click": True},
    "short": {"max_steps": 3},
    "no guess": {"no_guess": True, "frontier_channel": True},
    "no guess frontier": {"no_guess": True, "frontier_mask": True, "density_band": (0.1, 0.2)},
    "wide": {"H": 5, "W": 17, "mine_count": 12},
    "expert": {"H": 16, "W": 30, "mine_count": 99, "obs_dtype": "uint8"},
    "dense": {"H": 4, "W": 4, "mine_count": 12, "guarantee_safe_neighborhood": False},
}
THREADS = [1, 2]


def at_most(threads: int) -> int:
    """As many threads as there are."""
    return min(threads, most_threads())


@pytest.mark.slow
@pytest.mark.parametrize(("seeds", "threads"), [(None, 1), ([5, 5, 0, MASK, 17], 2)])
@pytest.mark.parametrize("name", CONFIGS)
def test_every_lane_is_a_single_environment(name: str, seeds: list[int] | None, threads: int) -> None:
    cfg, lanes = EnvConfig(**CONFIGS[name]), 5
    vec = VecMinesweeper(lanes, cfg, seed=11, seeds=seeds, threads=at_most(threads))
    singles = (
        [MinesweeperEnv(cfg, seed) for seed in seeds]
        if seeds
        else [MinesweeperEnv(cfg, 11, lane=lane) for lane in range(lanes)]
    )
    observed = vec.reset()
    alone = [env.reset() for env in singles]
    rng = np.random.default_rng(0)
    ended = 0
    for step in range(120):
        if name in ("channels", "no guess") and step % 7 == 0:
            vec.set_frontier_mask(step % 2 == 0)
            for env in singles:
                env.set_frontier_mask(step % 2 == 0)
            alone = [env._observation() for env in singles]
        for lane, seen in enumerate(alone):
            assert (observed["obs"][lane] == seen["obs"]).all()
            assert (observed["action_mask"][lane] == seen["action_mask"]).all()
            assert (vec.lanes.numbers[lane] == singles[lane].numbers).all()
        # One action in eight is any at all, so that some are invalid.
        actions = np.array(
            [
                rng.integers(-2, cfg.num_actions + 2) if rng.random() < 0.125 else rng.choice(np.flatnonzero(mask))
                for mask in observed["action_mask"]
            ]
        )
        observed, reward, done, info = vec.step(actions)
        final = info["final_obs"]["obs"]
        for lane, env in enumerate(singles):
            seen, single_reward, single_done, single = env.step(int(actions[lane]))
            assert reward[lane] == np.float32(single_reward)
            assert done[lane] == single_done
            for key in ("terminated", "truncated", "won", "new_cells", "invalid"):
                assert info[key][lane] == single[key], key
            assert info["components"][lane].tolist() == list(single["components"].values())
            if single_done:
                ended += 1
                assert (final[lane] == seen["obs"]).all()
                assert (vec.lanes.final_mines[lane] == env.mine_mask).all()
                seen = env.reset()
            alone[lane] = seen
    assert ended > 5
    assert vec.lanes.episode.sum() == ended


@pytest.mark.slow
@pytest.mark.parametrize(("lanes", "threads"), [(1, 1), (2, 1), (7, 2), (65_536, 1), (65_536, 2)])
def test_any_number_of_lanes_steps(lanes: int, threads: int) -> None:
    batch = Lanes(EnvConfig(H=4, W=4, mine_count=3, obs_dtype="uint8"), lanes, threads=at_most(threads))
    batch.reset(3)
    sampler = RandomActions(lanes, 1, 0)
    for _ in range(30):
        batch.step(sampler.draw(batch.mask))
        assert not batch.invalid.any()
    assert batch.episode.mean() > 2
    assert len(np.unique(batch.obs[:1000].reshape(-1, batch.obs[0].size), axis=0)) > min(lanes, 100) // 2


@pytest.mark.parametrize("lanes", [0, 65_537])
def test_a_wrong_number_of_lanes_is_refused(lanes: int) -> None:
    with pytest.raises(ValueError, match=rf"lanes must be in 1\.\.65536, found {lanes}"):
        Lanes(EnvConfig(), lanes)


def test_a_wrong_number_of_threads_or_seeds_is_refused() -> None:
    with pytest.raises(ValueError, match=r"threads must be in 1\.\.\d+, found 0"):
        Lanes(EnvConfig(), 1, threads=0)
    with pytest.raises(ValueError, match="expected 2 seeds, one per lane, found 3"):
        Lanes(EnvConfig(), 2).reset([1, 2, 3])
    for seed in (-1, 1 << 128):
        with pytest.raises(ValueError, match=r"seed must be in 0\.\.2\*\*128-1"):
            Lanes(EnvConfig(), 2).reset(seed)


def test_without_auto_reset_a_finished_lane_rests_until_the_reset() -> None:
    batch = Lanes(EnvConfig(), 3, auto_reset=False)
    batch.reset(1)
    batch.step(np.full(3, 27))
    mine = int(np.flatnonzero(batch.mine_mask[0])[0])
    batch.step(np.array([mine, REST, 64 + 1 if batch.mask[2, 65] else REST]))
    assert batch.over.tolist() == [True, False, False]
    assert batch.terminated.tolist() == [True, False, False]
    assert not batch.mask[0].any()
    assert batch.plies[:2].tolist() == [2, 1]
    before = batch.cells.copy(), batch.obs.copy(), batch.plies.copy()
    batch.step(np.array([5, REST, REST]))
    assert not batch.terminated.any()
    assert not batch.reward.any()
    assert not batch.invalid.any()
    assert np.array_equal(before[0], batch.cells)
    assert np.array_equal(before[1], batch.obs)
    assert np.array_equal(before[2], batch.plies)
    batch.reset()
    assert not batch.over.any()
    assert batch.episode.tolist() == [1, 1, 1]


@pytest.mark.slow
@pytest.mark.parametrize("threads", THREADS)
def test_a_step_allocates_nothing_that_grows_with_the_lanes(threads: int) -> None:
    batch = Lanes(EnvConfig(H=16, W=16, mine_count=40), 512, threads=at_most(threads))
    batch.reset(0)
    sampler = RandomActions(512, 1, 0)
    for _ in range(3):
        batch.step(sampler.draw(batch.mask))
    gc.collect()

    def peak() -> int:
        tracemalloc.start()
        try:
            begin = tracemalloc.get_traced_memory()[0]
            for _ in range(20):
                batch.step(sampler.draw(batch.mask))
            return tracemalloc.get_traced_memory()[1] - begin
        finally:
            tracemalloc.stop()

    # Threads that other tests left allocate too: the least of a few tries is the step's own.
    least = min(peak() for _ in range(4))
    assert batch.episode.sum() > 512
    # Arguments on their way into a kernel; the smallest array of a lane's own would be 512 bytes and more.
    assert least < 8_000


def test_the_vector_environment_gives_the_same_arrays_every_step() -> None:
    vec = VecMinesweeper(4, EnvConfig(), 0)
    first = vec.reset()
    observed, reward, done, info = vec.step(np.full(4, 27))
    again, reward_again, done_again, info_again = vec.step(np.full(4, 64))
    assert first["obs"] is observed["obs"] is again["obs"]
    assert reward is reward_again
    assert done is done_again
    assert info is info_again
