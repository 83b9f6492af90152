"""Objectives, points and the final result."""

from ludex.games.skirmish.rules.engine import events, layout
from ludex.games.skirmish.rules.engine.constants import Constants
from ludex.games.skirmish.rules.engine.events import add_event
from ludex.games.skirmish.rules.engine.layout import State
from ludex.games.skirmish.rules.engine.units import hex_of, stands, wounds_of
from ludex.games.skirmish.rules.engine.workspace import Scratch
from ludex.kernels.jit import kernel, to_index


@kernel
def units_near(constants: Constants, state: State, objective: int, player: int) -> int:
    """How many of a player's units are at an objective."""
    near = 0
    for unit in range(constants.first[player], constants.first[player + 1]):
        if stands(state, unit):
            near += (
                constants.distance[constants.objective[objective], hex_of(state, unit)] <= constants.objective_radius
            )
    return near


@kernel
def count_held(constants: Constants, state: State, player: int) -> int:
    """At how many objectives a player has more units than the other."""
    count = 0
    for objective in range(constants.objectives):
        count += units_near(constants, state, objective, player) > units_near(constants, state, objective, 1 - player)
    return count


@kernel
def score(constants: Constants, state: State, work: Scratch) -> None:
    """The points of a command phase for the player whose turn it is."""
    first_turn, one, two, more, most = constants.scoring
    if state[layout.TURN] < first_turn:
        return
    player = to_index(state[layout.PLAYER])
    mine, theirs = count_held(constants, state, player), count_held(constants, state, 1 - player)
    points = min(most, one * (mine >= 1) + two * (mine >= 2) + more * (mine > theirs))
    state[layout.POINTS + player] += points
    add_event(work, events.SCORED, player, points, to_index(state[layout.POINTS + player]))


@kernel
def value_left(constants: Constants, state: State, player: int) -> int:
    """The value of a player's units that are not destroyed."""
    value = 0
    for unit in range(constants.first[player], constants.first[player + 1]):
        if wounds_of(state, unit) > 0:
            value += constants.value[unit]
    return value


@kernel
def final_result(constants: Constants, state: State) -> int:
    """After the last turn: points decide, then the value that is left, else it is a draw."""
    points = to_index(state[layout.POINTS]) - to_index(state[layout.POINTS + 1])
    if points != 0:
        return layout.BY_POINTS + (layout.WON_BY_SECOND if points < 0 else 0)
    value = value_left(constants, state, 0) - value_left(constants, state, 1)
    if value != 0:
        return layout.BY_VALUE + (layout.WON_BY_SECOND if value < 0 else 0)
    return layout.DRAWN
