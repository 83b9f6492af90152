"""The scenarios that ship, and folders of the same shape."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from ludex.games.skirmish.options import SkirmishOptions
from ludex.games.skirmish.rules.position import deployment_state
from ludex.games.skirmish.rules.scenario import Scenario, is_symmetric, load_scenario
from ludex.games.skirmish.rules.scenario_files import scenario_names
from tests.games.skirmish.support import (
    BOARD,
    FIXED,
    GAME,
    SCENARIO,
    ZONES,
    change,
    first,
    fixed_folder,
    shipped,
    whole_folder,
)

NAMES = ["cramped", "default", "mirror", "people", "small"]


def test_what_ships() -> None:
    assert scenario_names() == NAMES
    assert SkirmishOptions().scenario == "default"


@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_loads_the_same_by_name_and_from_a_folder(name: str, tmp_path: Path) -> None:
    shipped, copied = load_scenario(name), load_scenario(str(whole_folder(tmp_path, name)))
    assert shipped.name == copied.name == name
    assert shipped.source.name == name
    assert copied.source == tmp_path / name
    assert shipped.forces == copied.forces
    assert shipped.pools == copied.pools
    assert shipped.game == copied.game
    assert np.array_equal(shipped.walls, copied.walls)


@pytest.mark.parametrize("name", NAMES)
def test_forces_are_worth_the_same_and_sorted_by_id(name: str) -> None:
    scenario = load_scenario(name)
    assert scenario.values[0] == scenario.values[1]
    ids = [unit.id for force in scenario.forces for unit in force]
    assert sorted(ids) == ids == [f"{number:02}" for number in range(1, len(ids) + 1)]
    for player, force in enumerate(scenario.forces, 1):
        assert {unit.player for unit in force} == {player}
        assert all(unit.hex is None for unit in force)
        assert all(weapon.range > 0 for unit in force for weapon in unit.ranged)
        assert all(unit.melee.range == 0 for unit in force)
        assert len({unit.type.symbol for unit in force}) == len({unit.type_id for unit in force})


@pytest.mark.parametrize("name", NAMES)
def test_maps_are_the_same_for_both_players(name: str) -> None:
    scenario = load_scenario(name)
    assert is_symmetric(scenario)
    turn = scenario.grid.half_turn
    here = np.flatnonzero(scenario.grid.exists)
    assert np.array_equal(scenario.walls[here], scenario.walls[turn[here]])
    assert {int(turn[h]) for h in scenario.objectives} == set(scenario.objectives)
    if not scenario.forbidden.any():
        assert sorted(int(turn[h]) for h in scenario.pools[0]) == list(scenario.pools[1])


@pytest.mark.parametrize(
    ("file", "key", "value"),
    [
        (BOARD, "wall_hexes.0", [2, 2]),
        (SCENARIO, "objectives.0", [3, 5]),
        (ZONES, "p1.row_min", 1),
        (BOARD, "cols", 12),
    ],
)
def test_a_lopsided_map_is_noticed_and_plays(file: str, key: str, value: object, tmp_path: Path) -> None:
    folder = whole_folder(tmp_path)
    change(folder, file, key, value)
    assert not is_symmetric(load_scenario(folder))


@pytest.mark.parametrize("name", NAMES)
def test_pools_are_sorted_and_hold_what_may_be_deployed_on(name: str) -> None:
    scenario = load_scenario(name)
    grid = scenario.grid
    for pool, zone in zip(scenario.pools, scenario.zones, strict=True):
        places = [grid.col_row(h) for h in pool]
        assert places == sorted(places)
        assert set(places) == {
            (col, row)
            for col in range(zone.col_min, zone.col_max + 1)
            for row in range(zone.row_min, zone.row_max + 1)
            if not (col % 2 == 1 and row == grid.rows - 1)
            and not scenario.walls[grid.index(col, row)]
            and not scenario.forbidden[grid.index(col, row)]
        }
    assert not set(scenario.pools[0]) & set(scenario.pools[1])
    by_player = deployment_state(scenario, first(shipped(name))).deployment_pools_by_player
    assert [by_player[player] for player in (1, 2)] == [[grid.col_row(h) for h in pool] for pool in scenario.pools]


def test_forbidden_hexes_leave_the_pool(tmp_path: Path) -> None:
    folder = whole_folder(tmp_path)
    change(folder, SCENARIO, "forbidden_hexes", [[0, 0], [10, 3]])
    scenario = load_scenario(folder)
    first_pool, second_pool = ({scenario.grid.col_row(h) for h in pool} for pool in scenario.pools)
    assert ((0, 0) in first_pool, (0, 1) in first_pool) == (False, True)
    assert ((10, 3) in second_pool, (10, 2) in second_pool) == (False, True)


@pytest.mark.parametrize("name", NAMES)
def test_every_hex_can_be_walked_to(name: str) -> None:
    scenario = load_scenario(name)
    reached = {scenario.objectives[0]}
    border = list(reached)
    while border:
        for neighbour in map(int, scenario.grid.neighbours[border.pop()]):
            if neighbour >= 0 and not scenario.walls[neighbour] and neighbour not in reached:
                reached.add(neighbour)
                border.append(neighbour)
    assert len(reached) == int((scenario.grid.exists & ~scenario.walls).sum())


def test_the_default_is_what_the_rulings_ask_for() -> None:
    scenario = load_scenario("default")
    assert (scenario.grid.cols, scenario.grid.rows) == (25, 21)
    assert len(scenario.objectives) == 5
    assert [len(force) for force in scenario.forces] == [9, 9]
    first, second = ([unit.type_id for unit in force] for force in scenario.forces)
    assert first != second
    assert scenario.config.deployment_order_mode == "alternated_p1_start"
    assert scenario.config.deployment_confirmation == "none"
    assert (scenario.game.turns, scenario.game.charge_range, scenario.game.post_deployment_start_phase) == (
        5,
        12,
        "command",
    )
    scoring = scenario.game.scoring
    assert (scoring.first_turn, scoring.one, scoring.two, scoring.more, scoring.most_per_turn) == (2, 5, 5, 5, 15)


def test_a_pool_that_is_too_small_is_a_warning() -> None:
    scenario = load_scenario("cramped")
    assert [len(pool) for pool in scenario.pools] == [3, 4]
    assert [len(force) for force in scenario.forces] == [4, 4]
    assert scenario.warnings == (
        f"{scenario.source / SCENARIO}: key 'units': player 1 has 4 units and 3 hexes to deploy on: "
        "the deployment will end in a deadlock",
    )
    for name in set(NAMES) - {"cramped"}:
        assert load_scenario(name).warnings == ()


def test_an_empty_pool_is_a_warning_too(tmp_path: Path) -> None:
    folder = whole_folder(tmp_path)
    change(folder, ZONES, "p2", {"col_min": 9, "col_max": 9, "row_min": 9, "row_max": 9})
    scenario = load_scenario(folder)
    assert scenario.pools[1] == ()
    assert len(scenario.warnings) == 1


def test_fixed_units_stand_where_the_file_says(tmp_path: Path) -> None:
    scenario = load_scenario(fixed_folder(tmp_path))
    standing = [unit.hex for force in scenario.forces for unit in force]
    assert standing == [scenario.grid.index(col, row) for col, row in FIXED]
    assert scenario.config.deployment_type == "fixed"


def test_units_are_sorted_whatever_their_order_in_the_file(tmp_path: Path) -> None:
    folder = whole_folder(tmp_path)
    change(folder, SCENARIO, "units.0.id", "90")
    assert [unit.id for unit in load_scenario(folder).forces[0]] == ["02", "03", "90"]


def test_a_folder_of_ones_own_shares_nothing(tmp_path: Path) -> None:
    folder = whole_folder(tmp_path)
    change(folder, GAME, "turns", 3)
    assert load_scenario(folder).game.turns == 3
    assert load_scenario("small").game.turns == 5


def test_a_name_that_ships_wins_over_a_folder_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = whole_folder(tmp_path)
    change(folder, SCENARIO, "title", "mine")
    monkeypatch.chdir(tmp_path)
    assert load_scenario("small").config.title != "mine"
    assert load_scenario("./small").config.title == load_scenario(Path("small")).config.title == "mine"


def test_a_scenario_travels_to_other_processes_and_cannot_be_changed() -> None:
    scenario = load_scenario("small")
    copy = pickle.loads(pickle.dumps(scenario))
    assert isinstance(copy, Scenario)
    assert (copy.forces, copy.pools, copy.grid) == (scenario.forces, scenario.pools, scenario.grid)
    for array in (scenario.walls, scenario.forbidden):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = True
