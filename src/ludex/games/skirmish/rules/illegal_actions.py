"""Why an action cannot be played: what, where, which rule, and what would be legal."""

from dataclasses import dataclass
from functools import reduce
from typing import Any, Final, Literal, cast

from ludex.core.errors import DeclaredAbort, IllegalAction, MalformedAction
from ludex.core.messages import Message, Parameter
from ludex.games.skirmish.rules.actions import (
    Activate,
    ConfirmDeployment,
    DeployUnit,
    EnemyAction,
    Fight,
    HexAction,
    Meaning,
    Move,
    PassDeployment,
    Shoot,
    UndeployUnit,
)
from ludex.games.skirmish.rules.engine import deployment as rules
from ludex.games.skirmish.rules.engine.records import Constants
from ludex.games.skirmish.rules.engine.units import engaged
from ludex.games.skirmish.rules.position import Position, UnitState, deployment_state, unit_states
from ludex.games.skirmish.rules.scenario import PLAYERS, Scenario, Unit


class DeploymentDeadlockError(DeclaredAbort):
    """Units are left to deploy, and neither player can place one: the contract forbids to go on without them."""

    owner = "skirmish"
    count = 1
    """In how many games side by side it happened."""


class DeploymentRefused(IllegalAction, MalformedAction):
    """A `deploy_unit` that breaks one of the contract's eight rules. Each rule has a class and a code of its own.

    A placement that has no index, on a hex outside the pool for one, is refused where its text is read.
    """

    code = "deploy_refused"
    owner = "skirmish"


class WrongDeployer(IllegalAction, MalformedAction):
    """A `confirm_deployment {player}` that names another player than the current deployer."""

    code = "confirm_wrong_player"
    owner = "skirmish"


class WrongPhase(DeploymentRefused):
    """Rule 1: units are deployed in the deployment phase."""

    code = "deploy_wrong_phase"


class NotTheDeployersUnit(DeploymentRefused):
    """Rule 2: the unit belongs to the current deployer."""

    code = "deploy_not_your_unit"


class AlreadyDeployed(DeploymentRefused):
    """Rule 3: the unit is not placed yet."""

    code = "deploy_already_deployed"


class OutOfBounds(DeploymentRefused):
    """Rule 4: the hex is on the board."""

    code = "deploy_out_of_bounds"


class OnAWall(DeploymentRefused):
    """Rule 5: no wall stands there."""

    code = "deploy_on_wall"


class OutsideThePool(DeploymentRefused):
    """Rule 6: the hex is in the deployer's pool."""

    code = "deploy_outside_pool"


class Occupied(DeploymentRefused):
    """Rule 7: the hex is free."""

    code = "deploy_occupied"


class ForbiddenHex(DeploymentRefused):
    """Rule 8: the scenario allows the hex."""

    code = "deploy_forbidden_hex"


RULES: Final[tuple[type[DeploymentRefused], ...]] = (
    WrongPhase,
    NotTheDeployersUnit,
    AlreadyDeployed,
    OutOfBounds,
    OnAWall,
    OutsideThePool,
    Occupied,
    ForbiddenHex,
)
"""The refusals in the order of the contract's rules."""


class Reasons:
    """The reasons of one position."""

    def __init__(self, scenario: Scenario, constants: Constants, position: Position) -> None:
        self._scenario = scenario
        self._constants = constants
        self._position = position
        self._units = scenario.units
        self._states = list(unit_states(position, len(self._units)))

    def reason(self, meaning: Meaning) -> Message:
        """Why an action that is not legal is not."""
        position = self._position
        phases = meaning.phases
        if position.phase not in phases:
            names = [Message(f"skirmish.phase_{phase}") for phase in (*phases, position.phase)]
            *others, now = names
            wanted = reduce(lambda one, other: refusal("either", one=one, other=other), others)
            return refusal("phase", phases=wanted, phase=now)
        if isinstance(meaning, PassDeployment | UndeployUnit | ConfirmDeployment):
            return self._no_change(meaning)
        if isinstance(meaning, Activate):
            return self._no_activation(meaning.unitId)
        return self._no_act(meaning)

    def _no_act(self, meaning: Meaning) -> Message:
        active = self._position.active
        if active is None:
            return refusal("none_active")
        unit, state = self._units[active], self._states[active]
        if isinstance(meaning, HexAction):
            return self._no_way(unit, meaning)
        if isinstance(meaning, EnemyAction):
            target = next(place for place, other in enumerate(self._units) if other.id == meaning.targetId)
            where = self._states[target].hex
            if where is None:
                return refusal("destroyed", unit=meaning.targetId)
            return self._no_target(unit, state, where, meaning)
        return refusal("not_now", unit=unit.id)

    def _no_change(self, meaning: PassDeployment | UndeployUnit | ConfirmDeployment) -> Message:
        state = deployment_state(self._scenario, self._position)
        player = state.current_deployer
        left = ", ".join(state.deployable_units_by_player[player])
        if isinstance(meaning, PassDeployment):
            return refusal("can_go_on", player=player, left=left or "-")
        if self._scenario.config.deployment_confirmation == "none":
            return refusal("final")
        if isinstance(meaning, ConfirmDeployment):
            return refusal("still_to_place", player=player, left=left)
        if meaning.unitId not in state.deployed_units:
            return refusal("not_placed", unit=meaning.unitId)
        return refusal("taken_back", player=player)

    def _no_activation(self, unit_id: str) -> Message:
        if self._position.active is not None:
            return refusal("other_active", unit=self._units[self._position.active].id)
        state = next(candidate for unit, candidate in zip(self._units, self._states, strict=True) if unit.id == unit_id)
        return refusal("has_acted" if state.alive else "destroyed", unit=unit_id)

    def _no_way(self, unit: Unit, meaning: HexAction) -> Message:
        grid = self._scenario.grid
        where = grid.index(meaning.col, meaning.row)
        name = grid.name(where)
        if self._scenario.walls[where]:
            return refusal("wall", hex=name)
        there = next((other for other in self._states if other.hex == where), None)
        if there is not None:
            return refusal("occupied", unit=self._units[there.unit].id, hex=name)
        if isinstance(meaning, Move) and engaged(self._constants, self._position.words, where, 2 - unit.player):
            return refusal("beside_enemy", hex=name)
        return refusal("too_far", unit=unit.id, hex=name)

    def _no_target(self, unit: Unit, state: UnitState, there: int, meaning: EnemyAction) -> Message:
        assert state.hex is not None, f"{unit.id} is active and stands nowhere"
        apart = int(self._scenario.grid.distance[state.hex, there])
        if isinstance(meaning, Fight):
            return refusal("fight_far", target=meaning.targetId, apart=apart)
        if state.fled:
            return refusal("fled", unit=unit.id)
        if isinstance(meaning, Shoot):
            return self._no_shot(unit, state, there, meaning.targetId)
        if state.advanced:
            return refusal("advanced", unit=unit.id)
        if engaged(self._constants, self._position.words, state.hex, 2 - unit.player):
            return refusal("engaged", unit=unit.id)
        reach = self._scenario.game.charge_range
        return refusal("charge_far", target=meaning.targetId, apart=apart, reach=reach)

    def _no_shot(self, unit: Unit, state: UnitState, there: int, target: str) -> Message:
        weapons = [weapon for weapon in unit.ranged if not state.advanced or "assault" in weapon.keywords]
        if not weapons:
            return refusal("no_weapon_advanced" if state.advanced else "no_weapon", unit=unit.id)
        if not cast(Any, self._constants)["sight"][state.hex, there]:
            return refusal("no_sight", unit=unit.id, target=target)
        apart, reach = int(self._scenario.grid.distance[state.hex, there]), max(weapon.range for weapon in weapons)
        if apart > reach:
            return refusal("shot_far", unit=unit.id, target=target, apart=apart, reach=reach)
        return refusal("beside_friend", unit=unit.id, target=target)


def refusal(why: str, **parameters: Parameter) -> Message:
    """A reason as a sentence of the catalogues."""
    return Message(f"skirmish.refused_{why}", parameters)


SHOWN = 6
"""How many legal things a message lists."""


def refuse_deployment(scenario: Scenario, constants: Constants, position: Position, action: DeployUnit) -> None:
    """Raise what forbids a `deploy_unit`: the first of the rules, a forbidden hex before one outside the pool."""
    ids = [unit.id for unit in scenario.units]
    unit = ids.index(action.unitId) if action.unitId in ids else -1
    where = scenario.grid.find(action.col, action.row)
    fault = rules.unit_fault(constants, position.words, unit)
    if fault == rules.FINE:
        fault = rules.hex_fault(constants, position.words, -1 if where is None else where)
    if fault != rules.FINE:
        what = f"deploy_unit {action.unitId} at column {action.col}, row {action.row}"
        raise RULES[fault - 1](f"{what}: rule {fault}: {_fault_text(fault, scenario, position, where)}")


def _fault_text(fault: int, scenario: Scenario, position: Position, where: int | None) -> str:
    """The rule that a placement on a hex breaks, and what could be placed, or where."""
    state = deployment_state(scenario, position)
    player = state.current_deployer
    left = join_names(state.deployable_units_by_player[player])
    if fault == rules.WRONG_PHASE:
        return f"units are deployed in the phase deployment, and the phase is {position.phase}"
    if fault == rules.NOT_THE_DEPLOYERS:
        return f"player {player} deploys now, and the unit is not theirs; to be placed: {left}"
    if fault == rules.ALREADY_DEPLOYED:
        return f"the unit has been placed already; player {player} has still to place: {left}"
    occupants = _occupants(scenario, position)
    reasons = {
        rules.OUT_OF_BOUNDS: f"there is no such hex on the board of {scenario.grid.cols} x {scenario.grid.rows}",
        rules.ON_A_WALL: "a wall stands there",
        rules.OUTSIDE_THE_POOL: f"the hex is not in the zone of player {player}",
        rules.OCCUPIED: f"a unit stands there, {occupants.get(where)}",
        rules.FORBIDDEN: "the scenario forbids to deploy on this hex",
    }
    free = [scenario.grid.name(h) for h in scenario.pools[player - 1] if h not in occupants]
    return f"{reasons[fault]}; free hexes of the zone: {join_names(free)}"


def _occupants(scenario: Scenario, position: Position) -> dict[int | None, str]:
    """By hex, the id of the unit that stands there."""
    states = unit_states(position, len(scenario.units))
    return {state.hex: scenario.units[state.unit].id for state in states if state.hex is not None}


def join_names(names: list[str], count: int | None = None) -> str:
    """The first names of a list, or of `count` such names, and how many more there are."""
    more = (len(names) if count is None else count) - len(names[:SHOWN])
    return (", ".join(names[:SHOWN]) or "none") + (f" and {more} more" if more else "")


@dataclass(frozen=True, slots=True)
class Deadlock:
    """What the contract requires to be said of a deployment that cannot be finished."""

    player: int
    """The current deployer."""
    units_left: dict[int, list[str]]
    pool_sizes: dict[int, int]
    free_hexes: dict[int, int]
    """By player, how many hexes of the pool are free."""
    occupied_hexes: int
    cause: Literal["finished", "stuck", "order"]
    """Why the other player cannot help: it has placed all its units, it can place none either, or it deploys later."""


def deadlock_of(scenario: Scenario, position: Position) -> Deadlock:
    """The details of a deployment that cannot continue."""
    state, occupants = deployment_state(scenario, position), _occupants(scenario, position)
    others_left = state.deployable_units_by_player[3 - state.current_deployer]
    player_by_player = scenario.config.deployment_order_mode == "player_by_player"
    return Deadlock(
        player=state.current_deployer,
        units_left=state.deployable_units_by_player,
        pool_sizes={player: len(pool) for player, pool in state.deployment_pools_by_player.items()},
        free_hexes={player: sum(where not in occupants for where in scenario.pools[player - 1]) for player in PLAYERS},
        occupied_hexes=len(occupants),
        cause="finished" if not others_left else "order" if player_by_player else "stuck",
    )


def deadlock(scenario: Scenario, position: Position, where: str = "") -> DeploymentDeadlockError:
    """The error for a deployment that cannot continue, with everything that the contract requires in it."""
    facts = deadlock_of(scenario, position)
    other = 3 - facts.player
    causes = {
        "finished": f"player {other} has placed all its own",
        "stuck": f"neither can player {other}",
        "order": f"player {other} deploys only after it",
    }
    return DeploymentDeadlockError(
        f"{where}player {facts.player} cannot place any unit, and {causes[facts.cause]}: "
        f"units left {facts.units_left}, pool sizes {facts.pool_sizes}, free hexes {facts.free_hexes}, "
        f"{facts.occupied_hexes} hexes occupied on the board"
    )
