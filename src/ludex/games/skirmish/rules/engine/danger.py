"""What units could do to each other from where they stand, and to one that stood on a hex: expected, not rolled.

Expectations are those of a single round of attacks, each cut at what its target can still take.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine.constants import RANGED, Scene
from ludex.games.skirmish.rules.engine.deployment import FINE, can_place, hex_fault
from ludex.games.skirmish.rules.engine.layout import (
    ACTIVE,
    ADVANCED,
    DEPLOYMENT,
    FLED,
    MOVE,
    NOBODY,
    PHASE,
    PLAYER,
    TO_MOVE,
)
from ludex.games.skirmish.rules.engine.phases import aims, walk
from ludex.games.skirmish.rules.engine.units import engaged, has, hex_of, stands, wounds_of
from ludex.games.skirmish.rules.engine.workspace import Scratch
from ludex.kernels.jit import kernel, to_index

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
def share(scene: Scene, state: NDArray[np.int16], weapon: int, target: int) -> float:
    """The part of a unit that a weapon is expected to destroy, 0 to 1."""
    part: float = min(scene.harm[weapon, target], float(wounds_of(state, target))) / scene.wounds[target]
    return part


@kernel
def fired(scene: Scene, state: NDArray[np.int16], unit: int, target: int) -> float:
    """The part of an enemy that a unit's fire would destroy, from where both stand."""
    total = 0.0
    for i in range(RANGED):
        weapon = to_index(scene.ranged[unit, i])
        if weapon != NOBODY and aims(scene, state, unit, weapon, target):
            total += _part(scene, state, unit, weapon, target)
    return min(total, 1.0)


@kernel
def charged(scene: Scene, state: NDArray[np.int16], unit: int, target: int) -> float:
    """The part of an enemy that a charge would destroy, times the chance that it arrives; a blow if they touch."""
    here = hex_of(state, unit)
    apart = to_index(scene.distance[here, hex_of(state, target)])
    blow = share(scene, state, to_index(scene.melee[unit]), target)
    if apart == 1:
        return blow
    if _spent(scene, state, unit, ADVANCED) or _spent(scene, state, unit, FLED):
        return 0.0
    if engaged(scene, state, here, to_index(scene.owner[target])):
        return 0.0
    return blow * _arrival(scene, apart)


@kernel
def _arrival(scene: Scene, apart: int) -> float:
    """The probability that a charge reaches an enemy so far away."""
    chance: float = scene.arrives[max(apart - 1, 0)] if apart <= scene.charge_range else 0.0
    return chance


@kernel
def _spent(scene: Scene, state: NDArray[np.int16], unit: int, mark: int) -> bool:
    """Whether a mark holds a unit back. Those of its player's last turn are gone before it acts again."""
    return scene.owner[unit] == state[PLAYER] and has(state, unit, mark)


@kernel
def feared(scene: Scene, state: NDArray[np.int16], own: int, weapon: int) -> float:
    """The part of the own active unit that a weapon would destroy; of the mean own unit while none is active."""
    active = to_index(state[ACTIVE])
    if active != NOBODY and scene.owner[active] == own:
        part: float = min(1.0, scene.harm[weapon, active] / max(wounds_of(state, active), 1))
        return part
    total, count = 0.0, 0
    for unit in range(scene.first[own], scene.first[own + 1]):
        if wounds_of(state, unit) > 0:
            total += min(1.0, scene.harm[weapon, unit] / wounds_of(state, unit))
            count += 1
    return total / count if count > 0 else 0.0


@kernel
def fill_danger(
    scene: Scene,
    state: NDArray[np.int16],
    own: int,
    shown: NDArray[np.int64],
    planes: NDArray[np.float32],
    work: Scratch,
) -> None:
    """Fill `planes: float32[DANGER_PLANES, hexes]`, zeros before, where the player to move has to choose a hex.

    These are the hexes that the active unit can walk to and its own, or the free hexes of the own pool.
    """
    if state[TO_MOVE] != own:
        return
    acting = state[PHASE] == MOVE and state[ACTIVE] != NOBODY
    count = 0
    if acting:
        count = walk(scene, state, to_index(state[ACTIVE]), work)
    elif state[PHASE] == DEPLOYMENT and can_place(scene, state, own):
        count = _placeable(scene, state, own, work)
    hexes = work.queue[:count]
    for enemy in range(scene.first[1 - own], scene.first[2 - own]):
        if stands(state, enemy):
            _fear(scene, state, own, enemy, hexes, shown, planes)
            if acting:
                _hope(scene, state, to_index(state[ACTIVE]), enemy, hexes, shown, planes)
    for where in hexes:
        for plane in range(UNDER_FIRE, DANGER_PLANES):
            planes[plane, shown[where]] = min(planes[plane, shown[where]] / SEVERAL, SEVERAL)


@kernel
def _placeable(scene: Scene, state: NDArray[np.int16], own: int, work: Scratch) -> int:
    """Write to `work.queue` where a unit may be placed; how many."""
    count = 0
    for slot in range(scene.pool_size[own]):
        where = to_index(scene.pool[own, slot])
        if hex_fault(scene, state, where) == FINE:
            work.queue[count] = where
            count += 1
    return count


@kernel
def _fear(
    scene: Scene,
    state: NDArray[np.int16],
    own: int,
    enemy: int,
    hexes: NDArray[np.int16],
    shown: NDArray[np.int64],
    planes: NDArray[np.float32],
) -> None:
    """What one enemy could do to a unit on each of some hexes."""
    there, move = hex_of(state, enemy), to_index(scene.move[enemy])
    for i in range(RANGED):
        weapon = to_index(scene.ranged[enemy, i])
        if weapon == NOBODY:
            continue
        part, reach = feared(scene, state, own, weapon), to_index(scene.reaches[weapon])
        for where in hexes:
            apart = to_index(scene.distance[there, where])
            if apart <= reach + move:
                planes[WITHIN_FIRE, shown[where]] += part
                if apart <= reach and scene.sight[there, where]:
                    planes[UNDER_FIRE, shown[where]] += part
    part = feared(scene, state, own, to_index(scene.melee[enemy]))
    for where in hexes:
        apart = max(to_index(scene.distance[there, where]) - move, 1)
        planes[WITHIN_CHARGE, shown[where]] += part * _arrival(scene, apart)


@kernel
def _hope(
    scene: Scene,
    state: NDArray[np.int16],
    active: int,
    enemy: int,
    hexes: NDArray[np.int16],
    shown: NDArray[np.int64],
    planes: NDArray[np.float32],
) -> None:
    """What the active unit could do to one enemy from each of some hexes."""
    here, there, worth = hex_of(state, active), hex_of(state, enemy), scene.value[enemy] / VALUE
    # Who leaves an enemy's side has fled, and neither shoots nor charges.
    bound = engaged(scene, state, here, to_index(scene.owner[enemy]))
    advanced = _spent(scene, state, active, ADVANCED)
    first, second = to_index(scene.ranged[active, 0]), to_index(scene.ranged[active, 1])
    parts = _part(scene, state, active, first, enemy), _part(scene, state, active, second, enemy)
    reaches = _reach(scene, first), _reach(scene, second)
    blow = share(scene, state, to_index(scene.melee[active]), enemy)
    for where in hexes:
        if bound and where != here:
            continue
        apart = to_index(scene.distance[there, where])
        fire = parts[0] * (apart <= reaches[0]) + parts[1] * (apart <= reaches[1])
        if fire > 0.0 and scene.sight[there, where]:
            planes[FIRE, shown[where]] = max(planes[FIRE, shown[where]], np.float32(min(fire, 1.0) * worth))
        if apart == 1 or not (bound or advanced):
            strike = np.float32(blow * worth * _arrival(scene, apart))
            planes[STRIKE, shown[where]] = max(planes[STRIKE, shown[where]], strike)


@kernel
def _part(scene: Scene, state: NDArray[np.int16], unit: int, weapon: int, target: int) -> float:
    """The part of an enemy that a ranged weapon would destroy, if there is one and it may be fired this turn."""
    if weapon == NOBODY or _spent(scene, state, unit, FLED):
        return 0.0
    if _spent(scene, state, unit, ADVANCED) and not scene.assault[weapon]:
        return 0.0
    return share(scene, state, weapon, target)


@kernel
def _reach(scene: Scene, weapon: int) -> int:
    return -1 if weapon == NOBODY else to_index(scene.reaches[weapon])
