"""Why an action cannot be played: what, where, which rule, and what would be legal."""

from ludex.games.skirmish.actions import DeployUnit
from ludex.games.skirmish.data.scenario import Scenario
from ludex.games.skirmish.deployment_state import DeploymentState, deployment_state
from ludex.games.skirmish.engine import deployment as rules
from ludex.games.skirmish.engine.scene import Scene
from ludex.games.skirmish.errors import (
    AlreadyDeployed,
    DeploymentDeadlockError,
    DeploymentRefused,
    ForbiddenHex,
    NotTheDeployersUnit,
    Occupied,
    OnAWall,
    OutOfBounds,
    OutsideThePool,
    WrongPhase,
)
from ludex.games.skirmish.position import Position, unit_states

_CLASSES: dict[int, type[DeploymentRefused]] = {
    rules.WRONG_PHASE: WrongPhase,
    rules.NOT_THE_DEPLOYERS: NotTheDeployersUnit,
    rules.ALREADY_DEPLOYED: AlreadyDeployed,
    rules.OUT_OF_BOUNDS: OutOfBounds,
    rules.ON_A_WALL: OnAWall,
    rules.OUTSIDE_THE_POOL: OutsideThePool,
    rules.OCCUPIED: Occupied,
    rules.FORBIDDEN: ForbiddenHex,
}
SHOWN = 6
"""How many legal things a message lists."""


def refuse_deployment(scenario: Scenario, scene: Scene, position: Position, action: DeployUnit) -> None:
    """Raise what forbids a `deploy_unit`: the first of the rules, a forbidden hex before one outside the pool."""
    ids = [unit.id for force in scenario.forces for unit in force]
    unit = ids.index(action.unitId) if action.unitId in ids else -1
    where = scenario.grid.find(action.col, action.row)
    words = position.words
    fault = rules.unit_fault(scene, words, unit)
    if fault == rules.FINE:
        fault = rules.hex_fault(scene, words, -1 if where is None else where)
    if fault != rules.FINE:
        state = deployment_state(scenario, position)
        what = f"deploy_unit {action.unitId} at column {action.col}, row {action.row}"
        raise _CLASSES[fault](f"{what}: rule {fault}: {_told(fault, scenario, position, state, action)}")


def _told(fault: int, scenario: Scenario, position: Position, state: DeploymentState, action: DeployUnit) -> str:
    player = state.current_deployer
    mine = state.deployable_units_by_player[player]
    if fault == rules.WRONG_PHASE:
        return f"units are deployed in the phase deployment, and the phase is {position.phase}"
    if fault == rules.NOT_THE_DEPLOYERS:
        return f"the unit is not player {player}'s, who deploys now; to be placed: {_some(mine)}"
    if fault == rules.ALREADY_DEPLOYED:
        return f"the unit has been placed already; player {player} has still to place: {_some(mine)}"
    reasons = {
        rules.OUT_OF_BOUNDS: f"there is no such hex on the board of {scenario.grid.cols} x {scenario.grid.rows}",
        rules.ON_A_WALL: "a wall stands there",
        rules.OUTSIDE_THE_POOL: f"the hex is not in the zone of player {player}",
        rules.OCCUPIED: f"a unit stands there, {_occupant(scenario, position, action)}",
        rules.FORBIDDEN: "the scenario forbids to deploy on this hex",
    }
    return f"{reasons[fault]}; free hexes of the zone: {_some(_free(scenario, position))}"


def _free(scenario: Scenario, position: Position) -> list[str]:
    units = sum(len(force) for force in scenario.forces)
    taken = {state.hex for state in unit_states(position, units)}
    return [scenario.grid.name(where) for where in scenario.pools[position.to_move] if where not in taken]


def _occupant(scenario: Scenario, position: Position, action: DeployUnit) -> str:
    where = scenario.grid.find(action.col, action.row)
    units = [unit for force in scenario.forces for unit in force]
    found = (units[state.unit].id for state in unit_states(position, len(units)) if state.hex == where)
    return next(found, "nobody")


def some(names: list[str], count: int) -> str:
    """The first of `count` names, and how many more there are."""
    more = count - len(names[:SHOWN])
    return (", ".join(names[:SHOWN]) or "none") + (f" and {more} more" if more else "")


def _some(names: list[str]) -> str:
    return some(names, len(names))


def deadlock(scenario: Scenario, position: Position, where: str = "") -> DeploymentDeadlockError:
    """The end of a deployment that cannot go on, with all that the contract wants to be told."""
    state = deployment_state(scenario, position)
    pools = {player: len(pool) for player, pool in state.deployment_pools_by_player.items()}
    units = [unit for force in scenario.forces for unit in force]
    taken = sum(one.hex is not None for one in unit_states(position, len(units)))
    free = {
        player: sum(where not in _taken(scenario, position) for where in scenario.pools[player - 1]) for player in pools
    }
    return DeploymentDeadlockError(
        f"{where}player {state.current_deployer} cannot place any unit, and nobody else can: "
        f"units left {state.deployable_units_by_player}, pool sizes {pools}, free hexes {free}, "
        f"{taken} hexes occupied on the board"
    )


def _taken(scenario: Scenario, position: Position) -> set[int | None]:
    return {one.hex for one in unit_states(position, sum(len(force) for force in scenario.forces))}
