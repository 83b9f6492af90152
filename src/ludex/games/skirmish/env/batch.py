"""Skirmish as a batch environment of the contract: both players in turns."""

import numpy as np
from numpy.typing import NDArray

from ludex.core.batch import Info, Step
from ludex.core.errors import IllegalAction
from ludex.core.game import Observation
from ludex.core.seeding import CHANCE, stream_key
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine.lanes import (
    begin_lanes,
    find_deadlocks,
    first_illegal,
    new_lanes,
    show_lanes,
    step_lanes,
)
from ludex.games.skirmish.rules.engine.observation import PLANES
from ludex.games.skirmish.rules.engine.orientation import half_turn, identity_orientation
from ludex.games.skirmish.rules.illegal_actions import deadlock
from ludex.games.skirmish.rules.position import Position
from ludex.kernels.jit import to_word


class SkirmishBatch:
    """`num_lanes` games of one scenario. An action that would end in a deadlock raises, and no lane has moved.

    With `turned`, player 2 sees the board from its own end and its actions are mapped too: see `engine.orientation`.
    """

    shaped = False

    def __init__(self, game: Skirmish, num_lanes: int, *, turned: bool = False) -> None:
        self.num_lanes = num_lanes
        self.num_actions = game.info.num_actions
        self.game = game
        self.seed = 0
        grid = game.scenario.grid
        orientation = (half_turn if turned else identity_orientation)(game.scenario)
        self.lanes = new_lanes(num_lanes, grid.size, game.table.unit_slots, self.num_actions, orientation)
        self._truncated = np.zeros(num_lanes, np.bool_)
        self._all = np.ones(num_lanes, np.bool_)
        shape = (num_lanes, PLANES, grid.cols, grid.rows)
        self.obs: Observation = {"planes": self.lanes.planes.reshape(shape), "vector": self.lanes.vector}
        self.final_obs: Observation = {
            "planes": self.lanes.final_planes.reshape(shape),
            "vector": self.lanes.final_vector,
        }

    def reset(self, seed: int) -> tuple[Observation, Info]:
        self.seed = seed
        self.lanes.episode[:] = 0
        begin_lanes(self.game.constants, self.lanes, self._all)
        return self.obs, self._info()

    def step(self, actions: NDArray[np.int64], playing: NDArray[np.bool_] | None = None) -> Step:
        """One ply in every lane, or in those of `playing: bool[N]`; the others stay as they are."""
        if actions.shape != (self.num_lanes,):
            raise ValueError(f"actions must be int64[{self.num_lanes}], found shape {list(actions.shape)}")
        playing = self._all if playing is None else playing
        lane = first_illegal(self.lanes, actions, playing)
        if lane >= 0:
            raise IllegalAction(f"lane {lane}: action {actions[lane]} is illegal; no lane has moved")
        stuck = self.deadlocks(actions, playing)
        if stuck.any():
            lane = int(stuck.argmax())
            error = deadlock(self.game.scenario, self.position(lane), f"lane {lane}: ")
            error.count = int(stuck.sum())
            raise error
        step_lanes(self.game.constants, self.lanes, to_word(stream_key(self.seed, CHANCE)), actions, playing)
        return self.obs, self.lanes.reward, self.lanes.terminated, self._truncated, self._info()

    def deadlocks(self, actions: NDArray[np.int64], playing: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """bool[N]: where a legal action would end in a deployment that cannot be finished."""
        stuck = np.zeros(self.num_lanes, np.bool_)
        find_deadlocks(self.game.constants, self.lanes, actions, self._all if playing is None else playing, stuck)
        return stuck

    def give_up(self, lanes: NDArray[np.bool_]) -> None:
        """Begin the next episode in the lanes of `bool[N]`; the present one is abandoned."""
        self.lanes.episode[lanes] += 1
        begin_lanes(self.game.constants, self.lanes, lanes)

    def show(self, states: NDArray[np.int16]) -> tuple[Observation, NDArray[np.bool_]]:
        """Observations and masks of the player to move in `states: int16[M, words]`, M lanes at most.

        The games in the first M lanes are lost: this is for reading positions, not for continuing play.
        """
        count = len(states)
        self.lanes.states[:count] = states
        show_lanes(self.game.constants, self.lanes)
        return {name: array[:count] for name, array in self.obs.items()}, self.lanes.mask[:count]

    def position(self, lane: int) -> Position:
        """A lane's position, without the events of its last ply."""
        return Position(self.lanes.states[lane].tobytes())

    def _info(self) -> Info:
        lanes = self.lanes
        return {"mask": lanes.mask, "player": lanes.player, "episode": lanes.episode, "final_obs": self.final_obs}
