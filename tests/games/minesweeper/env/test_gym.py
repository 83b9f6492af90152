"""The environments as Gymnasium makes and checks them."""

from typing import Any

import gymnasium
import numpy as np
import pytest

import ludex.envs.gymnasium  # noqa: F401 - registers the environments
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.env.env import MinesweeperEnv
from ludex.games.minesweeper.env.gym import MinesweeperGym, MinesweeperVectorGym
from ludex.games.minesweeper.rules.errors import EpisodeOver

ENV_ID = "ludex/Minesweeper-v0"


def made(**kwargs: Any) -> Any:
    """What `gymnasium.make` makes, without the wrappers."""
    return gymnasium.make(ENV_ID, **kwargs).unwrapped


def made_vector(lanes: int, **kwargs: Any) -> Any:
    return gymnasium.make_vec(ENV_ID, lanes, vectorization_mode="vector_entry_point", **kwargs)


def test_the_five_values_are_those_of_the_seeds_environment() -> None:
    env, seeds = made(), MinesweeperEnv(EnvConfig(), 5)
    assert isinstance(env, MinesweeperGym)
    obs, info = env.reset(seed=5)
    observed = seeds.reset()
    rng = np.random.default_rng(0)
    for _ in range(40):
        assert (obs == observed["obs"]).all()
        assert (env.action_masks() == observed["action_mask"]).all()
        assert (info["action_mask"] == env.action_masks()).all()
        action = rng.choice(np.flatnonzero(env.action_masks()))
        obs, reward, terminated, truncated, info = env.step(action)
        observed, seeds_reward, done, seeds_info = seeds.step(int(action))
        assert (reward, terminated, truncated) == (seeds_reward, seeds_info["terminated"], seeds_info["truncated"])
        if done:
            with pytest.raises(EpisodeOver):
                env.step(np.int64(0))
            (obs, info), observed = env.reset(), seeds.reset()


def test_without_a_seed_boards_differ_and_with_one_they_repeat() -> None:
    def opened(seed: int | None) -> list[int]:
        env = made()
        sums = []
        for number in range(6):
            env.reset(seed=seed if number == 0 else None)
            sums.append(int(env.step(27)[0].sum()))
        return sums

    assert opened(3) == opened(3)
    assert len(set(opened(3))) > 1
    assert opened(None) != opened(None)


def test_reveal_only_has_no_flags() -> None:
    env = made(reveal_only=True)
    env.reset(seed=0)
    assert env.action_space.n == 64
    assert env.action_masks().shape == (64,)
    assert env.step(64)[4]["invalid"]


def test_the_text_shows_numbers_flags_and_the_mine() -> None:
    env = made(H=3, W=3, mine_count=5, guarantee_safe_neighborhood=False, render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == "\n".join(["..."] * 3).replace("...", ". . .")
    env.step(0)
    mine = int(np.flatnonzero(env._lanes.mine_mask)[0])
    env.step(9 + mine)
    assert env.render().count("F") == 1
    env.step(mine)
    assert env.render().count("*") == 1
    assert made().render() is None
    with pytest.raises(ValueError, match="render_mode must be one of ansi or None, found 'human'"):
        MinesweeperGym(render_mode="human")


def test_the_vector_is_many_single_ones() -> None:
    vector = made_vector(3)
    assert isinstance(vector, MinesweeperVectorGym)
    singles = [made() for _ in range(3)]
    obs, _ = vector.reset(seed=[4, 5, 6])
    for seed, env in enumerate(singles, 4):
        env.reset(seed=seed)
    rng = np.random.default_rng(0)
    ended = 0
    for _ in range(60):
        masks = vector.action_masks()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        obs, reward, terminated, truncated, info = vector.step(actions)
        assert vector.observation_space.contains(obs)
        for lane, env in enumerate(singles):
            assert (masks[lane] == env.action_masks()).all()
            seen, single_reward, over, cut, _ = env.step(actions[lane])
            assert (reward[lane], terminated[lane], truncated[lane]) == (np.float32(single_reward), over, cut)
            if over or cut:
                ended += 1
                assert info["_final_obs"][lane]
                assert (info["final_obs"][lane] == seen).all()
                seen, _ = env.reset()
            assert (obs[lane] == seen).all()
    assert ended > 5


def test_the_vector_returns_copies_by_default() -> None:
    for copy in (True, False):
        vector = made_vector(2, copy=copy)
        first, _ = vector.reset(seed=0)
        vector.step(np.array([27, 27]))
        assert first.any() != copy


def test_a_vector_steps_after_a_reset_only_and_draws_nothing() -> None:
    with pytest.raises(EpisodeOver, match="call reset"):
        MinesweeperVectorGym(2).step(np.zeros(2, np.int64))
    with pytest.raises(ValueError, match="draws nothing"):
        MinesweeperVectorGym(2, render_mode="ansi")
