"""A scenario, read from its folder, checked and put together: its board, its forces, and what is played with them."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.core.messages import Message, catalogue
from ludex.games.skirmish.rules.hexes import Grid, grid_of
from ludex.games.skirmish.rules.scenario_files import (
    SCENARIO,
    BoardConfig,
    DeploymentConfig,
    Folder,
    GameConfig,
    ScenarioConfig,
    UnitEntry,
    UnitType,
    Weapon,
    Zone,
    board_text,
    find_folder,
    hex_of,
    hexes_of,
    read_document,
    read_table,
    refusal,
)

Pool: TypeAlias = tuple[int, ...]
"""Hexes that a player may deploy on."""


@dataclass(frozen=True, eq=False)
class BattleMap:
    """What lies on the grid. What each player has is listed player 1 first: `pools[player - 1]`."""

    grid: Grid
    walls: NDArray[np.bool_]
    """bool[grid.size], read-only."""
    forbidden: NDArray[np.bool_]
    """bool[grid.size], read-only: hexes where no unit may deploy."""
    objectives: tuple[int, ...]
    zones: tuple[Zone, Zone]
    pools: tuple[Pool, Pool]
    """The hexes each player may deploy on, sorted by (col, row)."""


def read_board(folder: Folder, scenario: ScenarioConfig) -> BattleMap:
    """The board of a scenario, or a `BadScenario` that names what cannot be."""
    board_file = folder.config("board_config.json")
    config = read_document(board_file, BoardConfig)
    grid = grid_of(config.cols, config.rows)
    walls = _mask(grid, hexes_of(grid, board_file, "wall_hexes", config.wall_hexes))
    forbidden = _mask(grid, hexes_of(grid, folder.scenario, "forbidden_hexes", scenario.forbidden_hexes))
    objectives = hexes_of(grid, folder.scenario, "objectives", scenario.objectives)
    for place, h in enumerate(objectives):
        if walls[h]:
            expected = f"a hex without a wall, and {board_file} has one there"
            raise refusal(folder.scenario, f"objectives.{place}", list(grid.col_row(h)), expected)
    zones = _zones(folder, scenario.deployment_zone, grid)
    free = grid.exists & ~walls & ~forbidden
    pools = _pool(grid, free, zones[0]), _pool(grid, free, zones[1])
    return BattleMap(grid, walls, forbidden, objectives, zones, pools)


def _zones(folder: Folder, name: str, grid: Grid) -> tuple[Zone, Zone]:
    if name not in folder.deployments():
        known = ", ".join(folder.deployments()) or f"a file in {folder.config('deployment')}"
        raise refusal(folder.scenario, "deployment_zone", repr(name), f"one of the deployments, {known}")
    file = folder.config(f"deployment/{name}.json")
    config = read_document(file, DeploymentConfig)
    for player, zone in (("p1", config.p1), ("p2", config.p2)):
        _require_on_board(file, player, zone, grid)
    if config.p1.overlaps(config.p2):
        raise refusal(file, "p2", config.p2.model_dump(), f"a zone apart from p1's, {config.p1.model_dump()}")
    return config.p1, config.p2


def _require_on_board(file: Path, player: str, zone: Zone, grid: Grid) -> None:
    # Its smaller bounds are not negative and not above these.
    for key, value, most in (("col_max", zone.col_max, grid.cols - 1), ("row_max", zone.row_max, grid.rows - 1)):
        if value > most:
            raise refusal(file, f"{player}.{key}", value, f"at most {most}: the board has {board_text(grid)}")


def _pool(grid: Grid, free: NDArray[np.bool_], zone: Zone) -> tuple[int, ...]:
    """The hexes a player may deploy on, sorted by (col, row) as hexes are numbered."""
    return tuple(h for h in map(int, np.flatnonzero(free)) if zone.holds(*grid.col_row(h)))


def _mask(grid: Grid, hexes: Iterable[int]) -> NDArray[np.bool_]:
    mask = np.zeros(grid.size, np.bool_)
    mask[list(hexes)] = True
    mask.flags.writeable = False
    return mask


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as a scenario fields it."""

    id: str
    player: int
    """1 or 2."""
    type_id: str
    type: UnitType
    ranged: tuple[Weapon, ...]
    melee: Weapon
    hex: int | None
    """Where it stands when the game begins; None if it is still to be deployed."""

    @property
    def name(self) -> str:
        return self.type.name

    @property
    def value(self) -> int:
        return self.type.value


PLAYERS = (1, 2)

Force = tuple[Unit, ...]


def read_forces(folder: Folder, scenario: ScenarioConfig, board: BattleMap) -> tuple[Force, Force]:
    """Player 1's force and player 2's, each sorted by id, or a `BadScenario` that names what cannot be."""
    weapons_file, types_file = folder.config("weapons.json"), folder.config("units.json")
    weapons = read_table(weapons_file, Weapon)
    types = read_table(types_file, UnitType)
    for type_id, unit_type in types.items():
        _require_weapons(types_file, type_id, unit_type, weapons, weapons_file)
    _require_ids(folder.scenario, scenario.units)
    units: dict[str, Unit] = {}
    for place, entry in enumerate(scenario.units):
        key = f"units.{place}"
        if entry.type not in types:
            known = ", ".join(sorted(types))
            raise refusal(folder.scenario, f"{key}.type", repr(entry.type), f"a type of {types_file}: {known}")
        unit_type = types[entry.type]
        units[entry.id] = Unit(
            id=entry.id,
            player=entry.player,
            type_id=entry.type,
            type=unit_type,
            ranged=tuple(weapons[name] for name in unit_type.ranged_weapons),
            melee=weapons[unit_type.melee_weapon],
            hex=_position(folder.scenario, key, entry, scenario, board, list(units.values())),
        )
    ordered = sorted(units.values(), key=lambda unit: unit.id)
    first, second = (tuple(unit for unit in ordered if unit.player == player) for player in PLAYERS)
    if not (first and second):
        player = 2 if first else 1
        raise refusal(folder.scenario, "units", f"none of player {player}", "at least one unit of each player")
    return first, second


def _require_weapons(
    file: Path, type_id: str, unit_type: UnitType, weapons: dict[str, Weapon], weapons_file: Path
) -> None:
    carried = [(f"ranged_weapons.{place}", name, False) for place, name in enumerate(unit_type.ranged_weapons)]
    for key, name, melee in [*carried, ("melee_weapon", unit_type.melee_weapon, True)]:
        known = ", ".join(sorted(weapon_id for weapon_id, weapon in weapons.items() if weapon.melee == melee))
        expected = f"a {'melee' if melee else 'ranged'} weapon of {weapons_file}: {known}"
        if name not in weapons:
            raise refusal(file, f"{type_id}.{key}", repr(name), expected)
        if weapons[name].melee != melee:
            raise refusal(file, f"{type_id}.{key}", f"{name!r} with range {weapons[name].range}", expected)
    if len(set(unit_type.ranged_weapons)) < len(unit_type.ranged_weapons):
        raise refusal(file, f"{type_id}.ranged_weapons", list(unit_type.ranged_weapons), "two different weapons")


def _require_ids(file: Path, entries: tuple[UnitEntry, ...]) -> None:
    """Ids of one length sort the same as texts and as numbers."""
    places: dict[str, int] = {}
    for place, entry in enumerate(entries):
        if entry.id in places:
            raise refusal(
                file, f"units.{place}.id", repr(entry.id), f"each id once, and units.{places[entry.id]} has it too"
            )
        if len(entry.id) != len(entries[0].id):
            raise refusal(
                file,
                f"units.{place}.id",
                repr(entry.id),
                f"as many digits as in {entries[0].id!r}, filled with zeros on the left",
            )
        places[entry.id] = place


def _position(
    file: Path, key: str, entry: UnitEntry, scenario: ScenarioConfig, board: BattleMap, before: list[Unit]
) -> int | None:
    """Where a unit with a fixed position stands: where it could have been deployed."""
    for name in ("col", "row"):
        present = name in entry.model_fields_set
        if scenario.deployment_type == "active" and present:
            expected = f"no {name} with deployment_type 'active', where units are deployed in play"
            raise refusal(file, f"{key}.{name}", getattr(entry, name), expected)
        if scenario.deployment_type == "fixed" and not present:
            raise refusal(file, f"{key}.{name}", "no such key", f"a {name} with deployment_type 'fixed'")
    if scenario.deployment_type == "active":
        return None
    h = hex_of(board.grid, file, key, entry.col, entry.row)
    occupant = next((unit.id for unit in before if unit.hex == h), None)
    zone = board.zones[entry.player - 1]
    for wrong, expected in (
        (board.walls[h], "a hex without a wall"),
        (board.forbidden[h], "a hex that is not among forbidden_hexes"),
        (not zone.holds(entry.col, entry.row), f"a hex in the zone of player {entry.player}, {zone.model_dump()}"),
        (occupant is not None, f"a free hex, and unit {occupant} stands there"),
    ):
        if wrong:
            raise refusal(file, key, [entry.col, entry.row], expected)
    return h


def name_title(name: str) -> Message:
    """A unit or a weapon that ships in every language; one of another scenario keeps the name it has there."""
    entry = f"name_{name.lower().replace(' ', '_')}"
    known = catalogue("skirmish", "en").get(entry) == name
    return Message(f"skirmish.{entry}") if known else Message.plain(name)


@dataclass(frozen=True, eq=False)
class Scenario(BattleMap):
    """All that a game is made of."""

    name: str
    """The name it ships under, or its folder's."""
    source: Path
    config: ScenarioConfig
    game: GameConfig
    forces: tuple[Force, Force]
    """Each player's units, sorted by id."""

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The units of both players as the engine numbers them: player 1's by id, then player 2's."""
        return (*self.forces[0], *self.forces[1])

    @property
    def warnings(self) -> tuple[str, ...]:
        """What can be played and may not be meant: a player that has more units to deploy than hexes for them."""
        return tuple(
            f"{self.source / SCENARIO}: key 'units': player {player} has {len(force)} units and {len(pool)} hexes to "
            "deploy on: the deployment will end in a deadlock"
            for player, force, pool in zip(PLAYERS, self.forces, self.pools, strict=True)
            if self.config.deployment_type == "active" and len(pool) < len(force)
        )

    @property
    def doomed(self) -> bool:
        """Whether the deployment must deadlock."""
        return bool(self.warnings)

    @property
    def values(self) -> tuple[int, int]:
        """What each player's force is worth."""
        first, second = (sum(unit.value for unit in force) for force in self.forces)
        return first, second


def load_scenario(name_or_path: str | Path) -> Scenario:
    """The scenario that ships under a name or lies in a folder.

    What cannot be played is a `BadScenario` that names the file, the key, what was found and what was expected.
    """
    folder = find_folder(name_or_path)
    config = read_document(folder.scenario, ScenarioConfig)
    board = read_board(folder, config)
    forces = read_forces(folder, config, board)
    game_file = folder.config("game_config.json")
    game = read_document(game_file, GameConfig)
    _require_slots(game_file, game, board, forces)
    name = folder.path.resolve().name
    return Scenario(**vars(board), name=name, source=folder.path, config=config, game=game, forces=forces)


def _require_slots(file: Path, game: GameConfig, board: BattleMap, forces: tuple[Force, Force]) -> None:
    """The action space has a place for each unit and each hex of a pool."""
    for player, force, pool in zip(PLAYERS, forces, board.pools, strict=True):
        if len(force) > game.deployment_max_unit_slots:
            expected = f"at least {len(force)}, the units of player {player}"
            raise refusal(file, "deployment_max_unit_slots", game.deployment_max_unit_slots, expected)
        if len(pool) > game.deployment_max_hex_slots:
            expected = f"at least {len(pool)}, the hexes that player {player} may deploy on"
            raise refusal(file, "deployment_max_hex_slots", game.deployment_max_hex_slots, expected)


def is_symmetric(scenario: Scenario) -> bool:
    """Whether a rotation by 180° leaves walls and objectives in place and exchanges the zones.

    Forbidden hexes do not count: they are the scenario's, not the map's.
    """
    grid = scenario.grid
    if grid.cols % 2 == 0:
        return False
    objectives = np.zeros(grid.size, np.bool_)
    objectives[list(scenario.objectives)] = True
    here = np.flatnonzero(grid.exists)
    there = grid.half_turn[here]
    first, second = (np.array([zone.holds(*divmod(h, grid.rows)) for h in range(grid.size)]) for zone in scenario.zones)
    pairs = ((scenario.walls, scenario.walls), (objectives, objectives), (first, second))
    return all(np.array_equal(hexes[here], other[there]) for hexes, other in pairs)
