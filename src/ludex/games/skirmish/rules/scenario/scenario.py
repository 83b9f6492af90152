"""A scenario, read from its folder, checked and put together; and whether it is the same for both players."""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.hexes.grid import Grid
from ludex.games.skirmish.rules.scenario.board import BattleMap, read_board
from ludex.games.skirmish.rules.scenario.files import Folder, find_folder, read_document, refusal
from ludex.games.skirmish.rules.scenario.forces import PLAYERS, Force, read_forces
from ludex.games.skirmish.rules.scenario.schemas import (
    Confirmation,
    DeploymentType,
    GameConfig,
    OrderMode,
    ScenarioConfig,
    Zone,
)

Pool: TypeAlias = tuple[int, ...]
"""Hexes that a player may deploy on."""


@dataclass(frozen=True, eq=False)
class Scenario:
    """All that a game is made of. What each player has is listed player 1 first: `pools[player - 1]`."""

    name: str
    """The name it ships under, or its folder's."""
    source: Path
    title: str
    description: str
    grid: Grid
    walls: NDArray[np.bool_]
    """bool[grid.size], read-only."""
    forbidden: NDArray[np.bool_]
    """bool[grid.size], read-only: hexes where no unit may deploy."""
    objectives: tuple[int, ...]
    zones: tuple[Zone, Zone]
    pools: tuple[Pool, Pool]
    """The hexes each player may deploy on, sorted by (col, row)."""
    forces: tuple[Force, Force]
    """Each player's units, sorted by id."""
    deployment_type: DeploymentType
    deployment_order_mode: OrderMode
    deployment_confirmation: Confirmation
    max_undeploys: int
    game: GameConfig
    warnings: tuple[str, ...]
    """What can be played and may not be meant."""

    @property
    def doomed(self) -> bool:
        """Whether some player has more units to deploy than hexes for them, so that the deployment must deadlock."""
        return self.deployment_type == "active" and bool(_short_players(self.pools, self.forces))

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
    return Scenario(
        name=folder.path.resolve().name,
        source=folder.path,
        title=config.title,
        description=config.description,
        grid=board.grid,
        walls=board.walls,
        forbidden=board.forbidden,
        objectives=board.objectives,
        zones=board.zones,
        pools=board.pools,
        forces=forces,
        deployment_type=config.deployment_type,
        deployment_order_mode=config.deployment_order_mode,
        deployment_confirmation=config.deployment_confirmation,
        max_undeploys=config.max_undeploys,
        game=game,
        warnings=_warnings(folder, config, board, forces),
    )


def _require_slots(file: Path, game: GameConfig, board: BattleMap, forces: tuple[Force, Force]) -> None:
    """The action space has a place for each unit and each hex of a pool."""
    for player, force, pool in zip(PLAYERS, forces, board.pools, strict=True):
        if len(force) > game.deployment_max_unit_slots:
            expected = f"at least {len(force)}, the units of player {player}"
            raise refusal(file, "deployment_max_unit_slots", game.deployment_max_unit_slots, expected)
        if len(pool) > game.deployment_max_hex_slots:
            expected = f"at least {len(pool)}, the hexes that player {player} may deploy on"
            raise refusal(file, "deployment_max_hex_slots", game.deployment_max_hex_slots, expected)


def _warnings(folder: Folder, config: ScenarioConfig, board: BattleMap, forces: tuple[Force, Force]) -> tuple[str, ...]:
    if config.deployment_type == "fixed":
        return ()
    return tuple(
        f"{folder.scenario}: key 'units': player {player} has {len(forces[player - 1])} units and "
        f"{len(board.pools[player - 1])} hexes to deploy on: the deployment will end in a deadlock"
        for player in _short_players(board.pools, forces)
    )


def _short_players(pools: tuple[Pool, Pool], forces: tuple[Force, Force]) -> list[int]:
    """The players that have more units to deploy than hexes for them."""
    return [player for player in PLAYERS if len(pools[player - 1]) < len(forces[player - 1])]


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
