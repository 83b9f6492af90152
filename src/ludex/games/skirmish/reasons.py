"""Why an action that is no placement cannot be played, in words."""

from typing import Any, cast

from ludex.games.skirmish.actions import (
    Activate,
    Advance,
    Charge,
    ChargeDestination,
    ConfirmDeployment,
    Fight,
    Meaning,
    Move,
    PassDeployment,
    Shoot,
    UndeployUnit,
    Wait,
)
from ludex.games.skirmish.data.scenario import Scenario
from ludex.games.skirmish.data.unit import Unit
from ludex.games.skirmish.deployment_state import deployment_state
from ludex.games.skirmish.engine.scene import Scene
from ludex.games.skirmish.engine.unit import engaged
from ludex.games.skirmish.position import Position, UnitState, unit_states

_PHASES: dict[type[Any], tuple[str, ...]] = {
    Activate: ("move", "shoot", "charge", "fight"),
    Move: ("move",),
    Advance: ("move",),
    Shoot: ("shoot",),
    Charge: ("charge",),
    ChargeDestination: ("charge",),
    Fight: ("fight",),
    Wait: ("move", "shoot", "charge", "fight"),
}


class Reasons:
    """The reasons of one position."""

    def __init__(self, scenario: Scenario, scene: Scene, position: Position) -> None:
        self._scenario = scenario
        self._scene = scene
        self._position = position
        self._units = [unit for force in scenario.forces for unit in force]
        self._states = list(unit_states(position, len(self._units)))

    def reason(self, meaning: Meaning) -> str:
        """Why an action that is not legal is not."""
        position = self._position
        phases = _PHASES.get(type(meaning), ("deployment",))
        if position.phase not in phases:
            return f"that is for the {' or '.join(phases)} phase, and this is the {position.phase} phase"
        if isinstance(meaning, PassDeployment | UndeployUnit | ConfirmDeployment):
            return self._no_change(meaning)
        if isinstance(meaning, Activate):
            return self._no_activation(meaning.unitId)
        return self._no_act(meaning)

    def _no_act(self, meaning: Meaning) -> str:
        active = self._position.active
        if active is None:
            return "no unit is active: activate one first"
        unit, state = self._units[active], self._states[active]
        if isinstance(meaning, Move | ChargeDestination):
            return self._no_way(unit, meaning)
        if isinstance(meaning, Shoot | Charge | Fight):
            target = next(place for place, one in enumerate(self._units) if one.id == meaning.targetId)
            where = self._states[target].hex
            return f"{meaning.targetId} is destroyed" if where is None else self._no_target(unit, state, where, meaning)
        return f"{unit.id} cannot do that now"

    def _no_change(self, meaning: PassDeployment | UndeployUnit | ConfirmDeployment) -> str:
        state = deployment_state(self._scenario, self._position)
        player = state.current_deployer
        left = ", ".join(state.deployable_units_by_player[player])
        if isinstance(meaning, PassDeployment):
            return f"player {player} can still go on: to be placed {left or 'none'}"
        if self._scenario.deployment_confirmation == "none":
            return "in this scenario a placement is final, and the last one ends the deployment"
        if isinstance(meaning, ConfirmDeployment):
            return f"player {player} has still to place {left}"
        if meaning.unitId not in state.deployed_units:
            return f"{meaning.unitId} is not placed"
        return f"player {player} has taken back as many units as the scenario allows"

    def _no_activation(self, unit_id: str) -> str:
        if self._position.active is not None:
            return f"{self._units[self._position.active].id} is active, and has to act or wait first"
        state = next(one for unit, one in zip(self._units, self._states, strict=True) if unit.id == unit_id)
        if not state.alive:
            return f"{unit_id} is destroyed"
        return f"{unit_id} has acted in this phase, or has nothing to do in it"

    def _no_way(self, unit: Unit, meaning: Move | ChargeDestination) -> str:
        grid = self._scenario.grid
        where = grid.index(meaning.col, meaning.row)
        name = grid.name(where)
        if self._scenario.walls[where]:
            return f"{name} is a wall"
        there = next((one for one in self._states if one.hex == where), None)
        if there is not None:
            return f"{self._units[there.unit].id} stands on {name}"
        if isinstance(meaning, Move) and engaged(self._scene, self._position.words, where, 2 - unit.player):
            return f"{name} is next to an enemy: only a charge leads there"
        return f"{unit.id} has no way to {name} that is short enough"

    def _no_target(self, unit: Unit, state: UnitState, there: int, meaning: Shoot | Charge | Fight) -> str:
        assert state.hex is not None, f"{unit.id} is active and stands nowhere"
        apart = int(self._scenario.grid.distance[state.hex, there])
        far = f"{meaning.targetId} is {apart} hexes away"
        if isinstance(meaning, Fight):
            return f"{far}: only neighbours fight"
        if state.fled:
            return f"{unit.id} has fled this turn"
        if isinstance(meaning, Shoot):
            return self._no_shot(unit, state, there, meaning.targetId)
        if state.advanced:
            return f"{unit.id} has advanced this turn"
        if engaged(self._scene, self._position.words, state.hex, 2 - unit.player):
            return f"{unit.id} is next to an enemy already"
        return f"{far}: a charge reaches {self._scenario.game.charge_range}"

    def _no_shot(self, unit: Unit, state: UnitState, there: int, target: str) -> str:
        weapons = [weapon for weapon in unit.ranged if not state.advanced or "assault" in weapon.keywords]
        if not weapons:
            return f"{unit.id} has no weapon to fire" + (" after an advance" if state.advanced else "")
        if not cast(Any, self._scene)["sight"][state.hex, there]:
            return f"{unit.id} does not see {target}"
        apart, reach = int(self._scenario.grid.distance[state.hex, there]), max(weapon.range for weapon in weapons)
        if apart > reach:
            return f"{target} is {apart} hexes away: {unit.id}'s weapons reach {reach}"
        return f"{target} is next to a friend of {unit.id}: only a pistol in range would do"
