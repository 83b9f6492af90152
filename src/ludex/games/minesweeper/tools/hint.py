"""Advice on an external position: the probabilities, the best move and its explanation."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.core.decision import Decision
from ludex.core.errors import GameOver
from ludex.core.limit import Limit
from ludex.core.registry import make, make_agent
from ludex.core.seeding import generator
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.inference.forced_moves import Forced, proofs
from ludex.games.minesweeper.rules.inference.probabilities import assessed
from ludex.games.minesweeper.rules.layout import HIDDEN
from ludex.games.minesweeper.rules.options import Start
from ludex.games.minesweeper.rules.position import View


class Hint(NamedTuple):
    """The analysis of a position."""

    game: Minesweeper
    view: View
    probabilities: NDArray[np.float64]
    """float64[H, W]: how probably each hidden cell is a mine, NaN where it is revealed."""
    log_solutions: float
    """The natural logarithm of the number of layouts that fit."""
    decision: Decision
    """The expert's, with its explanation."""
    proofs: list[Forced]
    """Everything that rules prove."""


def hint(numbers: NDArray[np.int8], flags: NDArray[np.bool_], mines: int, start: Start) -> Hint:
    """Advice on int8[H, W] with -1 where hidden; `start` is the rule for the first reveal of an untouched board.

    Raises `InconsistentPosition` if no layout fits, and `GameOver` if no safe cell is hidden.

    >>> hint(np.array([[1, -1, -1]], np.int8), np.zeros((1, 3), np.bool_), 1, "safe").decision.note
    'c1 is safe in every layout that fits'
    """
    probabilities, log_solutions = assessed(numbers, mines)
    hidden = numbers == HIDDEN
    if hidden.sum() == mines:
        raise GameOver(f"there is nothing to reveal: all {mines} hidden cells are mines")
    rows, cols = numbers.shape
    # The start rule no longer matters after the first reveal, and may not fit this number of mines.
    rule = start if hidden.all() else "none"
    game = make("minesweeper", rows=rows, cols=cols, mines=mines, start=rule)
    assert isinstance(game, Minesweeper)
    view = View(rows, cols, mines, game.options.start, numbers.tobytes(), flags.tobytes(), plies=0)
    legal = np.concatenate([hidden.reshape(-1)] * 2)
    decision = make_agent(game, "expert").decide(view, legal, rng=generator(0, 0), limit=Limit())
    return Hint(game, view, probabilities, log_solutions, decision, proofs(numbers))
