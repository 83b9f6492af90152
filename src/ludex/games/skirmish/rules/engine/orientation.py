"""The board rotated by 180° for player 2, so that one policy plays both sides. The engine's own index never changes.

Own units and slots come first in every observation already. Positions on the board are rotated as follows:

| | rotated |
|---|---|
| a hex of a plane, or to move to | the hex opposite |
| a hex slot of the deployment | the slot from the other end of the pool: (col, row) run backwards |
| a side of a charged enemy | the side opposite |
| everything else | itself |

The mapping is its own inverse, so the same array serves both directions.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import Unsupported
from ludex.games.skirmish.rules.engine import branches, layout
from ludex.games.skirmish.rules.engine.branches import branch_sizes
from ludex.games.skirmish.rules.engine.layout import State
from ludex.games.skirmish.rules.engine.records import Constants
from ludex.games.skirmish.rules.scenario import Scenario
from ludex.kernels.jit import kernel

TURNED_PLAYER: Final = 1
"""Player 2, at the other end of the board."""


class Orientation(NamedTuple):
    """Where each player sees each hex and action, one row per player."""

    hexes: NDArray[np.int64]
    """[2, hexes]: holes stay where they are."""
    actions: NDArray[np.int64]
    """[2, actions]"""


def identity_orientation(scenario: Scenario) -> Orientation:
    """Both players see the board as it is."""
    hexes, actions = np.arange(scenario.grid.size), np.arange(sum(_sizes(scenario)))
    return Orientation(np.stack((hexes, hexes)), np.stack((actions, actions)))


def half_turn(scenario: Scenario) -> Orientation:
    """Player 2 sees the board rotated by 180°. Raises `Unsupported` if a rotated column would not fit the board."""
    grid = scenario.grid
    if grid.cols % 2 == 0:
        raise Unsupported(
            f"{scenario.source}: a board of {grid.cols} columns cannot be turned by half a turn, so that no policy "
            "plays both sides of it: expected an odd number of columns"
        )
    orientation = identity_orientation(scenario)
    hexes = orientation.hexes[TURNED_PLAYER]
    hexes[grid.exists] = grid.half_turn[grid.exists]
    branch = np.split(orientation.actions[TURNED_PLAYER], np.cumsum(_sizes(scenario))[:-1])
    slots = branch[branches.DEPLOY].reshape(scenario.game.deployment_max_unit_slots, -1)
    pool = len(scenario.pools[TURNED_PLAYER])
    slots[:, :pool] = slots[:, :pool][:, ::-1].copy()
    branch[branches.MOVE][:] = branch[branches.MOVE][hexes]
    branch[branches.CHARGE_DESTINATION][:] = np.roll(branch[branches.CHARGE_DESTINATION], branches.SIDES // 2)
    return orientation


def _sizes(scenario: Scenario) -> tuple[int, ...]:
    game = scenario.game
    return branch_sizes(game.deployment_max_unit_slots, game.deployment_max_hex_slots, scenario.grid.size)


@kernel
def flip_mask(constants: Constants, state: State, mask: NDArray[np.bool_], turned: NDArray[np.int64]) -> None:
    """Flip the mask of a state in place; `turned: int64[actions]` is the row of the player to move."""
    # Of the branches that a flip changes, each phase uses at most one.
    branch = branches.MOVE
    if state[layout.PHASE] == layout.DEPLOYMENT:
        branch = branches.DEPLOY
    elif state[layout.PHASE] == layout.CHARGE:
        branch = branches.CHARGE_DESTINATION
    elif state[layout.PHASE] != layout.MOVE:
        return
    for here in range(constants.branch[branch], constants.branch[branch + 1]):
        there = turned[here]
        if here < there:
            mask[here], mask[there] = mask[there], mask[here]
