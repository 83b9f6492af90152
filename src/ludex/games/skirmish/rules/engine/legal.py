"""The mask: every action that may be played now, from the predicates that refusals are explained with."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine import branches
from ludex.games.skirmish.rules.engine.constants import Scene
from ludex.games.skirmish.rules.engine.deployment import (
    FINE,
    can_confirm,
    can_pass,
    can_undeploy,
    hex_fault,
    unit_fault,
)
from ludex.games.skirmish.rules.engine.layout import (
    ACTIVE,
    CHARGE,
    CHARGING,
    DEPLOYMENT,
    DOING,
    MOVE,
    NOBODY,
    NOWHERE,
    OVER,
    PHASE,
    READY,
    SHOOT,
    TO_MOVE,
)
from ludex.games.skirmish.rules.engine.phases import (
    can_advance,
    can_charge,
    can_fight,
    can_shoot,
    landing,
    run_up,
    walk,
)
from ludex.games.skirmish.rules.engine.units import has
from ludex.games.skirmish.rules.engine.workspace import Scratch
from ludex.kernels.jit import kernel, to_index


@kernel
def fill_mask(scene: Scene, state: NDArray[np.int16], mask: NDArray[np.bool_], work: Scratch) -> None:
    """`mask: bool[actions]`, never empty while the game is live, all False when it is over."""
    mask[:] = False
    if state[PHASE] == OVER:
        return
    if state[PHASE] == DEPLOYMENT:
        _deployment(scene, state, mask)
    elif state[ACTIVE] == NOBODY:
        player = to_index(state[TO_MOVE])
        begin = to_index(scene.first[player])
        for unit in range(begin, scene.first[player + 1]):
            if has(state, unit, READY):
                mask[scene.branch[branches.ACTIVATE] + unit - begin] = True
    elif state[PHASE] == MOVE:
        _move(scene, state, mask, work)
    elif state[DOING] == CHARGING:
        run_up(scene, state, work)
        for direction in range(branches.SIDES):
            if landing(scene, state, direction, work) != NOWHERE:
                mask[scene.branch[branches.CHARGE_DESTINATION] + direction] = True
    else:
        _enemies(scene, state, mask)
        mask[scene.branch[branches.WAIT]] = True


@kernel
def _deployment(scene: Scene, state: NDArray[np.int16], mask: NDArray[np.bool_]) -> None:
    player = to_index(state[TO_MOVE])
    begin = to_index(scene.first[player])
    for slot in range(scene.pool_size[player]):
        if hex_fault(scene, state, to_index(scene.pool[player, slot])) == FINE:
            for unit in range(begin, scene.first[player + 1]):
                if unit_fault(scene, state, unit) == FINE:
                    mask[(unit - begin) * scene.hex_slots + slot] = True
    for unit in range(begin, scene.first[player + 1]):
        mask[scene.branch[branches.UNDEPLOY] + unit - begin] = can_undeploy(scene, state, unit)
    mask[scene.branch[branches.PASS]] = can_pass(scene, state)
    mask[scene.branch[branches.CONFIRM]] = can_confirm(scene, state)


@kernel
def _move(scene: Scene, state: NDArray[np.int16], mask: NDArray[np.bool_], work: Scratch) -> None:
    unit = to_index(state[ACTIVE])
    walk(scene, state, unit, work)
    begin = scene.branch[branches.MOVE]
    for where in range(scene.size):
        mask[begin + where] = work.steps[where] > 0
    mask[scene.branch[branches.ADVANCE]] = can_advance(scene, state, unit)
    mask[scene.branch[branches.WAIT]] = True


@kernel
def _enemies(scene: Scene, state: NDArray[np.int16], mask: NDArray[np.bool_]) -> None:
    """Whom the active unit may shoot, charge or fight."""
    unit, phase = to_index(state[ACTIVE]), state[PHASE]
    enemy = 1 - to_index(scene.owner[unit])
    begin = to_index(scene.first[enemy])
    for target in range(begin, scene.first[enemy + 1]):
        if phase == SHOOT:
            mask[scene.branch[branches.SHOOT] + target - begin] = can_shoot(scene, state, unit, target)
        elif phase == CHARGE:
            mask[scene.branch[branches.CHARGE] + target - begin] = can_charge(scene, state, unit, target)
        else:
            mask[scene.branch[branches.FIGHT] + target - begin] = can_fight(scene, state, unit, target)
