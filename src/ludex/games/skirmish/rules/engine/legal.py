"""The mask: every legal action, from the predicates that also explain refusals."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine import branches, layout
from ludex.games.skirmish.rules.engine.constants import Constants
from ludex.games.skirmish.rules.engine.deployment import (
    FINE,
    can_confirm,
    can_pass,
    can_undeploy,
    hex_fault,
    unit_fault,
)
from ludex.games.skirmish.rules.engine.layout import State
from ludex.games.skirmish.rules.engine.phases import can_advance, can_attack, landing, run_up, walk
from ludex.games.skirmish.rules.engine.units import has
from ludex.games.skirmish.rules.engine.workspace import Scratch
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
