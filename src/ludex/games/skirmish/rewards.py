"""What training is paid, every constant from the scenario's `game_config.json`."""

from typing import NamedTuple

import numpy as np

from ludex.core.game import Outcome
from ludex.games.skirmish.data.game_config import Rewards
from ludex.games.skirmish.engine import events, layout
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.position import Position


class Standing(NamedTuple):
    """How the battle stands for one player, as rewards count it."""

    dealt: float
    """The share of the enemy's value that is destroyed, wounds of living units counted in part."""
    taken: float
    """The same of the own force."""
    points: int


def standing(game: Skirmish, position: Position, player: int) -> Standing:
    """The standing of player 0 or 1."""
    words = position.words
    lost = [0.0, 0.0]
    whole = [0, 0]
    for index, unit in enumerate(game.units):
        left = int(words[layout.UNITS + index * layout.UNIT_WORDS + layout.WOUNDS])
        whole[unit.player - 1] += unit.value
        lost[unit.player - 1] += unit.value * (1.0 - left / unit.type.wounds)
    shares = [gone / value for gone, value in zip(lost, whole, strict=True)]
    return Standing(shares[1 - player], shares[player], int(words[layout.POINTS + player]))


def reward(game: Skirmish, before: Position, after: Position, player: int, outcome: Outcome | None) -> float:
    """What the way from one position to another is worth to a player: performance, then the end of the game."""
    terms = game.scenario.game.rewards
    old, new = standing(game, before, player), standing(game, after, player)
    paid = terms.damage_dealt * (new.dealt - old.dealt) + terms.damage_taken * (new.taken - old.taken)
    paid += terms.objective_point * (new.points - old.points)
    if outcome is not None:
        score = outcome.scores[player]
        paid += terms.win if score > 0 else terms.loss if score < 0 else terms.draw
    return paid


def deployment_reward(game: Skirmish, after: Position, player: int) -> float:
    """The light shaping of a placement that a player has just made; 0 if the last ply was none of theirs."""
    terms: Rewards = game.scenario.game.rewards
    paid = 0.0
    for what, unit, where, _ in after.events.tolist():
        if what == events.DEPLOYED and game.units[unit].player == player + 1:
            paid += terms.deployment.per_placement
            paid += terms.deployment.near_objective * _near_objective(game, where)
            paid += terms.deployment.in_cover * _in_cover(game, where, player)
    return paid


def _near_objective(game: Skirmish, where: int) -> float:
    """1 on an objective, less the farther away the nearest is, 0 across the board."""
    grid = game.scenario.grid
    nearest = min(int(grid.distance[where, objective]) for objective in game.scenario.objectives)
    return max(0.0, 1.0 - nearest / grid.cols)


def _in_cover(game: Skirmish, where: int, player: int) -> float:
    """The share of the enemy's pool that does not see a hex."""
    pool = list(game.scenario.pools[1 - player])
    return float(1.0 - np.mean(game.sees[where, pool])) if pool else 1.0
