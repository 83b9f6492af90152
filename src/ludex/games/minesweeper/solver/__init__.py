"""Exact inference: what the numbers say about every hidden cell, and the best play that follows from it."""

from ludex.games.minesweeper.solver.probabilities import mine_probabilities

__all__ = ["mine_probabilities"]
