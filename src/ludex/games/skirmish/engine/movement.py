"""The move phase: walking, advancing, fleeing."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.engine.dice import roll
from ludex.games.skirmish.engine.events import ADVANCE_ROLL, MOVED, tell
from ludex.games.skirmish.engine.events import FLED as FLED_EVENT
from ludex.games.skirmish.engine.layout import ACTIVE, ADVANCED, ADVANCING, DOING, FLED, NOTHING, ROLLED
from ludex.games.skirmish.engine.scene import Scene
from ludex.games.skirmish.engine.scratch import Scratch
from ludex.games.skirmish.engine.unit import bar, block, engaged, hex_of, put, put_mark
from ludex.games.skirmish.hexes.reach import reach
from ludex.kernels.jit import kernel, to_index


@kernel
def walk(scene: Scene, state: NDArray[np.int16], unit: int, work: Scratch) -> int:
    """Fill `work.steps` with what the active unit can reach: around walls, units and hexes next to the enemy.

    `work.queue` then begins with the hexes reached, the own first; returns how many.
    """
    steps = to_index(scene.move[unit])
    if state[DOING] == ADVANCING:
        steps += to_index(state[ROLLED])
    block(scene, state, work)
    bar(scene, state, 1 - to_index(scene.owner[unit]), work)
    return reach(hex_of(state, unit), steps, work.blocked, work.barred, scene.neighbours, work.steps, work.queue)


@kernel
def can_advance(scene: Scene, state: NDArray[np.int16], unit: int) -> bool:
    """A unit next to an enemy can only flee."""
    enemy = 1 - to_index(scene.owner[unit])
    return state[DOING] == NOTHING and not engaged(scene, state, hex_of(state, unit), enemy)


@kernel
def advance(state: NDArray[np.int16], states: NDArray[np.uint64], lane: int, work: Scratch) -> None:
    """Roll a die for more steps; the unit then shoots with assault weapons only, and does not charge."""
    unit, die = to_index(state[ACTIVE]), roll(states, lane)
    tell(work, ADVANCE_ROLL, unit, die, 0)
    put_mark(state, unit, ADVANCED)
    state[DOING] = ADVANCING
    state[ROLLED] = die


@kernel
def move(scene: Scene, state: NDArray[np.int16], where: int, work: Scratch) -> None:
    """Walk to a hex. Who leaves an enemy's side has fled, and neither shoots nor charges this turn."""
    unit = to_index(state[ACTIVE])
    here = hex_of(state, unit)
    if engaged(scene, state, here, 1 - to_index(scene.owner[unit])):
        put_mark(state, unit, FLED)
        tell(work, FLED_EVENT, unit, 0, 0)
    put(state, unit, where)
    tell(work, MOVED, unit, here, where)
