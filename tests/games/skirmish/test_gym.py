"""The environment for Gymnasium, and what it pays."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import ludex.gym  # noqa: F401 - registers the environments
from ludex.core.errors import IllegalAction
from ludex.games.skirmish.gym import SkirmishGym
from ludex.games.skirmish.rewards import standing


def played(env: SkirmishGym, seed: int) -> tuple[float, dict[str, Any], int]:
    """Random legal actions to the end: the sum of rewards, the last info, and how many steps there were."""
    choice = np.random.default_rng(seed)
    env.reset(seed=seed)
    total, steps = 0.0, 0
    while True:
        action = choice.choice(np.flatnonzero(env.action_masks()))
        _, reward, terminated, truncated, info = env.step(action)
        total, steps = total + reward, steps + 1
        assert not truncated
        if terminated:
            return total, info, steps


def test_it_is_registered_and_its_observations_fit_their_space() -> None:
    env = gymnasium.make("ludex/Skirmish-v0", preset="small", opponent="random")
    observed, info = env.reset(seed=1)
    assert env.observation_space.contains(observed)
    assert info["phase"] == "deployment"
    assert info["action_mask"].any()


@pytest.mark.parametrize(("player", "opponent"), [(1, "random"), (2, "random"), (1, None)])
def test_a_game_runs_to_its_end(player: int, opponent: str | None) -> None:
    env = SkirmishGym("small", player, opponent)
    _, info, steps = played(env, 3)
    assert info["phase"] == "over"
    assert steps > 20


def test_an_opponent_moves_only_for_the_other_side() -> None:
    env = SkirmishGym("small", 2, "random")
    env.reset(seed=5)
    choice = np.random.default_rng(5)
    while True:
        action = choice.choice(np.flatnonzero(env.action_masks()))
        _, _, terminated, _, info = env.step(action)
        if terminated:
            break
        assert info["player"] == 2


def test_a_forbidden_action_raises_counts_and_changes_nothing() -> None:
    env = SkirmishGym("small", 1, "random")
    env.reset(seed=1)
    before = env._match.state
    with pytest.raises(IllegalAction):
        env.step(np.int64(np.flatnonzero(~env.action_masks())[0]))
    assert env.illegal_attempts == 1
    assert env._match.state == before


@pytest.mark.parametrize("seed", range(3))
def test_rewards_are_the_configs_terms_of_the_whole_game(seed: int) -> None:
    env = SkirmishGym("small", 1, "random")
    total, _, _ = played(env, seed)
    terms, match = env.game.scenario.game.rewards, env._match
    end = standing(env.game, match.state, 0)
    assert match.outcome is not None
    expected = {1.0: terms.win, -1.0: terms.loss, 0.0: terms.draw}[match.outcome.scores[0]]
    expected += terms.damage_dealt * end.dealt + terms.damage_taken * end.taken + terms.objective_point * end.points
    shaping = terms.deployment
    most = len(env.game.scenario.forces[0]) * sum(
        max(0.0, term) for term in (shaping.per_placement, shaping.near_objective, shaping.in_cover)
    )
    assert expected - 1e-9 <= total <= expected + most + 1e-9


def test_it_keeps_gymnasiums_contract() -> None:
    class Legal(SkirmishGym):
        """Takes any action for the legal one nearest to it, since the checker draws without a mask."""

        def step(self, action: Any) -> Any:
            legal = np.flatnonzero(self.action_masks())
            return super().step(legal[np.abs(legal - int(action)).argmin()])

    check_env(Legal("small", 1, "random"), skip_render_check=True)
