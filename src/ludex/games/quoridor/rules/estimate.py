"""The score that a player may expect, for generic searches: how many steps each has left."""

import math
from typing import Final

from ludex.core.game import Player
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.rules.paths import distance
from ludex.games.quoridor.rules.position import Position, words

STEPS: Final = 4.0
"""A lead of so many steps is nearly a won game."""


def expected_score(game: Quoridor, state: Position, player: Player) -> float:
    """The lead in steps, the turn counted as half a step, in -1..1."""
    row = words(state, game.size)
    steps = [distance(row, seat, game.size, game.geometry) for seat in range(2)]
    lead = steps[1 - player] - steps[player] + (0.5 if state.turn == player else -0.5)
    return math.tanh(lead / STEPS)
