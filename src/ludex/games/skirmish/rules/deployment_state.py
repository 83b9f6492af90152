"""The contract's `deployment_state`, read from the packed position: names as the contract has them, players 1 and 2."""

from dataclasses import dataclass

from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.position import UNPLACED, Position, unit_states
from ludex.games.skirmish.rules.scenario.scenario import PLAYERS, Scenario
from ludex.games.skirmish.rules.scenario.schemas import OrderMode


@dataclass(frozen=True, slots=True)
class UnitPlace:
    """Where a unit stands; (-1, -1) until it is placed, and once it is destroyed."""

    id: str
    player: int
    col: int
    row: int


@dataclass(frozen=True, slots=True)
class DeploymentState:
    """The state of the deployment; all of it is derived from the position."""

    current_deployer: int
    units: list[UnitPlace]
    """Every unit of both players, sorted by id."""
    deployable_units_by_player: dict[int, list[str]]
    """By player, the ids of the units that are still to be placed, sorted."""
    deployed_units: list[str]
    """The ids of the units that were placed, sorted; a unit that has been destroyed since stays one of them."""
    deployment_pools_by_player: dict[int, list[tuple[int, int]]]
    """By player, (col, row) of the hexes of the pool, sorted."""
    deployment_complete: bool
    active_unit_id: str | None
    """None between the actions of a deployment; within one it is the unit that is placed, which the event names."""
    deployment_order_mode: OrderMode
    confirmed_players: list[int]
    undeploys_left: dict[int, int]


def deployment_state(scenario: Scenario, position: Position) -> DeploymentState:
    """The deployment of a position."""
    words = position.words
    units = list(zip(scenario.units, unit_states(position, len(scenario.units)), strict=True))
    places = [UnitPlace(unit.id, unit.player, *place_of(scenario, state.hex)) for unit, state in units]
    return DeploymentState(
        current_deployer=position.to_move + 1,
        units=sorted(places, key=lambda place: place.id),
        deployable_units_by_player={
            player: [unit.id for unit, state in units if unit.player == player and not state.deployed]
            for player in PLAYERS
        },
        deployed_units=sorted(unit.id for unit, state in units if state.deployed),
        deployment_pools_by_player={
            player: [scenario.grid.col_row(where) for where in scenario.pools[player - 1]] for player in PLAYERS
        },
        deployment_complete=bool(words[layout.PHASE] != layout.DEPLOYMENT),
        active_unit_id=None,
        deployment_order_mode=scenario.config.deployment_order_mode,
        confirmed_players=[player for player in PLAYERS if words[layout.CONFIRMED + player - 1]],
        undeploys_left={player: int(words[layout.UNDEPLOYS + player - 1]) for player in PLAYERS},
    )


def place_of(scenario: Scenario, where: int | None) -> tuple[int, int]:
    """Column and row of a hex, or (-1, -1) for none."""
    return UNPLACED if where is None else scenario.grid.col_row(where)
