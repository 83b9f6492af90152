"""Many games at once, and the rewards of training: the same kernels, lane by lane."""

from typing import Annotated, Any, Final, NamedTuple, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine import branches, events, layout
from ludex.games.skirmish.rules.engine.deployment import is_deadlock
from ludex.games.skirmish.rules.engine.layout import State
from ludex.games.skirmish.rules.engine.observation import PLANES, observe, vector_length
from ludex.games.skirmish.rules.engine.orientation import Orientation, flip_mask
from ludex.games.skirmish.rules.engine.play import begin, fill_mask, play
from ludex.games.skirmish.rules.engine.records import Constants, Scratch
from ludex.games.skirmish.rules.engine.units import wounds_of
from ludex.kernels.jit import kernel, seed_lane, to_index
from ludex.kernels.records import element_of, new_record

THE_MOVER = -1


LANES, HEXES, NUMBERS, ACTIONS = "lanes", "hexes", "numbers", "actions"
"""Sizes that differ from one environment to another."""


class LaneArrays(NamedTuple):
    """The arrays of many games, with their shapes.

    Fields about an episode's end keep their values until the lane's next end.
    """

    orientation: Orientation
    """How the planes, masks and actions of each player are rotated."""
    work: Scratch

    states: Annotated[NDArray[np.int16], LANES, layout.STATE_WORDS]
    player: Annotated[NDArray[np.int8], LANES]
    """The player to move."""
    planes: Annotated[NDArray[np.float32], LANES, PLANES, HEXES]
    vector: Annotated[NDArray[np.float32], LANES, NUMBERS]
    mask: Annotated[NDArray[np.bool_], LANES, ACTIONS]
    """Like the planes, from the side of the player to move."""

    episode: Annotated[NDArray[np.int64], LANES]
    ply: Annotated[NDArray[np.int64], LANES]
    generators: Annotated[NDArray[np.uint64], LANES]

    terminated: Annotated[NDArray[np.bool_], LANES]
    """Whether the last step ended an episode."""
    reward: Annotated[NDArray[np.float32], LANES]
    """The score of the player that moved, where the last step ended an episode."""
    rewards: Annotated[NDArray[np.float64], LANES, 2]
    """Each player's reward for the last step, see `rewards`."""
    final_states: Annotated[NDArray[np.int16], LANES, layout.STATE_WORDS]
    """Of the end of the last episode, as are the observations."""
    watcher: Annotated[NDArray[np.int8], LANES]
    """The player that observes the end, or THE_MOVER."""
    final_planes: Annotated[NDArray[np.float32], LANES, PLANES, HEXES]
    final_vector: Annotated[NDArray[np.float32], LANES, NUMBERS]


def new_lanes(count: int, hexes: int, unit_slots: int, actions: int, orientation: Orientation) -> LaneArrays:
    """Zeroed arrays for `count` games."""
    sizes = {LANES: count, HEXES: hexes, NUMBERS: vector_length(unit_slots), ACTIONS: actions}
    arrays: dict[str, Any] = {}
    for name, hint in get_type_hints(LaneArrays, include_extras=True).items():
        if get_origin(hint) is Annotated:
            array, *shape = get_args(hint)
            arrays[name] = np.zeros([sizes.get(size, size) for size in shape], element_of(array))
    lanes = LaneArrays(orientation, new_record(Scratch), **arrays)
    lanes.watcher[:] = THE_MOVER
    return lanes


WIN: Final = 0
LOSS: Final = 1
DRAW: Final = 2
DEALT: Final = 3
TAKEN: Final = 4
POINT: Final = 5
"""Indices of `constants.reward`."""


@kernel
def share_lost(constants: Constants, state: State, player: int) -> float:
    """The share of a force's value that is destroyed, wounds of living units counted in part."""
    whole, gone = 0.0, 0.0
    for unit in range(constants.first[player], constants.first[player + 1]):
        whole += constants.value[unit]
        gone += constants.value[unit] * (1.0 - wounds_of(state, unit) / constants.wounds[unit])
    return gone / whole


@kernel
def worth(constants: Constants, state: State, player: int) -> float:
    """A player's reward for damage and points so far, and for the result if the game is over."""
    reward: float = constants.reward[DEALT] * share_lost(constants, state, 1 - player)
    reward += constants.reward[TAKEN] * share_lost(constants, state, player)
    reward += constants.reward[POINT] * state[layout.POINTS + player]
    result = to_index(state[layout.RESULT])
    if result == layout.DRAWN:
        reward += constants.reward[DRAW]
    elif result != layout.LIVE:
        winner = 1 if result & layout.WON_BY_SECOND else 0
        reward += constants.reward[WIN] if winner == player else constants.reward[LOSS]
    return reward


@kernel
def placement_worth(constants: Constants, player: int, work: Scratch) -> float:
    """The shaping reward of a placement in the last ply; taking the unit back returns it."""
    if work.count[0] == 0:
        return 0.0
    reward = 0.0
    what, where = work.events[0, 0], work.events[0, 2]
    if what == events.DEPLOYED:
        reward = constants.placing[player, where]
    elif what == events.UNDEPLOYED:
        reward = -constants.placing[player, where]
    return reward


@kernel
def first_illegal(lanes: LaneArrays, actions: NDArray[np.int64], playing: NDArray[np.bool_]) -> int:
    """The first lane whose action the mask forbids, or -1."""
    for lane in range(len(actions)):
        action = actions[lane]
        if playing[lane] and (action < 0 or action >= lanes.mask.shape[1] or not lanes.mask[lane, action]):
            return lane
    return -1


@kernel
def find_deadlocks(
    constants: Constants,
    lanes: LaneArrays,
    actions: NDArray[np.int64],
    playing: NDArray[np.bool_],
    stuck: NDArray[np.bool_],
) -> None:
    """Mark in `stuck: bool[N]` the lanes whose action would end a deployment that neither player can finish."""
    for lane in range(len(actions)):
        passes = playing[lane] and actions[lane] == constants.branch[branches.PASS]
        stuck[lane] = passes and is_deadlock(constants, lanes.states[lane])


@kernel
def _show(constants: Constants, lanes: LaneArrays, lane: int) -> None:
    """Fill a lane's observation, mask and player to move."""
    state, player = lanes.states[lane], to_index(lanes.states[lane, layout.TO_MOVE])
    lanes.player[lane] = player
    observe(
        constants, state, player, lanes.orientation.hexes[player], lanes.planes[lane], lanes.vector[lane], lanes.work
    )
    fill_mask(constants, state, lanes.mask[lane], lanes.work)
    flip_mask(constants, state, lanes.mask[lane], lanes.orientation.actions[player])


@kernel
def show_lanes(constants: Constants, lanes: LaneArrays) -> None:
    """Fill the observation, mask and player of every lane from its state."""
    for lane in range(len(lanes.player)):
        _show(constants, lanes, lane)


@kernel
def begin_lanes(constants: Constants, lanes: LaneArrays, beginning: NDArray[np.bool_]) -> None:
    """Set every lane of `beginning: bool[N]` to the first position, with its observation and mask."""
    for lane in range(len(beginning)):
        if beginning[lane]:
            lanes.ply[lane] = 0
            begin(constants, lanes.states[lane], lanes.work)
            _show(constants, lanes, lane)


@kernel
def _end(constants: Constants, lanes: LaneArrays, lane: int, mover: int) -> None:
    """Store how an episode ended, and its last observation."""
    result = to_index(lanes.states[lane, layout.RESULT])
    lanes.final_states[lane] = lanes.states[lane]
    if result != layout.DRAWN:
        winner = 1 if result & layout.WON_BY_SECOND else 0
        lanes.reward[lane] = 1.0 if winner == mover else -1.0
    watcher = mover if lanes.watcher[lane] == THE_MOVER else to_index(lanes.watcher[lane])
    mapping = lanes.orientation.hexes[watcher]
    final = lanes.final_planes[lane], lanes.final_vector[lane]
    observe(constants, lanes.states[lane], watcher, mapping, final[0], final[1], lanes.work)


@kernel
def step_lanes(
    constants: Constants, lanes: LaneArrays, key: int, actions: NDArray[np.int64], playing: NDArray[np.bool_]
) -> None:
    """One legal action in every lane of `playing: bool[N]`; a lane that ends begins its next episode."""
    for lane in range(len(actions)):
        lanes.terminated[lane] = False
        lanes.reward[lane] = 0.0
        lanes.rewards[lane, 0] = 0.0
        lanes.rewards[lane, 1] = 0.0
        if not playing[lane]:
            continue
        state, work = lanes.states[lane], lanes.work
        lanes.ply[lane] += 1
        seed_lane(lanes.generators, lane, key, lanes.episode[lane], lanes.ply[lane])
        work.generator[0] = lanes.generators[lane]
        mover = to_index(lanes.player[lane])
        action = lanes.orientation.actions[mover, actions[lane]]
        first, second = worth(constants, state, 0), worth(constants, state, 1)
        play(constants, state, action, work)
        lanes.rewards[lane, mover] = placement_worth(constants, mover, work)
        lanes.rewards[lane, 0] += worth(constants, state, 0) - first
        lanes.rewards[lane, 1] += worth(constants, state, 1) - second
        if state[layout.RESULT] != layout.LIVE:
            lanes.terminated[lane] = True
            _end(constants, lanes, lane, mover)
            lanes.episode[lane] += 1
            lanes.ply[lane] = 0
            begin(constants, state, work)
        _show(constants, lanes, lane)
