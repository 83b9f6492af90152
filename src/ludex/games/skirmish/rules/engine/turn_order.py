"""The order of phases: each builds its pool of units that can do something, and ends when the pool is empty."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine.constants import Constants
from ludex.games.skirmish.rules.engine.deployment import complete
from ludex.games.skirmish.rules.engine.events import ENDED, PHASE_BEGAN, add_event
from ludex.games.skirmish.rules.engine.layout import (
    ACTIVE,
    ADVANCED,
    ALTERNATING,
    CHARGE,
    CHARGED,
    CHARGERS,
    COMMAND,
    DEPLOYMENT,
    DOING,
    FIGHT,
    FIGHT_STAGE,
    FLED,
    LIVE,
    MOVE,
    NONE,
    NOTHING,
    OVER,
    PHASE,
    PLAYER,
    READY,
    RESULT,
    ROLLED,
    SHOOT,
    TARGET,
    TO_MOVE,
    TURN,
)
from ludex.games.skirmish.rules.engine.phases import has_foe, has_prey, has_target
from ludex.games.skirmish.rules.engine.scoring import final_result, score
from ludex.games.skirmish.rules.engine.units import has, put_mark, stands, take_mark
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
