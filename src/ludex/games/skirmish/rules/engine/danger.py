"""What units could do to each other from where they stand, and to one that stood on a hex: expected, not rolled.

Expectations are those of a single round of attacks, each cut at what its target can still take.
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.engine.deployment import FINE, can_place, hex_fault
from ludex.games.skirmish.rules.engine.layout import State
from ludex.games.skirmish.rules.engine.phases import aims, walk
from ludex.games.skirmish.rules.engine.records import RANGED, Constants, Scratch
from ludex.games.skirmish.rules.engine.units import engaged, has, hex_of, stands, wounds_of
from ludex.kernels.jit import kernel, to_index

Mapping: TypeAlias = NDArray[np.int64]
"""[hexes]: the place of each hex on the planes."""
Hexes: TypeAlias = NDArray[np.int16]
Numbers: TypeAlias = NDArray[np.float32]

FIRE: Final = 0
"""The greatest part of an enemy's value that the active unit's weapons would destroy from a hex, in range and sight."""
STRIKE: Final = 1
"""The same of its melee weapon after a charge from there, times the chance that it arrives."""
UNDER_FIRE: Final = 2
"""How much of a unit on a hex all enemies' weapons would destroy that reach and see it now."""
WITHIN_FIRE: Final = 3
"""The same of weapons that would reach it after a move, whatever they see."""
WITHIN_CHARGE: Final = 4
"""The same of charges after a move, times the chance that they arrive."""
DANGER_PLANES: Final = 5
SEVERAL: Final = 4.0
"""What sums over enemies are divided by, and the most that is shown of them."""
VALUE: Final = 200.0
"""What values are divided by, to be of the size of 1."""


@kernel
def weapon_share(constants: Constants, state: State, weapon: int, target: int) -> float:
    """The part of a unit that a weapon is expected to destroy, 0 to 1."""
    part: float = min(constants.harm[weapon, target], float(wounds_of(state, target))) / constants.wounds[target]
    return part


@kernel
def fire_share(constants: Constants, state: State, unit: int, target: int) -> float:
    """The part of an enemy that a unit's fire would destroy, from where both stand."""
    total = 0.0
    for i in range(RANGED):
        weapon = to_index(constants.ranged[unit, i])
        if weapon != layout.NONE and aims(constants, state, unit, weapon, target):
            total += _shot_share(constants, state, unit, weapon, target)
    return min(total, 1.0)


@kernel
def charge_share(constants: Constants, state: State, unit: int, target: int) -> float:
    """The part of an enemy that a charge would destroy, times the chance that it arrives; a blow if they touch."""
    here = hex_of(state, unit)
    apart = to_index(constants.distance[here, hex_of(state, target)])
    blow = weapon_share(constants, state, to_index(constants.melee[unit]), target)
    if apart == 1:
        return blow
    if _spent(constants, state, unit, layout.ADVANCED) or _spent(constants, state, unit, layout.FLED):
        return 0.0
    if engaged(constants, state, here, to_index(constants.owner[target])):
        return 0.0
    return blow * _arrival(constants, apart)


@kernel
def _arrival(constants: Constants, apart: int) -> float:
    """The probability that a charge reaches an enemy so far away."""
    chance: float = constants.arrives[max(apart - 1, 0)] if apart <= constants.charge_range else 0.0
    return chance


@kernel
def _spent(constants: Constants, state: State, unit: int, mark: int) -> bool:
    """Whether a mark holds a unit back. Those of its player's last turn are gone before it acts again."""
    return constants.owner[unit] == state[layout.PLAYER] and has(state, unit, mark)


@kernel
def share_at_risk(constants: Constants, state: State, own: int, weapon: int) -> float:
    """The part of the own active unit that a weapon would destroy; of the mean own unit while none is active."""
    active = to_index(state[layout.ACTIVE])
    if active != layout.NONE and constants.owner[active] == own:
        part: float = min(1.0, constants.harm[weapon, active] / max(wounds_of(state, active), 1))
        return part
    total, count = 0.0, 0
    for unit in range(constants.first[own], constants.first[own + 1]):
        if wounds_of(state, unit) > 0:
            total += min(1.0, constants.harm[weapon, unit] / wounds_of(state, unit))
            count += 1
    return total / count if count > 0 else 0.0


@kernel
def fill_danger(constants: Constants, state: State, own: int, mapping: Mapping, planes: Numbers, work: Scratch) -> None:
    """Fill `planes: float32[DANGER_PLANES, hexes]`, zeros before, where the player to move has to choose a hex.

    These are the hexes that the active unit can walk to and its own, or the free hexes of the own pool.
    """
    if state[layout.TO_MOVE] != own:
        return
    acting = state[layout.PHASE] == layout.MOVE and state[layout.ACTIVE] != layout.NONE
    count = 0
    if acting:
        count = walk(constants, state, to_index(state[layout.ACTIVE]), work)
    elif state[layout.PHASE] == layout.DEPLOYMENT and can_place(constants, state, own):
        count = _placeable(constants, state, own, work)
    hexes = work.queue[:count]
    for enemy in range(constants.first[1 - own], constants.first[2 - own]):
        if stands(state, enemy):
            _add_threats(constants, state, own, enemy, hexes, mapping, planes)
            if acting:
                _add_prospects(constants, state, to_index(state[layout.ACTIVE]), enemy, hexes, mapping, planes)
    for where in hexes:
        for plane in range(UNDER_FIRE, DANGER_PLANES):
            planes[plane, mapping[where]] = min(planes[plane, mapping[where]] / SEVERAL, SEVERAL)


@kernel
def _placeable(constants: Constants, state: State, own: int, work: Scratch) -> int:
    """Write to `work.queue` where a unit may be placed; how many."""
    count = 0
    for slot in range(constants.pool_size[own]):
        where = to_index(constants.pool[own, slot])
        if hex_fault(constants, state, where) == FINE:
            work.queue[count] = where
            count += 1
    return count


@kernel
def _add_threats(
    constants: Constants, state: State, own: int, enemy: int, hexes: Hexes, mapping: Mapping, planes: Numbers
) -> None:
    """What one enemy could do to a unit on each of some hexes."""
    there, move = hex_of(state, enemy), to_index(constants.move[enemy])
    for i in range(RANGED):
        weapon = to_index(constants.ranged[enemy, i])
        if weapon == layout.NONE:
            continue
        part, reach = share_at_risk(constants, state, own, weapon), to_index(constants.reaches[weapon])
        for where in hexes:
            apart = to_index(constants.distance[there, where])
            if apart <= reach + move:
                planes[WITHIN_FIRE, mapping[where]] += part
                if apart <= reach and constants.sight[there, where]:
                    planes[UNDER_FIRE, mapping[where]] += part
    part = share_at_risk(constants, state, own, to_index(constants.melee[enemy]))
    for where in hexes:
        apart = max(to_index(constants.distance[there, where]) - move, 1)
        planes[WITHIN_CHARGE, mapping[where]] += part * _arrival(constants, apart)


@kernel
def _add_prospects(
    constants: Constants, state: State, active: int, enemy: int, hexes: Hexes, mapping: Mapping, planes: Numbers
) -> None:
    """What the active unit could do to one enemy from each of some hexes."""
    here, there, worth = hex_of(state, active), hex_of(state, enemy), constants.value[enemy] / VALUE
    # A unit that leaves an enemy's side has fled, and neither shoots nor charges.
    bound = engaged(constants, state, here, to_index(constants.owner[enemy]))
    advanced = _spent(constants, state, active, layout.ADVANCED)
    first, second = to_index(constants.ranged[active, 0]), to_index(constants.ranged[active, 1])
    parts = (_shot_share(constants, state, active, first, enemy), _shot_share(constants, state, active, second, enemy))
    reaches = _reach(constants, first), _reach(constants, second)
    blow = weapon_share(constants, state, to_index(constants.melee[active]), enemy)
    for where in hexes:
        if bound and where != here:
            continue
        apart = to_index(constants.distance[there, where])
        fire = parts[0] * (apart <= reaches[0]) + parts[1] * (apart <= reaches[1])
        if fire > 0.0 and constants.sight[there, where]:
            planes[FIRE, mapping[where]] = max(planes[FIRE, mapping[where]], np.float32(min(fire, 1.0) * worth))
        if apart == 1 or not (bound or advanced):
            strike = np.float32(blow * worth * _arrival(constants, apart))
            planes[STRIKE, mapping[where]] = max(planes[STRIKE, mapping[where]], strike)


@kernel
def _shot_share(constants: Constants, state: State, unit: int, weapon: int, target: int) -> float:
    """The part of an enemy that a ranged weapon would destroy, if there is one and it may be fired this turn."""
    if weapon == layout.NONE or _spent(constants, state, unit, layout.FLED):
        return 0.0
    if _spent(constants, state, unit, layout.ADVANCED) and not constants.assault[weapon]:
        return 0.0
    return weapon_share(constants, state, weapon, target)


@kernel
def _reach(constants: Constants, weapon: int) -> int:
    return -1 if weapon == layout.NONE else to_index(constants.reaches[weapon])
