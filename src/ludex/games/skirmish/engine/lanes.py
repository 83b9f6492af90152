"""Many games at once: the same kernels, lane by lane."""

import numpy as np
from numpy.typing import NDArray

from ludex.core.jit import kernel, seed_lane, to_index
from ludex.core.seeding import CHANCE
from ludex.games.skirmish.engine import branches
from ludex.games.skirmish.engine.deployment import can_place
from ludex.games.skirmish.engine.layout import DRAWN, LIVE, RESULT, TO_MOVE, WON_BY_SECOND
from ludex.games.skirmish.engine.legal import fill_mask
from ludex.games.skirmish.engine.observing import observe
from ludex.games.skirmish.engine.play import begin, play
from ludex.games.skirmish.engine.scene import Scene
from ludex.games.skirmish.engine.scratch import Scratch


@kernel
def first_illegal(mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> int:
    """The first lane whose action the mask forbids, or -1."""
    for lane in range(len(actions)):
        action = actions[lane]
        if action < 0 or action >= mask.shape[1] or not mask[lane, action]:
            return lane
    return -1


@kernel
def first_deadlock(scene: Scene, states: NDArray[np.int16], actions: NDArray[np.int64]) -> int:
    """The first lane whose action would end a deployment that nobody can finish, or -1."""
    for lane in range(len(actions)):
        if actions[lane] == scene.branch[branches.PASS]:
            other = 1 - to_index(states[lane, TO_MOVE])
            if not scene.alternated or not can_place(scene, states[lane], other):
                return lane
    return -1


@kernel
def begin_lane(
    scene: Scene,
    lane: int,
    states: NDArray[np.int16],
    planes: NDArray[np.float32],
    vector: NDArray[np.float32],
    mask: NDArray[np.bool_],
    player: NDArray[np.int8],
    work: Scratch,
) -> None:
    """The first position of a lane, with what its player sees and may do."""
    begin(scene, states[lane], work)
    show_lane(scene, lane, states, planes, vector, mask, player, work)


@kernel
def show_lane(
    scene: Scene,
    lane: int,
    states: NDArray[np.int16],
    planes: NDArray[np.float32],
    vector: NDArray[np.float32],
    mask: NDArray[np.bool_],
    player: NDArray[np.int8],
    work: Scratch,
) -> None:
    """Fill a lane's observation, mask and player to move."""
    player[lane] = states[lane, TO_MOVE]
    observe(scene, states[lane], to_index(player[lane]), planes[lane], vector[lane])
    fill_mask(scene, states[lane], mask[lane], work)


@kernel
def begin_lanes(
    scene: Scene,
    states: NDArray[np.int16],
    planes: NDArray[np.float32],
    vector: NDArray[np.float32],
    mask: NDArray[np.bool_],
    player: NDArray[np.int8],
    work: Scratch,
) -> None:
    """The first position of every lane."""
    for lane in range(len(states)):
        begin_lane(scene, lane, states, planes, vector, mask, player, work)


@kernel
def step_lanes(
    scene: Scene,
    actions: NDArray[np.int64],
    seed: int,
    episode: NDArray[np.int64],
    ply: NDArray[np.int64],
    generators: NDArray[np.uint64],
    states: NDArray[np.int16],
    planes: NDArray[np.float32],
    vector: NDArray[np.float32],
    mask: NDArray[np.bool_],
    player: NDArray[np.int8],
    final_planes: NDArray[np.float32],
    final_vector: NDArray[np.float32],
    reward: NDArray[np.float32],
    terminated: NDArray[np.bool_],
    work: Scratch,
) -> None:
    """One legal action in every lane; a lane that ends begins its next episode, and keeps what its last mover saw."""
    for lane in range(len(actions)):
        ply[lane] += 1
        seed_lane(generators, lane, seed, episode[lane], ply[lane], CHANCE)
        mover = to_index(player[lane])
        play(scene, states[lane], actions[lane], generators, lane, work)
        result = to_index(states[lane, RESULT])
        terminated[lane] = result != LIVE
        reward[lane] = 0.0
        if result != LIVE:
            if result != DRAWN:
                winner = 1 if result & WON_BY_SECOND else 0
                reward[lane] = 1.0 if winner == mover else -1.0
            observe(scene, states[lane], mover, final_planes[lane], final_vector[lane])
            episode[lane] += 1
            ply[lane] = 0
            begin_lane(scene, lane, states, planes, vector, mask, player, work)
        else:
            show_lane(scene, lane, states, planes, vector, mask, player, work)
