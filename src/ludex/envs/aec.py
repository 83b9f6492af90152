"""Any game as a PettingZoo AEC environment: agents `player_0` and `player_1`, masks in the observation."""

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from ludex.core.errors import BadOption
from ludex.core.registry import make
from ludex.core.rendering import plain_picture
from ludex.envs.episode import Episode, Illegal, observation_space


class TurnEnv(AECEnv):  # type: ignore[misc]
    """A game as a PettingZoo AEC environment.

    An observation is `{"observation": the game's arrays, "action_mask": int8[actions]}`; rewards are scores.
    """

    def __init__(
        self,
        game: str,
        preset: str | None = None,
        *,
        seed: int | None = None,
        illegal: Illegal = "raise",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise BadOption(f"render_mode must be ansi or None, found {render_mode!r}")
        self.render_mode = render_mode
        self.game = make(game, preset, **options)
        self.metadata = {"render_modes": ["ansi"], "name": f"ludex_{game}_v0", "is_parallelizable": False}
        self._episode = Episode(self.game, illegal, seed)
        self._random = np.random.default_rng()
        self.possible_agents = [f"player_{player}" for player in range(self.game.info.players)]
        actions = self.game.info.num_actions
        self.action_spaces: dict[str, spaces.Discrete[Any]] = {
            agent: spaces.Discrete(actions) for agent in self.possible_agents
        }
        self.observation_spaces = {
            agent: spaces.Dict(
                {"observation": observation_space(self.game), "action_mask": spaces.Box(0, 1, (actions,), np.int8)}
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the next game; seeding restarts the count."""
        self._episode.begin(seed, self._random)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._episode.mover]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees; the mask of the one who is not to move is empty."""
        episode, player = self._episode, self.possible_agents.index(agent)
        mask = np.zeros(self.game.info.num_actions, np.int8)
        if not episode.over and episode.mover == player:
            mask = episode.mask().astype(np.int8)
        return {"observation": episode.observe(player), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play the selected agent's action; None for an agent whose game is over."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise BadOption(f"{self.agent_selection} is to move: expected an action, found None")
        episode, agent = self._episode, self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        penalty = episode.step(int(action))
        if penalty is not None:
            self.rewards[agent] = penalty
        if episode.over:
            assert episode.scores is not None
            for player, seat_name in enumerate(self.possible_agents):
                self.rewards[seat_name] += episode.scores[player]
                self.infos[seat_name] = {"reason": episode.reason}
            self.terminations = dict.fromkeys(self.agents, episode.terminated)
            self.truncations = dict.fromkeys(self.agents, episode.truncated)
        else:
            self.agent_selection = self.possible_agents[episode.mover]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The board as text; None without a mode."""
        return None if self.render_mode is None else plain_picture(self._episode.game, self._episode.state, 0)

    def close(self) -> None:
        """Nothing is open."""
