"""The score that a player may expect, for generic searches: points, and the wounds that each force has left."""

import math
from typing import Final

from ludex.core.game import Player
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.position import Position

POINTS: Final = 15.0
"""A lead of so many points is nearly a won game; so is one of half a force's wounds."""


def expected_score(game: Skirmish, state: Position, player: Player) -> float:
    """The lead in points and in the share of wounds left, in -1..1."""
    first = len(game.scenario.forces[0])
    wounds = state.words[layout.UNITS + layout.WOUNDS :: layout.UNIT_WORDS][: len(game.units)].tolist()
    whole = [unit.type.wounds for unit in game.units]
    shares = [sum(wounds[part]) / sum(whole[part]) for part in (slice(first), slice(first, None))]
    points = state.words[layout.POINTS : layout.POINTS + 2].tolist()
    lead = (points[0] - points[1]) / POINTS + 2.0 * (shares[0] - shares[1])
    return math.tanh(lead if player == 0 else -lead)
