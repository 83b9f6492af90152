"""The environments for Gymnasium, alone and as a vector."""

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest

import ludex.envs.gymnasium  # noqa: F401 - registers the environments
from ludex.core.errors import IllegalAction
from ludex.core.seeding import OPENING
from ludex.games.skirmish.env.gym import SkirmishGym, SkirmishVectorGym
from ludex.games.skirmish.env.opponent_batch import OpponentBatch, Seat
from ludex.games.skirmish.rules.illegal_actions import DeploymentDeadlockError
from ludex.kernels.sampling import RandomActions


def played(env: SkirmishGym, seed: int | None) -> tuple[float, dict[str, Any], list[int]]:
    """Random legal actions to the end: the sum of rewards, the last info, and the player of every step."""
    choice = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    total, players = 0.0, []
    while True:
        players.append(info["player"])
        action = choice.choice(np.flatnonzero(env.action_masks()))
        observed, reward, terminated, truncated, info = env.step(action)
        total += reward
        assert not truncated
        assert env.observation_space.contains(observed)
        if terminated:
            return total, info, players


@pytest.mark.parametrize(("seat", "opponent"), [(1, "random"), (2, "random"), ("both", None)])
def test_a_game_runs_to_its_end_and_reports_the_outcome(seat: Seat, opponent: str | None) -> None:
    env = SkirmishGym("small", seat=seat, opponent=opponent)
    total, info, players = played(env, 3)
    assert info["phase"] == "over"
    assert info["player"] is None
    assert not info["action_mask"].any()
    assert info["score"] in (-1.0, 0.0, 1.0)
    assert info["reason"] in ("annihilation", "points", "surviving value", "equal points and value")
    assert set(players) == ({1, 2} if seat == "both" else {seat})
    assert seat == "both" or np.sign(total) == info["score"]


@pytest.mark.slow
def test_a_reset_in_the_middle_begins_the_next_game_and_a_seed_the_same_one() -> None:
    env = SkirmishGym("small", seat=1, opponent="random")
    first, _ = env.reset(seed=5)
    env.step(np.int64(env.action_masks().argmax()))
    again, info = env.reset()
    assert info["phase"] == "deployment"
    assert again["planes"].tolist() == first["planes"].tolist()
    assert played(env, 6)[:1] == played(env, 6)[:1]


def test_a_forbidden_action_raises_counts_and_changes_nothing() -> None:
    env = SkirmishGym("small", seat=1, opponent="random")
    env.reset(seed=1)
    before = env.action_masks()
    with pytest.raises(IllegalAction):
        env.step(np.int64(np.flatnonzero(~before)[0]))
    assert env.metrics.invalid_attempts == 1
    assert (env.action_masks() == before).all()


def test_a_deadlock_stops_the_learner_with_the_error_and_is_counted() -> None:
    env = SkirmishGym("cramped", seat=1, opponent="greedy")
    with pytest.raises(DeploymentDeadlockError):
        played(env, 1)
    assert env.metrics.named()["deployment_deadlock_count"] == 1


@pytest.mark.slow
def test_the_vector_is_the_batch_with_copies() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make_vec(
            "ludex/Skirmish-v0",
            num_envs=3,
            vectorization_mode="vector_entry_point",
            preset="small",
            seat="alternating",
            opponent="random",
        )
    assert isinstance(env, SkirmishVectorGym)
    batch = OpponentBatch(env.batch.game, 3, seat="alternating", opponent="random")
    obs, info = env.reset(seed=8)
    assert env.observation_space.contains(obs)
    batch.reset(env.batch.seed)
    sampler, ended = RandomActions(3, 2, OPENING), 0
    for _ in range(130):
        actions = sampler.draw(info["action_mask"]).copy()
        copies = {name: array.copy() for name, array in obs.items()}
        before = obs
        obs, reward, terminated, truncated, info = env.step(actions)
        assert all((before[name] == copies[name]).all() for name in copies)
        expected, expected_reward, over, _, expected_info = batch.step(actions)
        assert all((obs[name] == expected[name]).all() for name in obs)
        assert (info["action_mask"] == expected_info["mask"]).all()
        assert (info["player"] == expected_info["player"] + 1).all()
        assert reward.tolist() == expected_reward.tolist()
        assert terminated.tolist() == over.tolist()
        assert not truncated.any()
        assert ("score" in info) == bool(over.any())
        for lane in np.flatnonzero(over).tolist():
            ended += 1
            assert all(info[name][lane] for name in ("_score", "_final_obs", "_reason"))
            assert info["score"][lane] == expected_info["score"][lane]
            assert info["reason"][lane]
            assert (info["final_obs"]["vector"][lane] == expected_info["final_obs"]["vector"][lane]).all()
    assert ended >= 3
    assert env.metrics.games == ended


def test_one_seed_serves_all_lanes() -> None:
    env = SkirmishVectorGym(2, "small", seat="both")
    with pytest.raises(ValueError, match="one seed serves all lanes"):
        env.reset(seed=[1, 2])
    env.reset(seed=1)
    episodes = env.batch.episode.copy()
    env.reset()
    assert (env.batch.episode == episodes + 1).all()
