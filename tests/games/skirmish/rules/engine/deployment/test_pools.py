"""The pools by player: the zone, less walls, forbidden hexes and what is not on the board."""

from pathlib import Path

import pytest

from ludex.games.skirmish.rules.deployment_state import deployment_state
from tests.games.skirmish.rules.scenario.support import SCENARIO
from tests.games.skirmish.support import first, shipped, variant


@pytest.mark.parametrize("name", ["default", "mirror", "people", "small", "cramped"])
def test_pools_are_the_zones_without_walls_and_forbidden_hexes(name: str) -> None:
    game = shipped(name)
    scenario = game.scenario
    grid = scenario.grid
    state = deployment_state(scenario, first(game))
    for player in (1, 2):
        zone = scenario.zones[player - 1]
        expected = [
            (col, row)
            for col in range(zone.col_min, zone.col_max + 1)
            for row in range(zone.row_min, zone.row_max + 1)
            if not (col % 2 == 1 and row == grid.rows - 1)
            and not scenario.walls[grid.index(col, row)]
            and not scenario.forbidden[grid.index(col, row)]
        ]
        assert state.deployment_pools_by_player[player] == expected
        assert expected == sorted(expected)


def test_forbidden_hexes_leave_the_pool(tmp_path: Path) -> None:
    game = variant(tmp_path, {(SCENARIO, "forbidden_hexes"): [[0, 0], [10, 3]]})
    pools = deployment_state(game.scenario, first(game)).deployment_pools_by_player
    assert (0, 0) not in pools[1]
    assert (0, 1) in pools[1]
    assert (10, 3) not in pools[2]
    assert (10, 2) in pools[2]
