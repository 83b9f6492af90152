"""The score that a player may expect, for generic searches: how much of the board is revealed."""

from ludex.core.game import Player
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.position import Position


def expected_score(game: Minesweeper, state: Position, player: Player) -> float:
    """From -1, nothing is revealed, to 1."""
    return 2.0 * state.opened / game.safe - 1.0
