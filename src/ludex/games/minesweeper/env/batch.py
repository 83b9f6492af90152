"""Minesweeper as a batch environment of the contract: the game's own observations, scores for rewards."""

import numpy as np
from numpy.typing import NDArray

from ludex.core.batch import Info, Step
from ludex.core.errors import IllegalAction
from ludex.core.game import Observation
from ludex.games.minesweeper.env.config import EnvConfig
from ludex.games.minesweeper.env.lanes import FinalObs, Lanes
from ludex.games.minesweeper.env.step import first_forbidden
from ludex.games.minesweeper.game import Minesweeper


class MinesweeperBatch:
    """`num_lanes` boards of one game."""

    shaped = False

    def __init__(self, game: Minesweeper, num_lanes: int) -> None:
        cfg = EnvConfig.of_board(
            game.options, max_steps=game.info.max_plies, progress_reward=0.0, step_penalty=0.0, obs_dtype="uint8"
        )
        self.num_lanes = num_lanes
        self.num_actions = game.info.num_actions
        self._lanes = Lanes(cfg, num_lanes)
        self._obs: Observation = {"planes": self._lanes.obs}
        self._info: Info = {
            "mask": self._lanes.mask,
            "player": np.zeros(num_lanes, np.int8),
            "episode": self._lanes.episode,
            "final_obs": FinalObs(self._lanes, "planes"),
        }

    def reset(self, seed: int) -> tuple[Observation, Info]:
        self._lanes.reset(seed)
        return self._obs, self._info

    def step(self, actions: NDArray[np.int64]) -> Step:
        lanes = self._lanes
        if actions.shape != (self.num_lanes,):
            found = list(actions.shape)
            raise ValueError(f"actions must be int64[{self.num_lanes}], one per lane, found shape {found}")
        lane = first_forbidden(lanes.mask, actions)
        if lane >= 0:
            raise IllegalAction(f"lane {lane}: action {actions[lane]} is illegal; no lane has moved")
        lanes.step(actions)
        return self._obs, lanes.reward, lanes.terminated, lanes.truncated, self._info
