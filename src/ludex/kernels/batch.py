"""A batch environment of any game with compiled rules."""

import numpy as np
from numpy.typing import NDArray

from ludex.core.batch import Info, Step
from ludex.core.compiled import RUNNING, CompiledRules, Vector, compiled_rules
from ludex.core.errors import IllegalAction, Unsupported
from ludex.core.game import AnyGame, Observation
from ludex.kernels.calls import (
    APPLY,
    LEGAL,
    OBSERVE,
    OUTCOME,
    PLAYER,
    RESET,
    addresses,
    apply_at,
    legal_at,
    number_at,
    observe_at,
    reset_at,
)
from ludex.kernels.jit import bare_kernel


class CompiledBatch:
    """`num_lanes` games of compiled rules; what is observed is what a network sees, from the mover's side."""

    shaped = False

    def __init__(self, rules: CompiledRules, num_lanes: int) -> None:
        self.num_lanes = num_lanes
        self.num_actions = rules.action_size
        self._rules = rules
        self._addresses = addresses(rules)
        cells = int(np.prod(rules.observation_shape))
        self._states = np.zeros((num_lanes, rules.state_size), np.int64)
        self._mask = np.zeros((num_lanes, rules.action_size), np.uint8)
        self._seen = np.zeros((num_lanes, cells), np.float32)
        self._seen_last = np.zeros((num_lanes, cells), np.float32)
        self._player = np.zeros(num_lanes, np.int8)
        self._episode = np.zeros(num_lanes, np.int64)
        self._reward = np.zeros(num_lanes, np.float32)
        self._terminated = np.zeros(num_lanes, np.bool_)
        self._truncated = np.zeros(num_lanes, np.bool_)
        shape = (num_lanes, *rules.observation_shape)
        self._obs: Observation = {rules.observation_name: self._seen.reshape(shape)}
        self._final_obs: Observation = {rules.observation_name: self._seen_last.reshape(shape)}

    def reset(self, seed: int) -> tuple[Observation, Info]:
        self._episode[:] = 0
        _begin(self._addresses, self._rules.constants, self._states, self._mask, self._seen, self._player)
        return self._obs, self._info()

    def step(self, actions: NDArray[np.int64]) -> Step:
        if actions.shape != (self.num_lanes,):
            shape = list(actions.shape)
            raise ValueError(f"actions must be int64[{self.num_lanes}], one per lane, found shape {shape}")
        allowed = (actions >= 0) & (actions < self.num_actions)
        allowed[allowed] &= self._mask[allowed, actions[allowed]] != 0
        if not allowed.all():
            lane = int(allowed.argmin())
            raise IllegalAction(f"lane {lane}: action {actions[lane]} is illegal; no lane has moved")
        _step(
            np.ascontiguousarray(actions, np.int64),
            self._addresses,
            self._rules.constants,
            self._states,
            self._mask,
            self._seen,
            self._seen_last,
            self._player,
            self._episode,
            self._reward,
            self._terminated,
        )
        return self._obs, self._reward, self._terminated, self._truncated, self._info()

    def _info(self) -> Info:
        return {
            "mask": self._mask.view(np.bool_),
            "player": self._player,
            "episode": self._episode,
            "final_obs": self._final_obs,
        }


def compiled_batch(game: AnyGame, num_lanes: int) -> CompiledBatch:
    """The `LearningSpec.batch` of a game whose compiled rules observe what its contract observes."""
    rules = compiled_rules(game)
    if rules is None:
        raise Unsupported(f"{game.info.id} {game.info.preset} has no compiled rules")
    return CompiledBatch(rules, num_lanes)


@bare_kernel
def _describe(
    lane: int,
    rules: Vector,
    constants: Vector,
    states: Vector,
    mask: NDArray[np.uint8],
    seen: NDArray[np.float32],
    player: NDArray[np.int8],
) -> None:
    legal_at(rules[LEGAL], constants, states[lane], mask[lane])
    observe_at(rules[OBSERVE], constants, states[lane], seen[lane])
    player[lane] = number_at(rules[PLAYER], constants, states[lane])


@bare_kernel
def _begin(
    rules: Vector,
    constants: Vector,
    states: Vector,
    mask: NDArray[np.uint8],
    seen: NDArray[np.float32],
    player: NDArray[np.int8],
) -> None:
    for lane in range(len(states)):
        reset_at(rules[RESET], constants, states[lane])
        _describe(lane, rules, constants, states, mask, seen, player)


@bare_kernel
def _step(
    actions: Vector,
    rules: Vector,
    constants: Vector,
    states: Vector,
    mask: NDArray[np.uint8],
    seen: NDArray[np.float32],
    seen_last: NDArray[np.float32],
    player: NDArray[np.int8],
    episode: NDArray[np.int64],
    reward: NDArray[np.float32],
    terminated: NDArray[np.bool_],
) -> None:
    """One ply in every lane, and a new game where one ended."""
    for lane in range(len(actions)):
        apply_at(rules[APPLY], constants, states[lane], actions[lane])
        outcome = number_at(rules[OUTCOME], constants, states[lane])
        terminated[lane] = outcome != RUNNING
        reward[lane] = 0.0
        if terminated[lane]:
            reward[lane] = outcome if player[lane] == 0 else -outcome
            observe_at(rules[OBSERVE], constants, states[lane], seen_last[lane])
            reset_at(rules[RESET], constants, states[lane])
            episode[lane] += 1
        _describe(lane, rules, constants, states, mask, seen, player)
