"""A batch environment of any game with compiled rules."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.core.batch import Info, Step
from ludex.core.compiled import RUNNING, CompiledRules, Vector, Words, compiled_rules
from ludex.core.errors import IllegalAction, Unsupported
from ludex.core.game import AnyGame, Observation
from ludex.core.seeding import CHANCE, signed_key
from ludex.kernels.calls import (
    DRAWS,
    LEGAL,
    OBSERVE,
    OUTCOME,
    PLAYER,
    addresses,
    begin_by,
    legal_at,
    move_by,
    observe_at,
    player_at,
    score_at,
)
from ludex.kernels.jit import bare_kernel, seed_lane


class CompiledLanes(NamedTuple):
    """The games side by side, as kernels read and write them."""

    states: Vector
    mask: NDArray[np.uint8]
    seen: NDArray[np.float32]
    """What a network sees, from the mover's side."""
    seen_last: NDArray[np.float32]
    """The same at the end of an episode."""
    player: NDArray[np.int8]
    episode: NDArray[np.int64]
    ply: NDArray[np.int64]
    random: Words
    """[N], the generators of the dice."""
    reward: NDArray[np.float32]
    terminated: NDArray[np.bool_]


class CompiledBatch:
    """`num_lanes` games of compiled rules; what is observed is what a network sees, from the mover's side."""

    shaped = False

    def __init__(self, rules: CompiledRules, num_lanes: int) -> None:
        self.num_lanes = num_lanes
        self.num_actions = rules.action_size
        self._rules = rules
        self._addresses = addresses(rules)
        cells = int(np.prod(rules.observation_shape))
        self._lanes = lanes = CompiledLanes(
            states=np.zeros((num_lanes, rules.state_size), np.int64),
            mask=np.zeros((num_lanes, rules.action_size), np.uint8),
            seen=np.zeros((num_lanes, cells), np.float32),
            seen_last=np.zeros((num_lanes, cells), np.float32),
            player=np.zeros(num_lanes, np.int8),
            episode=np.zeros(num_lanes, np.int64),
            ply=np.zeros(num_lanes, np.int64),
            random=np.zeros(num_lanes, np.uint64),
            reward=np.zeros(num_lanes, np.float32),
            terminated=np.zeros(num_lanes, np.bool_),
        )
        self._truncated = np.zeros(num_lanes, np.bool_)
        shape = (num_lanes, *rules.observation_shape)
        self._obs: Observation = {rules.observation_name: lanes.seen.reshape(shape)}
        self._info: Info = {
            "mask": lanes.mask.view(np.bool_),
            "player": lanes.player,
            "episode": lanes.episode,
            "final_obs": {rules.observation_name: lanes.seen_last.reshape(shape)},
        }

    def reset(self, seed: int) -> tuple[Observation, Info]:
        self._lanes.episode[:] = 0
        self._key = signed_key(seed, CHANCE)
        _begin(self._key, self._addresses, self._rules.constants, self._lanes)
        return self._obs, {**self._info}

    def step(self, actions: NDArray[np.int64]) -> Step:
        lanes = self._lanes
        played = np.ascontiguousarray(actions, np.int64)
        require_allowed(lanes.mask, played)
        _step(played, self._key, self._addresses, self._rules.constants, lanes)
        return self._obs, lanes.reward, lanes.terminated, self._truncated, {**self._info}


@bare_kernel
def first_forbidden(mask: NDArray[Any], actions: NDArray[np.int64]) -> int:
    """The first lane whose action its mask `[N, actions]` forbids, or -1."""
    for lane in range(len(actions)):
        action = actions[lane]
        if action < 0 or action >= mask.shape[1] or not mask[lane, action]:
            return lane
    return -1


def require_allowed(mask: NDArray[Any], actions: NDArray[np.int64]) -> None:
    """Raise `ValueError` for actions of another shape than one per lane, and `IllegalAction` for a forbidden one."""
    if actions.shape != mask.shape[:1]:
        shape = list(actions.shape)
        raise ValueError(f"actions must be int64[{len(mask)}], one per lane, found shape {shape}")
    lane = first_forbidden(mask, actions)
    if lane >= 0:
        raise IllegalAction(f"lane {lane}: action {actions[lane]} is illegal; no lane has moved")


def compiled_batch(game: AnyGame, num_lanes: int) -> CompiledBatch:
    """The `LearningSpec.batch` of a game whose compiled rules observe what its contract observes."""
    rules = compiled_rules(game)
    if rules is None:
        raise Unsupported(f"{game.info.id} {game.info.preset} has no compiled rules")
    return CompiledBatch(rules, num_lanes)


@bare_kernel
def _describe(lane: int, rules: Vector, constants: Vector, lanes: CompiledLanes) -> None:
    state = lanes.states[lane]
    legal_at(rules[LEGAL], constants, state, lanes.mask[lane])
    observe_at(rules[OBSERVE], constants, state, lanes.seen[lane])
    lanes.player[lane] = player_at(rules[PLAYER], constants, state)


@bare_kernel
def _begin_lane(lane: int, key: int, rules: Vector, constants: Vector, lanes: CompiledLanes) -> None:
    lanes.ply[lane] = 0
    if rules[DRAWS]:
        seed_lane(lanes.random, lane, key, lanes.episode[lane], 0)
    begin_by(rules, constants, lanes.states[lane], lanes.random[lane : lane + 1])


@bare_kernel
def _begin(key: int, rules: Vector, constants: Vector, lanes: CompiledLanes) -> None:
    for lane in range(len(lanes.states)):
        _begin_lane(lane, key, rules, constants, lanes)
        _describe(lane, rules, constants, lanes)


@bare_kernel
def _step(actions: Vector, key: int, rules: Vector, constants: Vector, lanes: CompiledLanes) -> None:
    """One ply in every lane, and a new game where one ended."""
    for lane in range(len(actions)):
        state = lanes.states[lane]
        lanes.ply[lane] += 1
        if rules[DRAWS]:
            seed_lane(lanes.random, lane, key, lanes.episode[lane], lanes.ply[lane])
        move_by(rules, constants, state, actions[lane], lanes.random[lane : lane + 1])
        outcome = score_at(rules[OUTCOME], constants, state)
        lanes.terminated[lane] = outcome != RUNNING
        lanes.reward[lane] = 0.0
        if outcome != RUNNING:
            lanes.reward[lane] = outcome if lanes.player[lane] == 0 else -outcome
            observe_at(rules[OBSERVE], constants, state, lanes.seen_last[lane])
            lanes.episode[lane] += 1
            _begin_lane(lane, key, rules, constants, lanes)
        _describe(lane, rules, constants, lanes)
