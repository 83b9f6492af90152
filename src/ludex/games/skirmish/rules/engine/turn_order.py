"""The order of phases: each builds its pool of units that can do something, and ends when the pool is empty."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine.constants import Scene
from ludex.games.skirmish.rules.engine.deployment import complete
from ludex.games.skirmish.rules.engine.events import ENDED, PHASE_BEGAN, tell
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
    NOBODY,
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
def can_act(scene: Scene, state: NDArray[np.int16], unit: int) -> bool:
    """Whether a unit has something to do in the phase."""
    if not stands(state, unit):
        return False
    phase = state[PHASE]
    if phase == SHOOT:
        return has_target(scene, state, unit)
    if phase == CHARGE:
        return has_prey(scene, state, unit)
    return phase != FIGHT or has_foe(scene, state, unit)


@kernel
def end_activation(state: NDArray[np.int16]) -> None:
    """The active unit is done for this phase."""
    state[ACTIVE] = NOBODY
    state[DOING] = NOTHING
    state[ROLLED] = 0
    state[TARGET] = NOBODY
    if state[PHASE] == FIGHT and state[FIGHT_STAGE] == ALTERNATING:
        state[TO_MOVE] = 1 - state[TO_MOVE]


@kernel
def settle(scene: Scene, state: NDArray[np.int16], work: Scratch) -> None:
    """Go on from phase to phase until somebody has something to choose, or the game is over."""
    while True:
        if state[RESULT] != LIVE:
            state[PHASE] = OVER
            state[ACTIVE] = NOBODY
            state[DOING] = NOTHING
            state[ROLLED] = 0
            state[TARGET] = NOBODY
            tell(work, ENDED, to_index(state[RESULT]), 0, 0)
            return
        if state[PHASE] == DEPLOYMENT:
            if not complete(scene, state):
                return
            _begin_battle(scene, state, work)
        elif state[ACTIVE] != NOBODY or _someone_ready(scene, state):
            return
        elif state[PHASE] == FIGHT and state[FIGHT_STAGE] == CHARGERS:
            _begin_alternating(scene, state)
        else:
            _next_phase(scene, state, work)


@kernel
def _someone_ready(scene: Scene, state: NDArray[np.int16]) -> bool:
    """Drop units from the pool that have nothing to do any more, and find who is to move."""
    mine, theirs = 0, 0
    alternating = state[PHASE] == FIGHT and state[FIGHT_STAGE] == ALTERNATING
    if not alternating:
        state[TO_MOVE] = state[PLAYER]
    for unit in range(scene.units):
        if has(state, unit, READY):
            if not can_act(scene, state, unit):
                take_mark(state, unit, READY)
            elif scene.owner[unit] == state[TO_MOVE]:
                mine += 1
            else:
                theirs += 1
    if mine == 0 and theirs > 0:
        state[TO_MOVE] = 1 - state[TO_MOVE]
    return mine + theirs > 0


@kernel
def _begin_battle(scene: Scene, state: NDArray[np.int16], work: Scratch) -> None:
    state[TURN] = 1
    _begin_turn(scene, state, 0)
    if scene.starts_with_command:
        _begin_phase(scene, state, COMMAND, work)
    else:
        _begin_phase(scene, state, MOVE, work)


@kernel
def _begin_turn(scene: Scene, state: NDArray[np.int16], player: int) -> None:
    state[PLAYER] = player
    state[TO_MOVE] = player
    for unit in range(scene.first[player], scene.first[player + 1]):
        take_mark(state, unit, ADVANCED | FLED | CHARGED)


@kernel
def _next_phase(scene: Scene, state: NDArray[np.int16], work: Scratch) -> None:
    """The phase after this one; after a fight the other player's turn, after the last turn the end."""
    phase, player = to_index(state[PHASE]), to_index(state[PLAYER])
    if phase != FIGHT:
        _begin_phase(scene, state, phase + 1, work)
        return
    if player == 1:
        if state[TURN] == scene.turns:
            state[RESULT] = final_result(scene, state)
            return
        state[TURN] += 1
    _begin_turn(scene, state, 1 - player)
    _begin_phase(scene, state, COMMAND, work)


@kernel
def _begin_phase(scene: Scene, state: NDArray[np.int16], phase: int, work: Scratch) -> None:
    """Enter a phase and build its pool. The command phase scores, and has no pool."""
    player = to_index(state[PLAYER])
    state[PHASE] = phase
    tell(work, PHASE_BEGAN, phase, player, to_index(state[TURN]))
    if phase == COMMAND:
        score(scene, state, work)
        return
    state[FIGHT_STAGE] = CHARGERS
    for unit in range(scene.first[player], scene.first[player + 1]):
        if can_act(scene, state, unit) and (phase != FIGHT or has(state, unit, CHARGED)):
            put_mark(state, unit, READY)


@kernel
def _begin_alternating(scene: Scene, state: NDArray[np.int16]) -> None:
    """Everybody who stands next to an enemy and did not charge; the player whose turn it is not begins."""
    state[FIGHT_STAGE] = ALTERNATING
    state[TO_MOVE] = 1 - state[PLAYER]
    player = to_index(state[PLAYER])
    for unit in range(scene.units):
        charged = scene.owner[unit] == player and has(state, unit, CHARGED)
        if not charged and can_act(scene, state, unit):
            put_mark(state, unit, READY)
