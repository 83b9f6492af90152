"""Rewards of training: every constant comes from the scenario's `game_config.json`."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.engine.constants import Constants
from ludex.games.skirmish.rules.engine.events import DEPLOYED, UNDEPLOYED
from ludex.games.skirmish.rules.engine.layout import DRAWN, LIVE, POINTS, RESULT, WON_BY_SECOND
from ludex.games.skirmish.rules.engine.units import wounds_of
from ludex.games.skirmish.rules.engine.workspace import Scratch
from ludex.games.skirmish.rules.scenario.scenario import Scenario
from ludex.kernels.jit import kernel, to_index


def reward_terms(scenario: Scenario) -> tuple[float, ...]:
    """The rewards of a scenario in the order of WIN to POINT."""
    terms = scenario.game.rewards
    return (terms.win, terms.loss, terms.draw, terms.damage_dealt, terms.damage_taken, terms.objective_point)


def placement_table(scenario: Scenario, sees: NDArray[np.bool_]) -> NDArray[np.float64]:
    """float64[2, hexes]: each player's reward for a unit on each hex; 0 outside the player's pool.

    Nearness is 1 on an objective and falls with the distance to the nearest one, to 0 across the board. Cover is the
    share of the enemy's pool that does not see the hex.
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


WIN: Final = 0
LOSS: Final = 1
DRAW: Final = 2
DEALT: Final = 3
TAKEN: Final = 4
POINT: Final = 5
"""Indices of `constants.reward`."""


@kernel
def lost(constants: Constants, state: NDArray[np.int16], player: int) -> float:
    """The share of a force's value that is destroyed, wounds of living units counted in part."""
    whole, gone = 0.0, 0.0
    for unit in range(constants.first[player], constants.first[player + 1]):
        whole += constants.value[unit]
        gone += constants.value[unit] * (1.0 - wounds_of(state, unit) / constants.wounds[unit])
    return gone / whole


@kernel
def worth(constants: Constants, state: NDArray[np.int16], player: int) -> float:
    """A player's reward for damage and points so far, and for the result if the game is over."""
    reward: float = constants.reward[DEALT] * lost(constants, state, 1 - player) + constants.reward[TAKEN] * lost(
        constants, state, player
    )
    reward += constants.reward[POINT] * state[POINTS + player]
    result = to_index(state[RESULT])
    if result == DRAWN:
        reward += constants.reward[DRAW]
    elif result != LIVE:
        winner = 1 if result & WON_BY_SECOND else 0
        reward += constants.reward[WIN] if winner == player else constants.reward[LOSS]
    return reward


@kernel
def placement_worth(constants: Constants, player: int, work: Scratch) -> float:
    """The shaping reward of a placement in the last ply; taking the unit back returns it."""
    if work.count[0] == 0:
        return 0.0
    reward = 0.0
    what, where = work.events[0, 0], work.events[0, 2]
    if what == DEPLOYED:
        reward = constants.placing[player, where]
    elif what == UNDEPLOYED:
        reward = -constants.placing[player, where]
    return reward
