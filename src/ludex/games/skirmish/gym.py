"""Skirmish for Gymnasium: one player against a given opponent, or both in turns, with strict masks."""

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ludex.core.agent import AnyAgent
from ludex.core.errors import IllegalAction
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.registry import make, make_agent
from ludex.games.skirmish.engine.observing import PLANES, vector_length
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rewards import deployment_reward, reward

GREATEST = 16.0
"""No number of an observation is greater, whatever the scenario's schemas allow."""

Observed = dict[str, NDArray[np.float32]]


class SkirmishGym(gymnasium.Env[Observed, np.int64]):
    """A game of a scenario. With an `opponent` the environment plays the other side; without one, both are yours.

    Rewards are those of the scenario's `game_config.json`, for `player` 1 or 2, or for whoever has just moved. An
    action that the mask forbids raises `IllegalAction`, changes nothing and is counted in `illegal_attempts`.
    """

    def __init__(self, preset: str = "default", player: int = 1, opponent: str | None = None) -> None:
        game = make("skirmish", preset)
        assert isinstance(game, Skirmish)
        if player not in (1, 2):
            raise ValueError(f"player must be 1 or 2, found {player}")
        self.game = game
        self.illegal_attempts = 0
        self._player = player - 1
        self._opponent: AnyAgent | None = None if opponent is None else make_agent(game, opponent)
        self._match: Match[Any, Any] = Match(game, 0)
        self._drawn = 0
        grid = game.scenario.grid
        self.action_space = gymnasium.spaces.Discrete(game.info.num_actions)
        self.observation_space: gymnasium.Space[Any] = gymnasium.spaces.Dict(
            {
                "planes": gymnasium.spaces.Box(0.0, GREATEST, (PLANES, grid.cols, grid.rows), np.float32),
                "vector": gymnasium.spaces.Box(0.0, GREATEST, (vector_length(game.table.unit_slots),), np.float32),
            }
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        super().reset(seed=seed)
        self._match = Match(self.game, int(self.np_random.integers(1 << 62)))
        self._answer()
        return self._observed(), self._info()

    def step(self, action: np.int64) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        match = self._match
        mover, before = match.to_move, match.state
        try:
            match.play(int(action))
        except IllegalAction:
            self.illegal_attempts += 1
            raise
        paid = deployment_reward(self.game, match.state, mover)
        self._answer()
        paid += reward(self.game, before, match.state, mover, match.outcome)
        return self._observed(), paid, match.over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """bool[actions]: what may be played. An empty mask is an error: a masked policy would play uniformly."""
        mask = self._match.legal()
        assert self._match.over or mask.any(), f"the mask is empty in the phase {self._match.state.phase}"
        return mask

    def _answer(self) -> None:
        """Let the opponent play until it is the player's turn."""
        match = self._match
        while self._opponent is not None and not match.over and match.to_move != self._player:
            match.carry_out(decide(match, self._opponent, Limit()))

    def _observed(self) -> Observed:
        match = self._match
        looks = self._player if self._opponent is not None or match.over else match.to_move
        return {
            name: np.asarray(array) for name, array in self.game.observe(self.game.view(match.state, looks)).items()
        }

    def _info(self) -> dict[str, Any]:
        match = self._match
        return {
            "action_mask": self.action_masks(),
            "player": None if match.over else match.to_move + 1,
            "phase": match.state.phase,
            "aborted": match.aborted,
        }
