"""Half a turn of what player 2 sees and does, so that one policy plays both sides. The engine's own index never turns.

Own units and slots come first in every observation already. What is left to turn is where things are:

| | half a turn of it |
|---|---|
| a hex of a plane, or to move to | the hex opposite |
| a hex slot of the deployment | the slot from the other end of the pool: (col, row) run backwards |
| a side of a charged enemy | the side opposite |
| everything else | itself |

Done twice it changes nothing, so the same table leads there and back.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import Unsupported
from ludex.games.skirmish.rules.engine import branches
from ludex.games.skirmish.rules.engine.branches import branch_sizes
from ludex.games.skirmish.rules.engine.constants import Scene
from ludex.games.skirmish.rules.engine.layout import CHARGE, DEPLOYMENT, MOVE, PHASE
from ludex.games.skirmish.rules.scenario.scenario import Scenario
from ludex.kernels.jit import kernel

TURNED_PLAYER: Final = 1
"""Player 2, who sits at the other end of the board."""


class Turning(NamedTuple):
    """Where each player sees what, a row a player."""

    hexes: NDArray[np.int64]
    """[2, hexes]: holes stay where they are."""
    actions: NDArray[np.int64]
    """[2, actions]"""


def unturned(scenario: Scenario) -> Turning:
    """Both players see the board as it is."""
    hexes, actions = np.arange(scenario.grid.size), np.arange(sum(_sizes(scenario)))
    return Turning(np.stack((hexes, hexes)), np.stack((actions, actions)))


def half_turn(scenario: Scenario) -> Turning:
    """Player 2 sees the board turned. Raises `Unsupported` if a turned column would stick out."""
    grid = scenario.grid
    if grid.cols % 2 == 0:
        raise Unsupported(
            f"{scenario.source}: a board of {grid.cols} columns cannot be turned by half a turn, so that no policy "
            "plays both sides of it: expected an odd number of columns"
        )
    turning = unturned(scenario)
    hexes = turning.hexes[TURNED_PLAYER]
    hexes[grid.exists] = grid.half_turn[grid.exists]
    branch = np.split(turning.actions[TURNED_PLAYER], np.cumsum(_sizes(scenario))[:-1])
    slots = branch[branches.DEPLOY].reshape(scenario.game.deployment_max_unit_slots, -1)
    pool = len(scenario.pools[TURNED_PLAYER])
    slots[:, :pool] = slots[:, :pool][:, ::-1].copy()
    branch[branches.MOVE][:] = branch[branches.MOVE][hexes]
    branch[branches.CHARGE_DESTINATION][:] = np.roll(branch[branches.CHARGE_DESTINATION], branches.SIDES // 2)
    return turning


def _sizes(scenario: Scenario) -> tuple[int, ...]:
    game = scenario.game
    return branch_sizes(game.deployment_max_unit_slots, game.deployment_max_hex_slots, scenario.grid.size)


@kernel
def turn_mask(scene: Scene, state: NDArray[np.int16], mask: NDArray[np.bool_], turned: NDArray[np.int64]) -> None:
    """Turn the mask of a state in place; `turned: int64[actions]` is the row of who is to move."""
    # Of the branches that a turn changes, a phase opens one.
    branch = branches.MOVE
    if state[PHASE] == DEPLOYMENT:
        branch = branches.DEPLOY
    elif state[PHASE] == CHARGE:
        branch = branches.CHARGE_DESTINATION
    elif state[PHASE] != MOVE:
        return
    for here in range(scene.branch[branch], scene.branch[branch + 1]):
        there = turned[here]
        if here < there:
            mask[here], mask[there] = mask[there], mask[here]
