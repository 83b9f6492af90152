"""Objectives, points and who has won in the end."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine.constants import Scene
from ludex.games.skirmish.rules.engine.events import SCORED, tell
from ludex.games.skirmish.rules.engine.layout import BY_POINTS, BY_VALUE, DRAWN, PLAYER, POINTS, TURN, WON_BY_SECOND
from ludex.games.skirmish.rules.engine.units import hex_of, stands, wounds_of
from ludex.games.skirmish.rules.engine.workspace import Scratch
from ludex.kernels.jit import kernel, to_index


@kernel
def units_near(scene: Scene, state: NDArray[np.int16], objective: int, player: int) -> int:
    """How many of a player's units are at an objective."""
    near = 0
    for unit in range(scene.first[player], scene.first[player + 1]):
        if stands(state, unit):
            near += scene.distance[scene.objective[objective], hex_of(state, unit)] <= scene.objective_radius
    return near


@kernel
def held(scene: Scene, state: NDArray[np.int16], player: int) -> int:
    """At how many objectives a player has more units than the other."""
    count = 0
    for objective in range(scene.objectives):
        count += units_near(scene, state, objective, player) > units_near(scene, state, objective, 1 - player)
    return count


@kernel
def score(scene: Scene, state: NDArray[np.int16], work: Scratch) -> None:
    """The points of a command phase for the player whose turn it is."""
    first_turn, one, two, more, most = scene.scoring
    if state[TURN] < first_turn:
        return
    player = to_index(state[PLAYER])
    mine, theirs = held(scene, state, player), held(scene, state, 1 - player)
    points = min(most, one * (mine >= 1) + two * (mine >= 2) + more * (mine > theirs))
    state[POINTS + player] += points
    tell(work, SCORED, player, points, to_index(state[POINTS + player]))


@kernel
def value_left(scene: Scene, state: NDArray[np.int16], player: int) -> int:
    """The value of a player's units that are not destroyed."""
    value = 0
    for unit in range(scene.first[player], scene.first[player + 1]):
        if wounds_of(state, unit) > 0:
            value += scene.value[unit]
    return value


@kernel
def final_result(scene: Scene, state: NDArray[np.int16]) -> int:
    """After the last turn: points decide, then the value that is left, else nobody wins."""
    points = to_index(state[POINTS]) - to_index(state[POINTS + 1])
    if points != 0:
        return BY_POINTS + (WON_BY_SECOND if points < 0 else 0)
    value = value_left(scene, state, 0) - value_left(scene, state, 1)
    if value != 0:
        return BY_VALUE + (WON_BY_SECOND if value < 0 else 0)
    return DRAWN
