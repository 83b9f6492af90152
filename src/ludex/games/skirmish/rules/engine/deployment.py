"""The deployment phase: which units may be placed where, and the order. Masks and refusals use the same predicates."""

from typing import Final

from ludex.games.skirmish.rules.engine import events, layout
from ludex.games.skirmish.rules.engine.events import add_event
from ludex.games.skirmish.rules.engine.layout import State
from ludex.games.skirmish.rules.engine.records import Constants, Scratch
from ludex.games.skirmish.rules.engine.units import has, hex_of, occupant, put, put_mark, take_mark
from ludex.kernels.jit import kernel, to_index

FINE: Final = 0
WRONG_PHASE: Final = 1
NOT_THE_DEPLOYERS: Final = 2
ALREADY_DEPLOYED: Final = 3
OUT_OF_BOUNDS: Final = 4
ON_A_WALL: Final = 5
OUTSIDE_THE_POOL: Final = 6
OCCUPIED: Final = 7
FORBIDDEN: Final = 8
"""The contract's eight rules, in its order: what is wrong with a `deploy_unit`."""


@kernel
def unit_fault(constants: Constants, state: State, unit: int) -> int:
    """Which rule forbids to deploy this unit now, wherever; FINE if none does."""
    if state[layout.PHASE] != layout.DEPLOYMENT:
        return WRONG_PHASE
    if unit < 0 or unit >= constants.units or constants.owner[unit] != state[layout.TO_MOVE]:
        return NOT_THE_DEPLOYERS
    return ALREADY_DEPLOYED if has(state, unit, layout.DEPLOYED) else FINE


@kernel
def hex_fault(constants: Constants, state: State, where: int) -> int:
    """Which rule forbids the deployer this hex, whatever the unit. A pool has neither walls nor forbidden hexes."""
    if where < 0 or where >= constants.size or constants.distance[where, where] != 0:
        return OUT_OF_BOUNDS
    if constants.wall[where]:
        return ON_A_WALL
    if constants.forbidden[where]:
        return FORBIDDEN
    if constants.slot[state[layout.TO_MOVE], where] == layout.NOWHERE:
        return OUTSIDE_THE_POOL
    return OCCUPIED if occupant(constants, state, where) != layout.NONE else FINE


@kernel
def units_left(constants: Constants, state: State, player: int) -> int:
    """How many units a player has still to place."""
    left = 0
    for unit in range(constants.first[player], constants.first[player + 1]):
        left += not has(state, unit, layout.DEPLOYED)
    return left


@kernel
def free_hexes(constants: Constants, state: State, player: int) -> int:
    """How many hexes of a player's pool are free."""
    free = to_index(constants.pool_size[player])
    for unit in range(constants.units):
        here = hex_of(state, unit)
        free -= here != layout.NOWHERE and constants.slot[player, here] != layout.NOWHERE
    return free


@kernel
def can_place(constants: Constants, state: State, player: int) -> bool:
    """Whether a player has a unit to place, and a hex for it."""
    return units_left(constants, state, player) > 0 and free_hexes(constants, state, player) > 0


@kernel
def can_undeploy(constants: Constants, state: State, unit: int) -> bool:
    """Whether the deployer may take this unit back."""
    player = to_index(state[layout.TO_MOVE])
    return (
        state[layout.PHASE] == layout.DEPLOYMENT
        and constants.confirmed_by_players != 0
        and state[layout.UNDEPLOYS + player] > 0
        and 0 <= unit < constants.units
        and constants.owner[unit] == player
        and has(state, unit, layout.DEPLOYED)
    )


@kernel
def can_confirm(constants: Constants, state: State) -> bool:
    """Whether the deployer has placed everything and may confirm."""
    placed = units_left(constants, state, to_index(state[layout.TO_MOVE])) == 0
    return state[layout.PHASE] == layout.DEPLOYMENT and constants.confirmed_by_players != 0 and placed


@kernel
def can_pass(constants: Constants, state: State) -> bool:
    """Whether the deployer has units left and no hex for them; to take one back frees a hex for that one alone."""
    player = to_index(state[layout.TO_MOVE])
    stuck = units_left(constants, state, player) > 0 and free_hexes(constants, state, player) == 0
    return state[layout.PHASE] == layout.DEPLOYMENT and stuck


@kernel
def deploy(constants: Constants, state: State, unit: int, where: int, work: Scratch) -> None:
    """Place a unit, and hand the turn on."""
    put(state, unit, where)
    put_mark(state, unit, layout.DEPLOYED)
    add_event(work, events.DEPLOYED, unit, where, 0)
    _hand_on(constants, state)


@kernel
def undeploy(state: State, unit: int, work: Scratch) -> None:
    """Take a unit back; its player stays on turn."""
    add_event(work, events.UNDEPLOYED, unit, hex_of(state, unit), 0)
    put(state, unit, layout.NOWHERE)
    take_mark(state, unit, layout.DEPLOYED)
    state[layout.UNDEPLOYS + state[layout.TO_MOVE]] -= 1


@kernel
def confirm(constants: Constants, state: State, work: Scratch) -> None:
    """End the deployer's part."""
    add_event(work, events.CONFIRMED, to_index(state[layout.TO_MOVE]), 0, 0)
    state[layout.CONFIRMED + state[layout.TO_MOVE]] = 1
    _give(state, 1 - to_index(state[layout.TO_MOVE]))


@kernel
def is_deadlock(constants: Constants, state: State) -> bool:
    """Whether a legal pass of the deployer would leave a deployment that neither player can finish."""
    return not constants.alternated or not can_place(constants, state, 1 - to_index(state[layout.TO_MOVE]))


@kernel
def pass_on(state: State, work: Scratch) -> None:
    """Give the turn to the other player, where that is no deadlock."""
    add_event(work, events.PASSED, to_index(state[layout.TO_MOVE]), 0, 0)
    state[layout.PASSES] += 1
    _give(state, 1 - to_index(state[layout.TO_MOVE]))


@kernel
def complete(constants: Constants, state: State) -> bool:
    """Whether every unit is placed and, where players confirm, both have."""
    if units_left(constants, state, 0) > 0 or units_left(constants, state, 1) > 0:
        return False
    return not constants.confirmed_by_players or (state[layout.CONFIRMED] != 0 and state[layout.CONFIRMED + 1] != 0)


@kernel
def _hand_on(constants: Constants, state: State) -> None:
    """After a placement: the same player, or the other one if the order says so and they have something to do."""
    player = to_index(state[layout.TO_MOVE])
    other = 1 - player
    if constants.confirmed_by_players:
        other_goes = constants.alternated != 0 and state[layout.CONFIRMED + other] == 0
    elif constants.alternated:
        other_goes = units_left(constants, state, other) > 0
    else:
        other_goes = units_left(constants, state, player) == 0 and units_left(constants, state, other) > 0
    if other_goes:
        _give(state, other)


@kernel
def _give(state: State, player: int) -> None:
    """Make a player the current deployer."""
    state[layout.TO_MOVE] = player
    state[layout.PLAYER] = player
