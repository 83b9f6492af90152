"""The mask: every legal action, from the predicates that also explain refusals."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine import branches
from ludex.games.skirmish.rules.engine.constants import Constants
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
    NONE,
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
def fill_mask(constants: Constants, state: NDArray[np.int16], mask: NDArray[np.bool_], work: Scratch) -> None:
    """`mask: bool[actions]`, never empty while the game is live, all False when it is over."""
    mask[:] = False
    if state[PHASE] == OVER:
        return
    if state[PHASE] == DEPLOYMENT:
        _deployment(constants, state, mask)
    elif state[ACTIVE] == NONE:
        player = to_index(state[TO_MOVE])
        begin = to_index(constants.first[player])
        for unit in range(begin, constants.first[player + 1]):
            if has(state, unit, READY):
                mask[constants.branch[branches.ACTIVATE] + unit - begin] = True
    elif state[PHASE] == MOVE:
        _move(constants, state, mask, work)
    elif state[DOING] == CHARGING:
        run_up(constants, state, work)
        for direction in range(branches.SIDES):
            if landing(constants, state, direction, work) != NOWHERE:
                mask[constants.branch[branches.CHARGE_DESTINATION] + direction] = True
    else:
        _enemies(constants, state, mask)
        mask[constants.branch[branches.WAIT]] = True


@kernel
def _deployment(constants: Constants, state: NDArray[np.int16], mask: NDArray[np.bool_]) -> None:
    player = to_index(state[TO_MOVE])
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
def _move(constants: Constants, state: NDArray[np.int16], mask: NDArray[np.bool_], work: Scratch) -> None:
    unit = to_index(state[ACTIVE])
    walk(constants, state, unit, work)
    begin = constants.branch[branches.MOVE]
    for where in range(constants.size):
        mask[begin + where] = work.steps[where] > 0
    mask[constants.branch[branches.ADVANCE]] = can_advance(constants, state, unit)
    mask[constants.branch[branches.WAIT]] = True


@kernel
def _enemies(constants: Constants, state: NDArray[np.int16], mask: NDArray[np.bool_]) -> None:
    """The enemies that the active unit may shoot, charge or fight."""
    unit, phase = to_index(state[ACTIVE]), state[PHASE]
    enemy = 1 - to_index(constants.owner[unit])
    begin = to_index(constants.first[enemy])
    for target in range(begin, constants.first[enemy + 1]):
        if phase == SHOOT:
            mask[constants.branch[branches.SHOOT] + target - begin] = can_shoot(constants, state, unit, target)
        elif phase == CHARGE:
            mask[constants.branch[branches.CHARGE] + target - begin] = can_charge(constants, state, unit, target)
        else:
            mask[constants.branch[branches.FIGHT] + target - begin] = can_fight(constants, state, unit, target)
