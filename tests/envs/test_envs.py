"""What the adapters have in common: seeds, seats, opponents, illegal actions, rewards."""

from typing import Any

import gymnasium
import numpy as np
import pytest

import ludex.envs
import ludex.envs.gymnasium
from ludex.core.errors import BadOption, GameOver, IllegalAction, Unsupported
from ludex.core.game import legal_actions
from ludex.envs.episode import ATTEMPTS
from ludex.envs.single import BatchVectorEnv


def first_legal(env: Any) -> int:
    return legal_actions(env.action_masks())[0]


def played(env: Any, seed: int | None = None) -> tuple[list[Any], float, dict[str, Any]]:
    """An episode of first legal actions: what was seen, the last reward and info."""
    obs, _ = env.reset(seed=seed)
    observations, reward, info, over = [obs], 0.0, {}, False
    while not over:
        obs, reward, terminated, truncated, info = env.step(first_legal(env))
        observations.append(obs)
        over = terminated or truncated
    return observations, float(reward), info


def test_one_learner_plays_every_seat_without_an_opponent() -> None:
    env = ludex.envs.gym("tictactoe")
    _, info = env.reset(seed=1)
    players = [env.step(np.int64(first_legal(env)))[4]["player"] for _ in range(3)]
    assert [info["player"], *players] == [0, 1, 0, 1]
    _, reward, info = played(env)
    assert (reward, info["scores"], info["reason"]) == (1.0, [1.0, -1.0], "line"), "the reward is that of the mover"
    assert not info["action_mask"].any()
    with pytest.raises(GameOver, match="call reset"):
        env.step(np.int64(0))


@pytest.mark.parametrize("player", [0, 1])
def test_an_opponent_takes_the_other_seat(player: int) -> None:
    env = ludex.envs.gym("tictactoe", opponent="perfect", player=player)
    obs, info = env.reset(seed=1)
    assert info["player"] == player
    assert obs["planes"].sum() == player, "the opponent has moved where it moves first"
    _, reward, info = played(env)
    assert reward == info["scores"][player] <= 0.0


def test_a_random_seat_and_every_episode_follow_from_the_seed() -> None:
    def run(seed: int) -> list[Any]:
        env = ludex.envs.gym("tictactoe", opponent="random", player="random", seed=seed)
        return [(env.reset()[1]["player"], played(env)[1:]) for _ in range(6)]

    def plain(values: list[Any]) -> list[Any]:
        return [(seat, reward, info["scores"]) for seat, (reward, info) in values]

    assert plain(run(3)) == plain(run(3)) != plain(run(4))
    assert {seat for seat, _ in run(3)} == {0, 1}


def test_illegal_actions_raise_cost_or_lose() -> None:
    strict = ludex.envs.gym("tictactoe", illegal="raise")
    strict.reset(seed=1)
    strict.step(np.int64(4))
    before = strict.action_masks()
    with pytest.raises(IllegalAction, match="action 4 is illegal here"):
        strict.step(np.int64(4))
    assert (strict.action_masks() == before).all()
    lenient = ludex.envs.gym("tictactoe")
    lenient.reset(seed=1)
    lenient.step(np.int64(4))
    assert lenient.step(np.int64(4))[1:4] == (-1.0, False, False)
    for _ in range(ATTEMPTS * 9 - 3):
        assert not lenient.step(np.int64(4))[3]
    assert lenient.step(np.int64(4))[1:4] == (-1.0, False, True)
    harsh = ludex.envs.gym("tictactoe", opponent="random", illegal="lose")
    harsh.reset(seed=1)
    _, reward, terminated, _, info = harsh.step(np.int64(99))
    assert (reward, terminated, info["reason"]) == (-1.0, True, "illegal action")
    zoo = ludex.envs.pettingzoo("tictactoe", illegal="lose")
    zoo.reset(seed=1)
    zoo.step(4)
    zoo.step(4)
    assert zoo.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert all(zoo.terminations.values())


@pytest.mark.parametrize(
    ("keywords", "complaint"),
    [
        ({"illegal": "ignore"}, "illegal must be one of raise, penalty, lose, found 'ignore'"),
        ({"player": 1}, "player=1 needs an opponent="),
        ({"opponent": "random", "player": 2}, "player must be 0, 1 or 'random', found 2"),
        ({"opponent": "nobody"}, "unknown agent of tictactoe: 'nobody'"),
        ({"rows": 1}, "key 'rows'"),
        ({"seed": -1}, r"seed must be in 0..2\*\*128-1, found -1"),
        ({"render_mode": "human"}, "render_mode must be ansi or None, found 'human'"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(keywords: dict[str, Any], complaint: str) -> None:
    with pytest.raises(Exception, match=complaint):
        ludex.envs.gym("tictactoe", **keywords)


def test_a_game_for_one_takes_no_opponent_and_its_own_options() -> None:
    with pytest.raises(BadOption, match="minesweeper has one player"):
        ludex.envs.gym("minesweeper", opponent="random")
    env = ludex.envs.gym("minesweeper", rows=3, cols=4, mines=2)
    assert env.action_space == gymnasium.spaces.Discrete(24)
    assert env.reset(seed=1)[0]["planes"].shape == (11, 3, 4)


def test_no_row_of_a_wide_board_is_broken() -> None:
    env = ludex.envs.gym("minesweeper", rows=3, cols=64, mines=2, render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert isinstance(text, str)
    assert len(text.splitlines()) == 3 + 2, text


def test_an_opponent_may_be_an_agent_that_follows_the_moves() -> None:
    class Follower:
        name = "follower"

        def __init__(self) -> None:
            self.moves: list[str] = []

        def follow(self, moves: list[str]) -> None:
            self.moves = [*moves]

        def decide(self, view: Any, legal: Any, *, rng: Any, limit: Any) -> ludex.core.decision.Decision:
            return ludex.core.decision.Decision(legal_actions(legal)[-1])

    follower = Follower()
    env = ludex.envs.gym("tictactoe", opponent=follower)
    env.reset(seed=1)
    env.step(np.int64(4))
    env.step(np.int64(0))
    assert follower.moves == ["b2", "c1", "a3"]


def test_many_games_are_those_of_the_batch() -> None:
    env = ludex.envs.vector("tictactoe", 3, seed=1)
    assert isinstance(env, BatchVectorEnv)
    obs, info = env.reset()
    assert env.observation_space.contains(obs)
    for _ in range(9):
        actions = env.action_masks().argmax(axis=1)
        obs, reward, terminated, _, info = env.step(actions)
        assert env.observation_space.contains(obs)
        if terminated.any():
            break
    assert terminated.all()
    assert reward.tolist() == [1.0, 1.0, 1.0]
    assert info["_final_obs"].all()
    assert info["final_obs"]["planes"].shape == (3, 2, 3, 3)
    assert obs["planes"].sum() == 0, "the next game has begun"


def test_many_games_against_an_opponent() -> None:
    env = ludex.envs.vector("tictactoe", 2, opponent="random", illegal="lose", seed=5)
    obs, _ = env.reset()
    assert obs["planes"].shape == (2, 2, 3, 3)
    for _ in range(12):
        obs, *_ = env.step(env.action_space.sample())
        assert env.observation_space.contains(obs)
    env.close()


def test_they_have_names_in_gymnasium() -> None:
    env = gymnasium.make("ludex/quoridor-v0", preset="3x3", opponent="walker", disable_env_checker=True)
    assert env.reset(seed=1)[1]["player"] == 0
    lanes = gymnasium.make_vec("ludex/quoridor-v0", num_envs=2, preset="3x3")
    assert lanes.reset(seed=1)[0]["counts"].shape == (2, 3)
    lanes.close()


@pytest.mark.slow
def test_algorithms_of_open_spiel_solve_our_games() -> None:
    from open_spiel.python.algorithms import minimax

    value, action = minimax.alpha_beta_search(ludex.envs.open_spiel("tictactoe"))
    assert value == 0.0
    assert action in range(9)
    with pytest.raises(Unsupported, match="minesweeper has chance: the bridge to OpenSpiel expresses neither"):
        ludex.envs.open_spiel("minesweeper")


@pytest.mark.slow
def test_maskable_ppo_of_sb3_learns_on_them() -> None:
    from sb3_contrib import MaskablePPO

    env = ludex.envs.gym("tictactoe", opponent="random", player="random", seed=1)
    model = MaskablePPO("MultiInputPolicy", env, n_steps=16, batch_size=16, n_epochs=1, seed=1, device="cpu")
    model.learn(32)
    assert model.num_timesteps == 32
