"""The forces of a scenario: units with their types and weapons, and where fixed ones stand."""

from dataclasses import dataclass
from pathlib import Path

from ludex.core.messages import Message, catalogue
from ludex.games.skirmish.rules.scenario.board import BattleMap
from ludex.games.skirmish.rules.scenario.files import Folder, hex_of, read_document, refusal
from ludex.games.skirmish.rules.scenario.schemas import ScenarioConfig, UnitEntry, UnitType, Weapon


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
    weapons = read_document(weapons_file, dict[str, Weapon])
    types = read_document(types_file, dict[str, UnitType])
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
    for player in PLAYERS:
        if all(unit.player != player for unit in units.values()):
            raise refusal(folder.scenario, "units", f"none of player {player}", "at least one unit of each player")
    ordered = sorted(units.values(), key=lambda unit: unit.id)
    return tuple(unit for unit in ordered if unit.player == 1), tuple(unit for unit in ordered if unit.player == 2)


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
