"""Skirmish as a batch environment of the contract."""

import numpy as np
from numpy.typing import NDArray

from ludex.core.batch import Info, Step
from ludex.core.errors import IllegalAction
from ludex.core.game import Observation
from ludex.core.jit import to_word
from ludex.games.skirmish.engine.lanes import begin_lanes, first_deadlock, first_illegal, step_lanes
from ludex.games.skirmish.engine.layout import STATE_WORDS
from ludex.games.skirmish.engine.observing import PLANES, vector_length
from ludex.games.skirmish.engine.scratch import scratch
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.position import Position
from ludex.games.skirmish.refusal import deadlock


class SkirmishBatch:
    """`num_lanes` games of one scenario. An action that would end in a deadlock raises, and no lane has moved."""

    shaped = False

    def __init__(self, game: Skirmish, num_lanes: int) -> None:
        self.num_lanes = num_lanes
        self.num_actions = game.info.num_actions
        self._game = game
        self._seed = 0
        grid = game.scenario.grid
        size, numbers = grid.size, vector_length(game.table.unit_slots)
        self._states = np.zeros((num_lanes, STATE_WORDS), np.int16)
        self._planes = np.zeros((num_lanes, PLANES, size), np.float32)
        self._vector = np.zeros((num_lanes, numbers), np.float32)
        self._final_planes, self._final_vector = np.zeros_like(self._planes), np.zeros_like(self._vector)
        self._mask = np.zeros((num_lanes, self.num_actions), np.bool_)
        self._player = np.zeros(num_lanes, np.int8)
        self._episode, self._ply = np.zeros(num_lanes, np.int64), np.zeros(num_lanes, np.int64)
        self._generators = np.zeros(num_lanes, np.uint64)
        self._reward = np.zeros(num_lanes, np.float32)
        self._terminated, self._truncated = np.zeros(num_lanes, np.bool_), np.zeros(num_lanes, np.bool_)
        self._work = scratch()
        shape = (num_lanes, PLANES, grid.cols, grid.rows)
        self._obs: Observation = {"planes": self._planes.reshape(shape), "vector": self._vector}
        self._final_obs: Observation = {"planes": self._final_planes.reshape(shape), "vector": self._final_vector}
        self._seen = (self._states, self._planes, self._vector, self._mask, self._player)

    def reset(self, seed: int) -> tuple[Observation, Info]:
        self._seed = seed
        self._episode[:] = 0
        self._ply[:] = 0
        begin_lanes(self._game.scene, *self._seen, self._work)
        return self._obs, self._info()

    def step(self, actions: NDArray[np.int64]) -> Step:
        if actions.shape != (self.num_lanes,):
            raise ValueError(f"actions must be int64[{self.num_lanes}], one a lane, found shape {list(actions.shape)}")
        lane = first_illegal(self._mask, actions)
        if lane >= 0:
            raise IllegalAction(f"lane {lane}: action {actions[lane]} is illegal; no lane has moved")
        lane = first_deadlock(self._game.scene, self._states, actions)
        if lane >= 0:
            raise deadlock(self._game.scenario, Position(self._states[lane].tobytes()), f"lane {lane}: ")
        step_lanes(
            self._game.scene,
            actions,
            to_word(self._seed),
            self._episode,
            self._ply,
            self._generators,
            *self._seen,
            self._final_planes,
            self._final_vector,
            self._reward,
            self._terminated,
            self._work,
        )
        return self._obs, self._reward, self._terminated, self._truncated, self._info()

    def _info(self) -> Info:
        return {"mask": self._mask, "player": self._player, "episode": self._episode, "final_obs": self._final_obs}
