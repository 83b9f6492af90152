"""The constants of `game_config.json` as the tables that `engine.paying` pays from."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.data.scenario import Scenario


def reward_terms(scenario: Scenario) -> tuple[float, ...]:
    """In the order of `engine.paying`."""
    terms = scenario.game.rewards
    return (terms.win, terms.loss, terms.draw, terms.damage_dealt, terms.damage_taken, terms.objective_point)


def placement_table(scenario: Scenario, sees: NDArray[np.bool_]) -> NDArray[np.float64]:
    """float64[2, hexes]: what each player is paid for a unit on each hex; 0 outside the player's pool.

    Nearness is 1 on an objective, less the farther away the nearest is, 0 across the board. Cover is the share of the
    enemy's pool that does not see the hex.
    """
    grid, terms = scenario.grid, scenario.game.rewards.deployment
    table = np.zeros((2, grid.size))
    for player, pool in enumerate(scenario.pools):
        enemies = list(scenario.pools[1 - player])
        for where in pool:
            nearest = int(grid.distance[where, list(scenario.objectives)].min(initial=grid.cols))
            near = max(0.0, 1.0 - nearest / grid.cols)
            cover = 1.0 - float(np.mean(sees[where, enemies])) if enemies else 1.0
            table[player, where] = terms.per_placement + terms.near_objective * near + terms.in_cover * cover
    return table
