"""One weapon's attacks on a target, roll by roll."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.dice import NO_SAVE, SIDES, passes, to_save, to_wound
from ludex.games.skirmish.rules.engine.constants import Constants
from ludex.games.skirmish.rules.engine.events import (
    ATTACKED,
    DAMAGED,
    DESTROYED,
    HIT_ROLL,
    SAVE_ROLL,
    WOUND_ROLL,
    add_event,
)
from ludex.games.skirmish.rules.engine.layout import (
    ANNIHILATION,
    NOWHERE,
    READY,
    RESULT,
    UNIT_WORDS,
    UNITS,
    WON_BY_SECOND,
    WOUNDS,
)
from ludex.games.skirmish.rules.engine.units import hex_of, put, take_mark, wounds_of
from ludex.games.skirmish.rules.engine.workspace import Scratch
from ludex.kernels.jit import draw_below, kernel, share, to_index

share(passes)
share(to_wound)
share(to_save)


@kernel
def roll(states: NDArray[np.uint64], lane: int) -> int:
    """One die of six sides."""
    return draw_below(states, lane, SIDES) + 1


@kernel
def attack(
    constants: Constants,
    state: NDArray[np.int16],
    unit: int,
    target: int,
    weapon: int,
    states: NDArray[np.uint64],
    lane: int,
    work: Scratch,
) -> None:
    """Hit, wound, save, damage for every attack of a weapon, until the target is destroyed."""
    add_event(work, ATTACKED, unit, target, weapon)
    wound_needs = to_wound(to_index(constants.strength[weapon]), to_index(constants.toughness[target]))
    save_needs = to_save(
        to_index(constants.save[target]), to_index(constants.invulnerable[target]), to_index(constants.ap[weapon])
    )
    skill = to_index(constants.skill[weapon])
    for _ in range(constants.attacks[weapon]):
        if wounds_of(state, target) == 0:
            break
        die = roll(states, lane)
        add_event(work, HIT_ROLL, die, skill, passes(die, skill))
        if not passes(die, skill):
            continue
        die = roll(states, lane)
        add_event(work, WOUND_ROLL, die, wound_needs, passes(die, wound_needs))
        if not passes(die, wound_needs):
            continue
        if save_needs < NO_SAVE:
            die = roll(states, lane)
            add_event(work, SAVE_ROLL, die, save_needs, die >= save_needs)
            if die >= save_needs:
                continue
        _damage(constants, state, target, to_index(constants.damage[weapon]), work)


@kernel
def _damage(constants: Constants, state: NDArray[np.int16], target: int, damage: int, work: Scratch) -> None:
    """Take wounds from a unit; what it does not have is lost."""
    lost = min(damage, wounds_of(state, target))
    left = wounds_of(state, target) - lost
    state[UNITS + target * UNIT_WORDS + WOUNDS] = left
    add_event(work, DAMAGED, target, lost, left)
    if left == 0:
        add_event(work, DESTROYED, target, hex_of(state, target), 0)
        put(state, target, NOWHERE)
        take_mark(state, target, READY)
        loser = to_index(constants.owner[target])
        if not _any_left(constants, state, loser):
            state[RESULT] = ANNIHILATION + (WON_BY_SECOND if loser == 0 else 0)


@kernel
def _any_left(constants: Constants, state: NDArray[np.int16], player: int) -> bool:
    for unit in range(constants.first[player], constants.first[player + 1]):
        if wounds_of(state, unit) > 0:
            return True
    return False
