"""The environments as Gymnasium makes and checks them."""

from typing import Any

import gymnasium
import numpy as np
import pytest

import ludex.envs.gymnasium  # noqa: F401 - registers the environments
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.env.env import MinesweeperEnv, VecMinesweeper
from ludex.games.minesweeper.env.gym import MinesweeperGym, MinesweeperVectorGym
from ludex.games.minesweeper.rules.layout import EpisodeOver

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


def test_the_vector_is_the_seeds_vector() -> None:
    vector, seeds = made_vector(3), VecMinesweeper(3, EnvConfig(), 0, seeds=[4, 5, 6])
    assert isinstance(vector, MinesweeperVectorGym)
    (obs, _), observed = vector.reset(seed=[4, 5, 6]), seeds.reset()
    rng = np.random.default_rng(0)
    ended = 0
    for _ in range(60):
        masks = vector.action_masks()
        assert (masks == observed["action_mask"]).all()
        assert (obs == observed["obs"]).all()
        assert vector.observation_space.contains(obs)
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        obs, reward, terminated, truncated, info = vector.step(actions)
        observed, seeds_reward, done, seeds_info = seeds.step(actions)
        assert (reward == seeds_reward).all()
        assert ((terminated | truncated) == done).all()
        if done.any():
            ended += int(done.sum())
            assert (info["_final_obs"] == done).all()
            assert (info["final_obs"][done] == seeds_info["final_obs"]["obs"][done]).all()
    assert ended > 5


def test_a_vector_steps_after_a_reset_only_and_draws_nothing() -> None:
    with pytest.raises(EpisodeOver, match="call reset"):
        MinesweeperVectorGym(2).step(np.zeros(2, np.int64))
    with pytest.raises(ValueError, match="draws nothing"):
        MinesweeperVectorGym(2, render_mode="ansi")
