"""One legal action, executed, and whose turn and which phase follow."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine import branches
from ludex.games.skirmish.rules.engine.constants import Constants
from ludex.games.skirmish.rules.engine.deployment import complete, confirm, deploy, is_deadlock, pass_on, undeploy
from ludex.games.skirmish.rules.engine.events import DEPLOYMENT_START, ENDED, PHASE_BEGAN, add_event
from ludex.games.skirmish.rules.engine.layout import (
    ACTIVE,
    ADVANCED,
    ALTERNATING,
    CHARGE,
    CHARGED,
    CHARGERS,
    COMMAND,
    CONFIRMED,
    DEPLOYED,
    DEPLOYMENT,
    DOING,
    FIGHT,
    FIGHT_STAGE,
    FLED,
    LIVE,
    MOVE,
    NONE,
    NOTHING,
    NOWHERE,
    OVER,
    PHASE,
    PLAYER,
    PLIES,
    READY,
    RESULT,
    ROLLED,
    SHOOT,
    STATE_WORDS,
    TARGET,
    TO_MOVE,
    TURN,
    UNDEPLOYS,
    UNIT_WORDS,
    UNITS,
    WOUNDS,
)
from ludex.games.skirmish.rules.engine.phases import (
    advance,
    charge,
    fight,
    has_foe,
    has_prey,
    has_target,
    land,
    move,
    shoot,
)
from ludex.games.skirmish.rules.engine.scoring import final_result, score
from ludex.games.skirmish.rules.engine.units import has, put, put_mark, stands, take_mark
from ludex.games.skirmish.rules.engine.workspace import Scratch
from ludex.kernels.jit import kernel, to_index


@kernel
def can_act(constants: Constants, state: NDArray[np.int16], unit: int) -> bool:
    """Whether a unit has something to do in the phase."""
    if not stands(state, unit):
        return False
    phase = state[PHASE]
    if phase == SHOOT:
        return has_target(constants, state, unit)
    if phase == CHARGE:
        return has_prey(constants, state, unit)
    return phase != FIGHT or has_foe(constants, state, unit)


@kernel
def end_activation(state: NDArray[np.int16]) -> None:
    """The active unit is done for this phase."""
    state[ACTIVE] = NONE
    state[DOING] = NOTHING
    state[ROLLED] = 0
    state[TARGET] = NONE
    if state[PHASE] == FIGHT and state[FIGHT_STAGE] == ALTERNATING:
        state[TO_MOVE] = 1 - state[TO_MOVE]


@kernel
def settle(constants: Constants, state: NDArray[np.int16], work: Scratch) -> None:
    """Advance from phase to phase until a player has a choice, or the game is over."""
    while True:
        if state[RESULT] != LIVE:
            state[PHASE] = OVER
            state[ACTIVE] = NONE
            state[DOING] = NOTHING
            state[ROLLED] = 0
            state[TARGET] = NONE
            add_event(work, ENDED, to_index(state[RESULT]), 0, 0)
            return
        if state[PHASE] == DEPLOYMENT:
            if not complete(constants, state):
                return
            _begin_battle(constants, state, work)
        elif state[ACTIVE] != NONE or _any_ready(constants, state):
            return
        elif state[PHASE] == FIGHT and state[FIGHT_STAGE] == CHARGERS:
            _begin_alternating(constants, state)
        else:
            _next_phase(constants, state, work)


@kernel
def _any_ready(constants: Constants, state: NDArray[np.int16]) -> bool:
    """Drop units from the pool that have nothing to do any more, and set the player to move."""
    mine, theirs = 0, 0
    alternating = state[PHASE] == FIGHT and state[FIGHT_STAGE] == ALTERNATING
    if not alternating:
        state[TO_MOVE] = state[PLAYER]
    for unit in range(constants.units):
        if has(state, unit, READY):
            if not can_act(constants, state, unit):
                take_mark(state, unit, READY)
            elif constants.owner[unit] == state[TO_MOVE]:
                mine += 1
            else:
                theirs += 1
    if mine == 0 and theirs > 0:
        state[TO_MOVE] = 1 - state[TO_MOVE]
    return mine + theirs > 0


@kernel
def _begin_battle(constants: Constants, state: NDArray[np.int16], work: Scratch) -> None:
    state[TURN] = 1
    _begin_turn(constants, state, 0)
    if constants.starts_with_command:
        _begin_phase(constants, state, COMMAND, work)
    else:
        _begin_phase(constants, state, MOVE, work)


@kernel
def _begin_turn(constants: Constants, state: NDArray[np.int16], player: int) -> None:
    state[PLAYER] = player
    state[TO_MOVE] = player
    for unit in range(constants.first[player], constants.first[player + 1]):
        take_mark(state, unit, ADVANCED | FLED | CHARGED)


@kernel
def _next_phase(constants: Constants, state: NDArray[np.int16], work: Scratch) -> None:
    """The phase after this one; after a fight the other player's turn, after the last turn the end."""
    phase, player = to_index(state[PHASE]), to_index(state[PLAYER])
    if phase != FIGHT:
        _begin_phase(constants, state, phase + 1, work)
        return
    if player == 1:
        if state[TURN] == constants.turns:
            state[RESULT] = final_result(constants, state)
            return
        state[TURN] += 1
    _begin_turn(constants, state, 1 - player)
    _begin_phase(constants, state, COMMAND, work)


@kernel
def _begin_phase(constants: Constants, state: NDArray[np.int16], phase: int, work: Scratch) -> None:
    """Enter a phase and build its pool. The command phase scores, and has no pool."""
    player = to_index(state[PLAYER])
    state[PHASE] = phase
    add_event(work, PHASE_BEGAN, phase, player, to_index(state[TURN]))
    if phase == COMMAND:
        score(constants, state, work)
        return
    state[FIGHT_STAGE] = CHARGERS
    for unit in range(constants.first[player], constants.first[player + 1]):
        if can_act(constants, state, unit) and (phase != FIGHT or has(state, unit, CHARGED)):
            put_mark(state, unit, READY)


@kernel
def _begin_alternating(constants: Constants, state: NDArray[np.int16]) -> None:
    """Ready every unit next to an enemy that did not charge; the player whose turn it is not begins."""
    state[FIGHT_STAGE] = ALTERNATING
    state[TO_MOVE] = 1 - state[PLAYER]
    player = to_index(state[PLAYER])
    for unit in range(constants.units):
        charged = constants.owner[unit] == player and has(state, unit, CHARGED)
        if not charged and can_act(constants, state, unit):
            put_mark(state, unit, READY)


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
