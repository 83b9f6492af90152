"""A position as a value, typed views of what is packed in it, and the contract's `deployment_state`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.engine.records import EVENT_WORDS
from ludex.games.skirmish.rules.scenario import PLAYERS, Scenario
from ludex.games.skirmish.rules.scenario_files import OrderMode


class Position(NamedTuple):
    """The whole game at one moment; both players see all of it."""

    packed: bytes
    """int16 words, see `engine.layout`."""
    packed_events: bytes = b""
    """int16, four words per event of the last ply, see `engine.events`."""

    @property
    def words(self) -> NDArray[np.int16]:
        """int16[STATE_WORDS], read-only."""
        return np.frombuffer(self.packed, np.int16)

    @property
    def events(self) -> NDArray[np.int16]:
        """int16[events, 4], read-only."""
        return np.frombuffer(self.packed_events, np.int16).reshape(-1, EVENT_WORDS)

    @property
    def phase(self) -> str:
        return layout.PHASES[self.words[layout.PHASE]]

    @property
    def to_move(self) -> int:
        return int(self.words[layout.TO_MOVE])

    @property
    def active(self) -> int | None:
        """The unit that was activated."""
        unit = int(self.words[layout.ACTIVE])
        return None if unit == layout.NONE else unit


class View(NamedTuple):
    """A position, and the player that sees it."""

    position: Position
    player: int


@dataclass(frozen=True, slots=True)
class UnitState:
    """One unit of a position."""

    unit: int
    """Its number, see `engine.layout`."""
    hex: int | None
    wounds: int
    deployed: bool
    ready: bool
    advanced: bool
    fled: bool
    charged: bool

    @property
    def alive(self) -> bool:
        return self.wounds > 0


UNPLACED: Final = (-1, -1)
"""Column and row of a unit that stands nowhere, wherever a place is shown outside the engine."""


MARKS: Final = {
    "deployed": layout.DEPLOYED,
    "ready": layout.READY,
    "advanced": layout.ADVANCED,
    "fled": layout.FLED,
    "charged": layout.CHARGED,
}
"""The marks of a unit by their names, which are also those of `UnitState`."""


def unit_states(position: Position, units: int) -> Iterator[UnitState]:
    """Every unit, in order."""
    words = position.words
    for unit in range(units):
        where, wounds, marks = words[layout.UNITS + unit * layout.UNIT_WORDS :][: layout.UNIT_WORDS].tolist()
        flags = {name: bool(marks & mark) for name, mark in MARKS.items()}
        yield UnitState(unit, None if where == layout.NOWHERE else where, wounds, **flags)


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
