"""Whether a board is the same for both players."""

import numpy as np

from ludex.games.skirmish.data.scenario import Scenario


def is_symmetric(scenario: Scenario) -> bool:
    """Whether half a turn leaves walls and objectives in place and exchanges the zones.

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
    return all(np.array_equal(one[here], other[there]) for one, other in pairs)
