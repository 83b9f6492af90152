"""Every legal action, one of them executed, and whose turn and which phase follow."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine import branches, events, layout
from ludex.games.skirmish.rules.engine.deployment import (
    FINE,
    can_confirm,
    can_pass,
    can_undeploy,
    complete,
    confirm,
    deploy,
    hex_fault,
    is_deadlock,
    pass_on,
    undeploy,
    unit_fault,
)
from ludex.games.skirmish.rules.engine.events import add_event
from ludex.games.skirmish.rules.engine.layout import State
from ludex.games.skirmish.rules.engine.phases import (
    advance,
    can_act,
    can_advance,
    can_attack,
    charge,
    fight,
    land,
    landing,
    move,
    run_up,
    shoot,
    walk,
)
from ludex.games.skirmish.rules.engine.records import Constants, Scratch
from ludex.games.skirmish.rules.engine.units import final_result, has, put, put_mark, score, take_mark
from ludex.kernels.jit import kernel, to_index


@kernel
def fill_mask(constants: Constants, state: State, mask: NDArray[np.bool_], work: Scratch) -> None:
    """`mask: bool[actions]`, never empty while the game is live, all False when it is over."""
    mask[:] = False
    if state[layout.PHASE] == layout.OVER:
        return
    if state[layout.PHASE] == layout.DEPLOYMENT:
        _deployment(constants, state, mask)
    elif state[layout.ACTIVE] == layout.NONE:
        player = to_index(state[layout.TO_MOVE])
        begin = to_index(constants.first[player])
        for unit in range(begin, constants.first[player + 1]):
            if has(state, unit, layout.READY):
                mask[constants.branch[branches.ACTIVATE] + unit - begin] = True
    elif state[layout.PHASE] == layout.MOVE:
        _move(constants, state, mask, work)
    elif state[layout.DOING] == layout.CHARGING:
        run_up(constants, state, work)
        for direction in range(branches.SIDES):
            if landing(constants, state, direction, work) != layout.NOWHERE:
                mask[constants.branch[branches.CHARGE_DESTINATION] + direction] = True
    else:
        _enemies(constants, state, mask)
        mask[constants.branch[branches.WAIT]] = True


@kernel
def _deployment(constants: Constants, state: State, mask: NDArray[np.bool_]) -> None:
    player = to_index(state[layout.TO_MOVE])
    begin = to_index(constants.first[player])
    for slot in range(constants.pool_size[player]):
        if hex_fault(constants, state, to_index(constants.pool[player, slot])) == FINE:
            for unit in range(begin, constants.first[player + 1]):
                if unit_fault(constants, state, unit) == FINE:
                    mask[(unit - begin) * constants.hex_slots + slot] = True
    for unit in range(begin, constants.first[player + 1]):
        mask[constants.branch[branches.UNDEPLOY] + unit - begin] = can_undeploy(constants, state, unit)
    mask[constants.branch[branches.PASS]] = can_pass(constants, state)
    mask[constants.branch[branches.CONFIRM]] = can_confirm(constants, state)


@kernel
def _move(constants: Constants, state: State, mask: NDArray[np.bool_], work: Scratch) -> None:
    unit = to_index(state[layout.ACTIVE])
    walk(constants, state, unit, work)
    begin = constants.branch[branches.MOVE]
    for where in range(constants.size):
        mask[begin + where] = work.steps[where] > 0
    mask[constants.branch[branches.ADVANCE]] = can_advance(constants, state, unit)
    mask[constants.branch[branches.WAIT]] = True


@kernel
def _enemies(constants: Constants, state: State, mask: NDArray[np.bool_]) -> None:
    """The enemies that the active unit may shoot, charge or fight."""
    unit = to_index(state[layout.ACTIVE])
    enemy = 1 - to_index(constants.owner[unit])
    first = to_index(constants.first[enemy])
    branch = branches.FIGHT
    if state[layout.PHASE] == layout.SHOOT:
        branch = branches.SHOOT
    elif state[layout.PHASE] == layout.CHARGE:
        branch = branches.CHARGE
    for target in range(first, constants.first[enemy + 1]):
        mask[constants.branch[branch] + target - first] = can_attack(constants, state, unit, target)


@kernel
def end_activation(state: State) -> None:
    """The active unit is done for this phase."""
    state[layout.ACTIVE] = layout.NONE
    state[layout.DOING] = layout.NOTHING
    state[layout.ROLLED] = 0
    state[layout.TARGET] = layout.NONE
    if state[layout.PHASE] == layout.FIGHT and state[layout.FIGHT_STAGE] == layout.ALTERNATING:
        state[layout.TO_MOVE] = 1 - state[layout.TO_MOVE]


@kernel
def settle(constants: Constants, state: State, work: Scratch) -> None:
    """Advance from phase to phase until a player has a choice, or the game is over."""
    while True:
        if state[layout.RESULT] != layout.LIVE:
            state[layout.PHASE] = layout.OVER
            end_activation(state)
            add_event(work, events.ENDED, to_index(state[layout.RESULT]), 0, 0)
            return
        if state[layout.PHASE] == layout.DEPLOYMENT:
            if not complete(constants, state):
                return
            state[layout.TURN] = 1
            _begin_turn(constants, state, 0)
            _begin_phase(constants, state, layout.COMMAND if constants.starts_with_command else layout.MOVE, work)
        elif state[layout.ACTIVE] != layout.NONE or _any_ready(constants, state):
            return
        elif state[layout.PHASE] == layout.FIGHT and state[layout.FIGHT_STAGE] == layout.CHARGERS:
            _begin_alternating(constants, state)
        else:
            _next_phase(constants, state, work)


@kernel
def _any_ready(constants: Constants, state: State) -> bool:
    """Drop units from the pool that have nothing to do any more, and set the player to move."""
    mine, theirs = 0, 0
    alternating = state[layout.PHASE] == layout.FIGHT and state[layout.FIGHT_STAGE] == layout.ALTERNATING
    if not alternating:
        state[layout.TO_MOVE] = state[layout.PLAYER]
    for unit in range(constants.units):
        if has(state, unit, layout.READY):
            if not can_act(constants, state, unit):
                take_mark(state, unit, layout.READY)
            elif constants.owner[unit] == state[layout.TO_MOVE]:
                mine += 1
            else:
                theirs += 1
    if mine == 0 and theirs > 0:
        state[layout.TO_MOVE] = 1 - state[layout.TO_MOVE]
    return mine + theirs > 0


@kernel
def _begin_turn(constants: Constants, state: State, player: int) -> None:
    state[layout.PLAYER] = player
    state[layout.TO_MOVE] = player
    for unit in range(constants.first[player], constants.first[player + 1]):
        take_mark(state, unit, layout.ADVANCED | layout.FLED | layout.CHARGED)


@kernel
def _next_phase(constants: Constants, state: State, work: Scratch) -> None:
    """The phase after this one; after a fight the other player's turn, after the last turn the end."""
    phase, player = to_index(state[layout.PHASE]), to_index(state[layout.PLAYER])
    if phase != layout.FIGHT:
        _begin_phase(constants, state, phase + 1, work)
        return
    if player == 1:
        if state[layout.TURN] == constants.turns:
            state[layout.RESULT] = final_result(constants, state)
            return
        state[layout.TURN] += 1
    _begin_turn(constants, state, 1 - player)
    _begin_phase(constants, state, layout.COMMAND, work)


@kernel
def _begin_phase(constants: Constants, state: State, phase: int, work: Scratch) -> None:
    """Enter a phase and build its pool. The command phase scores, and has no pool."""
    player = to_index(state[layout.PLAYER])
    state[layout.PHASE] = phase
    add_event(work, events.PHASE_BEGAN, phase, player, to_index(state[layout.TURN]))
    if phase == layout.COMMAND:
        score(constants, state, work)
        return
    state[layout.FIGHT_STAGE] = layout.CHARGERS
    for unit in range(constants.first[player], constants.first[player + 1]):
        if can_act(constants, state, unit) and (phase != layout.FIGHT or has(state, unit, layout.CHARGED)):
            put_mark(state, unit, layout.READY)


@kernel
def _begin_alternating(constants: Constants, state: State) -> None:
    """Ready every unit next to an enemy that did not charge; the player whose turn it is not begins."""
    state[layout.FIGHT_STAGE] = layout.ALTERNATING
    state[layout.TO_MOVE] = 1 - state[layout.PLAYER]
    player = to_index(state[layout.PLAYER])
    for unit in range(constants.units):
        charged = constants.owner[unit] == player and has(state, unit, layout.CHARGED)
        if not charged and can_act(constants, state, unit):
            put_mark(state, unit, layout.READY)


PLAYED: Final = 0
DEADLOCK: Final = 1
"""No player can deploy any more, and units are left: nothing was changed."""


@kernel
def begin(constants: Constants, state: State, work: Scratch) -> None:
    """The first state: everything unplaced, or where the scenario has fixed it."""
    state[: layout.STATE_WORDS] = 0
    work.count[0] = 0
    state[layout.ACTIVE] = layout.NONE
    state[layout.TARGET] = layout.NONE
    state[layout.RESULT] = layout.LIVE
    state[layout.UNDEPLOYS] = constants.max_undeploys
    state[layout.UNDEPLOYS + 1] = constants.max_undeploys
    for unit in range(layout.STATE_WORDS // layout.UNIT_WORDS):
        if layout.UNITS + unit * layout.UNIT_WORDS < layout.STATE_WORDS:
            put(state, unit, layout.NOWHERE)
    for unit in range(constants.units):
        state[layout.UNITS + unit * layout.UNIT_WORDS + layout.WOUNDS] = constants.wounds[unit]
        if constants.fixed[unit] != layout.NOWHERE:
            put(state, unit, to_index(constants.fixed[unit]))
            put_mark(state, unit, layout.DEPLOYED)
            state[layout.CONFIRMED], state[layout.CONFIRMED + 1] = 1, 1
    if state[layout.CONFIRMED] == 0:
        pools = constants.pool_size
        add_event(work, events.DEPLOYMENT_START, to_index(pools[0]), to_index(pools[1]), 0)
    settle(constants, state, work)


@kernel
def branch_of(constants: Constants, action: int) -> int:
    """The branch that an action belongs to."""
    branch = 0
    while action >= constants.branch[branch + 1]:
        branch += 1
    return branch


@kernel
def play(constants: Constants, state: State, action: int, work: Scratch) -> int:
    """Execute an action that the mask allows, and continue to the next choice; returns PLAYED or DEADLOCK."""
    work.count[0] = 0
    branch = branch_of(constants, action)
    inside = action - to_index(constants.branch[branch])
    player = to_index(state[layout.TO_MOVE])
    mine, theirs = to_index(constants.first[player]), to_index(constants.first[1 - player])
    if branch == branches.PASS and is_deadlock(constants, state):
        return DEADLOCK
    state[layout.PLIES] += 1
    done = True
    if state[layout.PHASE] == layout.DEPLOYMENT:
        _play_deployment(constants, state, branch, inside, work)
        done = False
    elif branch == branches.ACTIVATE:
        state[layout.ACTIVE] = mine + inside
        take_mark(state, mine + inside, layout.READY)
        done = False
    elif branch == branches.MOVE:
        move(constants, state, inside, work)
    elif branch == branches.ADVANCE:
        advance(state, work)
        done = False
    elif branch == branches.SHOOT:
        shoot(constants, state, theirs + inside, work)
    elif branch == branches.CHARGE:
        done = not charge(constants, state, theirs + inside, work)
    elif branch == branches.CHARGE_DESTINATION:
        land(constants, state, inside, work)
    elif branch == branches.FIGHT:
        fight(constants, state, theirs + inside, work)
    if done:
        end_activation(state)
    settle(constants, state, work)
    return PLAYED


@kernel
def _play_deployment(constants: Constants, state: State, branch: int, inside: int, work: Scratch) -> None:
    """Execute an action of the deployment phase, the one at index `inside` of its branch."""
    player = to_index(state[layout.TO_MOVE])
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
