"""One legal action, executed."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine import branches
from ludex.games.skirmish.rules.engine.constants import Constants
from ludex.games.skirmish.rules.engine.deployment import confirm, deploy, is_deadlock, pass_on, undeploy
from ludex.games.skirmish.rules.engine.events import DEPLOYMENT_START, add_event
from ludex.games.skirmish.rules.engine.layout import (
    ACTIVE,
    CONFIRMED,
    DEPLOYED,
    DEPLOYMENT,
    LIVE,
    NONE,
    NOWHERE,
    PHASE,
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
"""No player can deploy any more, and units are left: nothing was changed."""


@kernel
def begin(constants: Constants, state: NDArray[np.int16], work: Scratch) -> None:
    """The first state: everything unplaced, or where the scenario has fixed it."""
    state[:STATE_WORDS] = 0
    work.count[0] = 0
    state[ACTIVE] = NONE
    state[TARGET] = NONE
    state[RESULT] = LIVE
    state[UNDEPLOYS] = constants.max_undeploys
    state[UNDEPLOYS + 1] = constants.max_undeploys
    for unit in range(STATE_WORDS // UNIT_WORDS):
        if UNITS + unit * UNIT_WORDS < STATE_WORDS:
            put(state, unit, NOWHERE)
    for unit in range(constants.units):
        state[UNITS + unit * UNIT_WORDS + WOUNDS] = constants.wounds[unit]
        if constants.fixed[unit] != NOWHERE:
            put(state, unit, to_index(constants.fixed[unit]))
            put_mark(state, unit, DEPLOYED)
            state[CONFIRMED], state[CONFIRMED + 1] = 1, 1
    if state[CONFIRMED] == 0:
        pools = constants.pool_size
        add_event(work, DEPLOYMENT_START, to_index(pools[0]), to_index(pools[1]), 0)
    settle(constants, state, work)


@kernel
def branch_of(constants: Constants, action: int) -> int:
    """The branch that an action belongs to."""
    branch = 0
    while action >= constants.branch[branch + 1]:
        branch += 1
    return branch


@kernel
def play(
    constants: Constants, state: NDArray[np.int16], action: int, states: NDArray[np.uint64], lane: int, work: Scratch
) -> int:
    """Execute an action that the mask allows, and continue to the next choice; returns PLAYED or DEADLOCK."""
    work.count[0] = 0
    branch = branch_of(constants, action)
    inside = action - to_index(constants.branch[branch])
    player = to_index(state[TO_MOVE])
    mine, theirs = to_index(constants.first[player]), to_index(constants.first[1 - player])
    if branch == branches.PASS and is_deadlock(constants, state):
        return DEADLOCK
    state[PLIES] += 1
    done = True
    if state[PHASE] == DEPLOYMENT:
        _play_deployment(constants, state, branch, inside, work)
        done = False
    elif branch == branches.ACTIVATE:
        state[ACTIVE] = mine + inside
        take_mark(state, mine + inside, READY)
        done = False
    elif branch == branches.MOVE:
        move(constants, state, inside, work)
    elif branch == branches.ADVANCE:
        advance(state, states, lane, work)
        done = False
    elif branch == branches.SHOOT:
        shoot(constants, state, theirs + inside, states, lane, work)
    elif branch == branches.CHARGE:
        done = not charge(constants, state, theirs + inside, states, lane, work)
    elif branch == branches.CHARGE_DESTINATION:
        land(constants, state, inside, work)
    elif branch == branches.FIGHT:
        fight(constants, state, theirs + inside, states, lane, work)
    if done:
        end_activation(state)
    settle(constants, state, work)
    return PLAYED


@kernel
def _play_deployment(constants: Constants, state: NDArray[np.int16], branch: int, inside: int, work: Scratch) -> None:
    """Execute an action of the deployment phase, the one at index `inside` of its branch."""
    player = to_index(state[TO_MOVE])
    mine = to_index(constants.first[player])
    if branch == branches.DEPLOY:
        unit, slot = inside // constants.hex_slots, inside % constants.hex_slots
        deploy(constants, state, mine + unit, to_index(constants.pool[player, slot]), work)
    elif branch == branches.UNDEPLOY:
        undeploy(state, mine + inside, work)
    elif branch == branches.PASS:
        pass_on(state, work)
    else:
        confirm(constants, state, work)
