"""Every impossible value of a scenario's files is refused with its file, its key, what was found and expected."""

import json
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import pytest

from ludex.games.skirmish.rules.scenario import load_scenario
from ludex.games.skirmish.rules.scenario_files import PACKAGE, BadScenario
from tests.games.skirmish.support import (
    BOARD,
    GAME,
    SCENARIO,
    TYPES,
    WEAPONS,
    ZONES,
    Gone,
    change,
    fixed_folder,
    whole_folder,
)

OBJECTS = [
    *((BOARD, ""), (ZONES, ""), (ZONES, "p1."), (GAME, ""), (GAME, "scoring."), (GAME, "rewards.")),
    *((GAME, "rewards.deployment."), (WEAPONS, "carbine."), (TYPES, "reaver."), (SCENARIO, ""), (SCENARIO, "units.2.")),
]
"""The objects of a scenario's files, one of each kind."""


def keys_of(file: str, place: str) -> list[str]:
    """The keys of an object of the small scenario."""
    with as_file(files(PACKAGE)) as shipped:
        own = shipped / "small" / file
        document = json.loads((own if own.exists() else shipped / file).read_text())
    for part in place.split(".")[:-1]:
        document = document[int(part) if isinstance(document, list) else part]
    return [*document]


HEX = "a hex of the board, columns 0 to 10, rows 0 to 9 in even columns and 0 to 8 in odd ones"

IMPOSSIBLE: list[tuple[str, str, Any, list[str]]] = [
    (BOARD, "cols", "11", ["key 'cols'", "valid integer", "found '11'"]),
    (BOARD, "cols", 0, ["key 'cols'", "greater than or equal to 1", "found 0"]),
    (BOARD, "rows", 1, ["key 'rows'", "greater than or equal to 2", "found 1"]),
    (BOARD, "wall_hexes.0", [1], ["key 'wall_hexes.0'", "at least 2 items", "found [1]"]),
    (BOARD, "wall_hexes.0", [1, 2, 3], ["key 'wall_hexes.0'", "at most 2 items", "found [1, 2, 3]"]),
    (BOARD, "wall_hexes.0", [11, 0], ["key 'wall_hexes.0'", f"expected {HEX}", "found [11, 0]"]),
    (BOARD, "wall_hexes.0", [1, 9], ["key 'wall_hexes.0'", f"expected {HEX}", "found [1, 9]"]),
    (BOARD, "wall_hexes.+", [4, 2], ["key 'wall_hexes.8'", "each hex once, and wall_hexes.1 is", "found [4, 2]"]),
    (ZONES, "p1.col_min", -1, ["key 'p1.col_min'", "greater than or equal to 0", "found -1"]),
    (ZONES, "p1.col_min", 2, ["key 'p1'", "expected col_min <= col_max, which is 1, but col_min is 2"]),
    (ZONES, "p1.row_max", 10, ["key 'p1.row_max'", "expected at most 9", "found 10"]),
    (ZONES, "p2.col_max", 11, ["key 'p2.col_max'", "expected at most 10", "found 11"]),
    (ZONES, "p2.col_min", 1, ["key 'p2'", "a zone apart from p1's, {'col_min': 0", "found {'col_min': 1"]),
    (GAME, "turns", 0, ["key 'turns'", "greater than or equal to 1", "found 0"]),
    (GAME, "post_deployment_start_phase", "shoot", ["'post_deployment_start_phase'", "'command' or 'move'", "'shoot'"]),
    (GAME, "deployment_max_unit_slots", 2, ["'deployment_max_unit_slots'", "at least 3, the units of", "found 2"]),
    (GAME, "deployment_max_hex_slots", 17, ["'deployment_max_hex_slots'", "at least 18, the hexes", "found 17"]),
    (GAME, "rewards.win", "1", ["key 'rewards.win'", "valid number", "found '1'"]),
    (GAME, "rewards.win", float("nan"), ["key 'rewards.win'", "finite number", "found nan"]),
    (GAME, "rewards.draw", 2, ["key 'rewards'", "expected loss <= draw <= win, but they are -1.0, 2.0 and 1.0"]),
    (WEAPONS, "carbine.range", -1, ["'carbine': key 'range'", "greater than or equal to 0", "found -1"]),
    (WEAPONS, "carbine.skill", 7, ["'carbine': key 'skill'", "less than or equal to 6", "found 7"]),
    (WEAPONS, "carbine.keywords", ["heavy"], ["'carbine': key 'keywords.0'", "'assault' or 'pistol'", "found 'heavy'"]),
    (
        WEAPONS,
        "carbine.keywords",
        ["pistol"] * 2,
        ["'carbine': expected each of the keywords once", "'pistol', 'pistol'"],
    ),
    (WEAPONS, "knife.keywords", ["assault"], ["'knife': expected no keywords with range 0", "['assault']"]),
    (TYPES, "reaver.invulnerable_save", 7, ["'reaver': key 'invulnerable_save'", "less than or equal to 6", "found 7"]),
    (TYPES, "reaver.symbol", "R2", ["'reaver': key 'symbol'", "pattern", "found 'R2'"]),
    (TYPES, "reaver.ranged_weapons", ["sidearm"] * 2, ["'reaver.ranged_weapons'", "two different weapons", "found ["]),
    (TYPES, "reaver.ranged_weapons.0", "bow", ["'reaver.ranged_weapons.0'", "a ranged weapon of", "found 'bow'"]),
    (TYPES, "reaver.ranged_weapons.0", "maul", ["'reaver.ranged_weapons.0'", "a ranged", "found 'maul' with range 0"]),
    (TYPES, "reaver.melee_weapon", "axe", ["key 'reaver.melee_weapon'", "a melee weapon of", "found 'axe'"]),
    (TYPES, "reaver.melee_weapon", "carbine", ["'reaver.melee_weapon'", "a melee", "found 'carbine' with range 9"]),
    (SCENARIO, "title", "", ["key 'title'", "at least 1 character", "found ''"]),
    (SCENARIO, "deployment_zone", "anvil", ["key 'deployment_zone'", "one of the deployments, hammer", "'anvil'"]),
    (SCENARIO, "deployment_zone", "../hammer", ["key 'deployment_zone'", "pattern", "found '../hammer'"]),
    (SCENARIO, "deployment_type", "random", ["key 'deployment_type'", "'active' or 'fixed'", "found 'random'"]),
    (SCENARIO, "deployment_order_mode", "p2", ["'player_by_player' or 'alternated_p1_start'", "found 'p2'"]),
    (SCENARIO, "deployment_confirmation", None, ["'deployment_confirmation'", "'none' or 'per_player'", "found None"]),
    (SCENARIO, "forbidden_hexes", [[3, 9]], ["key 'forbidden_hexes.0'", f"expected {HEX}", "found [3, 9]"]),
    (SCENARIO, "forbidden_hexes", [[2, 9]] * 2, ["key 'forbidden_hexes.1'", "each hex once", "found [2, 9]"]),
    (SCENARIO, "objectives.0", [4, 3], ["key 'objectives.0'", "without a wall", "board_config.json", "found [4, 3]"]),
    (SCENARIO, "objectives.0", [7, 2], ["key 'objectives.2'", "once, and objectives.0 is", "found [7, 2]"]),
    (SCENARIO, "units", [], ["key 'units'", "at least one unit of each player", "found none of player 1"]),
    (SCENARIO, "units.1.id", "01", ["key 'units.1.id'", "each id once, and units.0 has it", "found '01'"]),
    (SCENARIO, "units.1.id", "2", ["key 'units.1.id'", "as many digits as in '01'", "found '2'"]),
    (SCENARIO, "units.1.id", "a2", ["key 'units.1.id'", "pattern", "found 'a2'"]),
    (SCENARIO, "units.1.id", 2, ["key 'units.1.id'", "valid string", "found 2"]),
    (SCENARIO, "units.1.player", 3, ["key 'units.1.player'", "less than or equal to 2", "found 3"]),
    (SCENARIO, "units.1.type", "dragon", ["key 'units.1.type'", "units.json: breaker-crew, ", "found 'dragon'"]),
    (SCENARIO, "units.1.col", 0, ["key 'units.1.col'", "no col with deployment_type 'active'", "found 0"]),
    (SCENARIO, "deployment_type", "fixed", ["key 'units.0.col'", "a col with deployment_type 'fixed'", "no such key"]),
]

MISPLACED: list[tuple[list[int], list[str]]] = [
    ([1, 4], ["a hex without a wall"]),
    ([11, 4], [HEX]),
    ([-1, -1], [HEX]),
    ([1, 9], [HEX]),
    ([0, 5], ["a hex that is not among forbidden_hexes"]),
    ([2, 0], ["a hex in the zone of player 1, {'col_min': 0, 'col_max': 1, 'row_min': 0, 'row_max': 9}"]),
    ([10, 0], ["a hex in the zone of player 1"]),
    ([0, 0], ["a free hex, and unit 01 stands there"]),
]


def located(file: str, key: str) -> tuple[str, str]:
    """How an error says where a key stands: in a file of named documents the name comes first."""
    name, _, inner = key.partition(".")
    return (f"{name!r}: ", inner) if file in (WEAPONS, TYPES) else ("", key)


def refused(folder: Path, file: str, *parts: str) -> str:
    with pytest.raises(BadScenario) as error:
        load_scenario(folder)
    message = error.value.message
    assert error.value.code == "bad_scenario"
    assert message.startswith(str(folder / file))
    for part in parts:
        assert part in message
    return message


@pytest.mark.parametrize(
    ("file", "key"), [(file, place + key) for file, place in OBJECTS for key in keys_of(file, place)]
)
def test_every_key_is_required(tmp_path: Path, file: str, key: str) -> None:
    folder = whole_folder(tmp_path)
    change(folder, file, key, Gone)
    where, inner = located(file, key)
    assert refused(folder, file) == f"{folder / file}: {where}missing key {inner!r}"


@pytest.mark.parametrize(("file", "place"), OBJECTS)
def test_unknown_keys_are_refused(tmp_path: Path, file: str, place: str) -> None:
    folder = whole_folder(tmp_path)
    change(folder, file, f"{place}colour", "red")
    where, inner = located(file, f"{place}colour")
    refused(folder, file, f"{where}unknown key {inner!r}; known keys: ", *keys_of(file, place))


@pytest.mark.parametrize(("file", "key", "value", "parts"), IMPOSSIBLE)
def test_impossible_values_are_refused(tmp_path: Path, file: str, key: str, value: object, parts: list[str]) -> None:
    folder = whole_folder(tmp_path)
    change(folder, file, key, value)
    refused(folder, file, *parts)


@pytest.mark.parametrize(("position", "parts"), MISPLACED)
def test_impossible_fixed_positions_are_refused(tmp_path: Path, position: list[int], parts: list[str]) -> None:
    folder = fixed_folder(tmp_path)
    change(folder, SCENARIO, "forbidden_hexes", [[0, 5]])
    change(folder, SCENARIO, "units.2.col", position[0])
    change(folder, SCENARIO, "units.2.row", position[1])
    refused(folder, SCENARIO, f"key 'units.2': expected {parts[0]}", f"found {position}")


@pytest.mark.parametrize("key", ["col", "row"])
@pytest.mark.parametrize("value", [Gone, None, 1.5])
def test_fixed_units_need_both_coordinates(tmp_path: Path, key: str, value: object) -> None:
    folder = fixed_folder(tmp_path)
    change(folder, SCENARIO, f"units.3.{key}", value)
    refused(folder, SCENARIO, f"key 'units.3.{key}'", "found")


def test_a_player_without_units_is_refused(tmp_path: Path) -> None:
    folder = whole_folder(tmp_path)
    for place in (3, 4, 5):
        change(folder, SCENARIO, f"units.{place}.player", 1)
    refused(folder, SCENARIO, "key 'units': expected at least one unit of each player, found none of player 2")


@pytest.mark.parametrize("file", [BOARD, GAME, WEAPONS, TYPES, SCENARIO])
def test_a_missing_file_is_named(tmp_path: Path, file: str) -> None:
    folder = whole_folder(tmp_path)
    (folder / file).unlink()
    with pytest.raises(BadScenario) as error:
        load_scenario(folder)
    assert error.value.message == f"cannot read {folder / file}: No such file or directory"


def test_a_missing_deployment_is_named_by_the_key_that_wants_it(tmp_path: Path) -> None:
    folder = whole_folder(tmp_path)
    (folder / ZONES).unlink()
    refused(folder, SCENARIO, "key 'deployment_zone'", "a file in", "config/deployment", "found 'hammer'")


def test_an_unknown_scenario_names_the_known_ones(tmp_path: Path) -> None:
    for missing in ("huge", tmp_path / "huge"):
        with pytest.raises(BadScenario) as error:
            load_scenario(missing)
        assert f"{str(missing)!r}; expected cramped, default, mirror, people, small, or a path" in error.value.message
