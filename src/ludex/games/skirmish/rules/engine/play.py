"""One legal action, executed."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine import branches
from ludex.games.skirmish.rules.engine.constants import Scene
from ludex.games.skirmish.rules.engine.deployment import confirm, deploy, pass_on, undeploy
from ludex.games.skirmish.rules.engine.layout import (
    ACTIVE,
    CONFIRMED,
    DEPLOYED,
    LIVE,
    NOBODY,
    NOWHERE,
    PLIES,
    READY,
    RESULT,
    STATE_WORDS,
    TARGET,
    TO_MOVE,
    UNDEPLOYS,
    UNIT_WORDS,
    UNITS,
    WOUNDS,
)
from ludex.games.skirmish.rules.engine.phases import advance, charge, fight, land, move, shoot
from ludex.games.skirmish.rules.engine.turn_order import end_activation, settle
from ludex.games.skirmish.rules.engine.units import put, put_mark, take_mark
from ludex.games.skirmish.rules.engine.workspace import Scratch
from ludex.kernels.jit import kernel, to_index

PLAYED: Final = 0
DEADLOCK: Final = 1
"""Nobody can deploy any more, and units are left: nothing was changed."""


@kernel
def begin(scene: Scene, state: NDArray[np.int16], work: Scratch) -> None:
    """The first state: everything unplaced, or where the scenario has fixed it."""
    state[:STATE_WORDS] = 0
    work.count[0] = 0
    state[ACTIVE] = NOBODY
    state[TARGET] = NOBODY
    state[RESULT] = LIVE
    state[UNDEPLOYS] = scene.max_undeploys
    state[UNDEPLOYS + 1] = scene.max_undeploys
    for unit in range(STATE_WORDS // UNIT_WORDS):
        if UNITS + unit * UNIT_WORDS < STATE_WORDS:
            put(state, unit, NOWHERE)
    for unit in range(scene.units):
        state[UNITS + unit * UNIT_WORDS + WOUNDS] = scene.wounds[unit]
        if scene.fixed[unit] != NOWHERE:
            put(state, unit, to_index(scene.fixed[unit]))
            put_mark(state, unit, DEPLOYED)
            state[CONFIRMED], state[CONFIRMED + 1] = 1, 1
    settle(scene, state, work)


@kernel
def branch_of(scene: Scene, action: int) -> int:
    """The branch that an action belongs to."""
    branch = 0
    while action >= scene.branch[branch + 1]:
        branch += 1
    return branch


@kernel
def play(
    scene: Scene, state: NDArray[np.int16], action: int, states: NDArray[np.uint64], lane: int, work: Scratch
) -> int:
    """Execute an action that the mask allows, and go on until somebody has to choose; PLAYED or DEADLOCK."""
    work.count[0] = 0
    branch = branch_of(scene, action)
    inside = action - to_index(scene.branch[branch])
    player = to_index(state[TO_MOVE])
    mine, theirs = to_index(scene.first[player]), to_index(scene.first[1 - player])
    if branch == branches.PASS and not pass_on(scene, state, work):
        return DEADLOCK
    state[PLIES] += 1
    done = True
    if branch == branches.DEPLOY:
        unit, slot = inside // scene.hex_slots, inside % scene.hex_slots
        deploy(scene, state, mine + unit, to_index(scene.pool[player, slot]), work)
        done = False
    elif branch == branches.UNDEPLOY:
        undeploy(state, mine + inside, work)
        done = False
    elif branch == branches.CONFIRM:
        confirm(scene, state, work)
        done = False
    elif branch == branches.ACTIVATE:
        state[ACTIVE] = mine + inside
        take_mark(state, mine + inside, READY)
        done = False
    elif branch == branches.MOVE:
        move(scene, state, inside, work)
    elif branch == branches.ADVANCE:
        advance(state, states, lane, work)
        done = False
    elif branch == branches.SHOOT:
        shoot(scene, state, theirs + inside, states, lane, work)
    elif branch == branches.CHARGE:
        done = not charge(scene, state, theirs + inside, states, lane, work)
    elif branch == branches.CHARGE_DESTINATION:
        land(scene, state, inside, work)
    elif branch == branches.FIGHT:
        fight(scene, state, theirs + inside, states, lane, work)
    if done and branch != branches.PASS:
        end_activation(state)
    settle(scene, state, work)
    return PLAYED
