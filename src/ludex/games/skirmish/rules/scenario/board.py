"""The board of a scenario: walls, forbidden hexes, objectives, zones, and the pools these leave."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.hexes.grid import Grid, grid_of
from ludex.games.skirmish.rules.scenario.files import Folder, board_text, hexes_of, read_document, refusal
from ludex.games.skirmish.rules.scenario.schemas import BoardConfig, DeploymentConfig, ScenarioConfig, Zone


@dataclass(frozen=True)
class BattleMap:
    """What lies on the grid; what both players have is listed player 1 first."""

    grid: Grid
    walls: NDArray[np.bool_]
    forbidden: NDArray[np.bool_]
    objectives: tuple[int, ...]
    zones: tuple[Zone, Zone]
    pools: tuple[tuple[int, ...], tuple[int, ...]]


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
    return BattleMap(
        grid, walls, forbidden, objectives, zones, (_pool(grid, free, zones[0]), _pool(grid, free, zones[1]))
    )


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
