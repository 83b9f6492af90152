"""Reading and writing the units of a state, and what they score."""

from ludex.games.skirmish.rules.engine import events, layout
from ludex.games.skirmish.rules.engine.events import add_event
from ludex.games.skirmish.rules.engine.layout import State
from ludex.games.skirmish.rules.engine.records import Constants, Scratch
from ludex.kernels.jit import copy_into, kernel, to_index


@kernel
def hex_of(state: State, unit: int) -> int:
    """Where a unit stands, or NOWHERE."""
    return to_index(state[layout.UNITS + unit * layout.UNIT_WORDS + layout.HEX])


@kernel
def wounds_of(state: State, unit: int) -> int:
    """What a unit can still take; 0 is destroyed."""
    return to_index(state[layout.UNITS + unit * layout.UNIT_WORDS + layout.WOUNDS])


@kernel
def has(state: State, unit: int, mark: int) -> bool:
    """Whether a unit carries a mark."""
    return to_index(state[layout.UNITS + unit * layout.UNIT_WORDS + layout.MARKS]) & mark != 0


@kernel
def put_mark(state: State, unit: int, mark: int) -> None:
    """Give a unit a mark."""
    state[layout.UNITS + unit * layout.UNIT_WORDS + layout.MARKS] |= mark


@kernel
def take_mark(state: State, unit: int, mark: int) -> None:
    """Take a mark from a unit, or several."""
    state[layout.UNITS + unit * layout.UNIT_WORDS + layout.MARKS] &= ~mark


@kernel
def put(state: State, unit: int, where: int) -> None:
    """Move a unit to a hex, or NOWHERE."""
    state[layout.UNITS + unit * layout.UNIT_WORDS + layout.HEX] = where


@kernel
def stands(state: State, unit: int) -> bool:
    """Whether a unit is on the board."""
    return hex_of(state, unit) != layout.NOWHERE


@kernel
def occupant(constants: Constants, state: State, where: int) -> int:
    """The unit on a hex, or NONE."""
    for unit in range(constants.units):
        if hex_of(state, unit) == where:
            return unit
    return layout.NONE


@kernel
def engaged(constants: Constants, state: State, where: int, player: int) -> bool:
    """Whether a hex is next to a unit of this player."""
    for unit in range(constants.first[player], constants.first[player + 1]):
        if stands(state, unit) and constants.distance[hex_of(state, unit), where] == 1:
            return True
    return False


@kernel
def block(constants: Constants, state: State, work: Scratch) -> None:
    """Mark the hexes that no unit can enter: walls, holes and units."""
    copy_into(work.blocked[: constants.size], constants.wall)
    for unit in range(constants.units):
        if stands(state, unit):
            work.blocked[hex_of(state, unit)] = 1


@kernel
def bar(constants: Constants, state: State, player: int, work: Scratch) -> None:
    """Mark the hexes next to a unit of this player, which others do not walk through."""
    work.barred[: constants.size] = 0
    for unit in range(constants.first[player], constants.first[player + 1]):
        if stands(state, unit):
            here = hex_of(state, unit)
            for direction in range(constants.neighbours.shape[1]):
                there = constants.neighbours[here, direction]
                if there != layout.NOWHERE:
                    work.barred[there] = 1


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
