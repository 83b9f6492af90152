"""What the tests of the learner share."""

from tests.learn.alphazero.miniature import dice_games

__all__ = ["dice_games"]
