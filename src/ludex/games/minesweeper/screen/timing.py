"""The figures of a game that was timed: how fast and how directly a board was cleared."""

from typing import Any

import numpy as np

from ludex.core.match import Match
from ludex.games.minesweeper.rules.position import View
from ludex.games.minesweeper.rules.three_bv import three_bv


def clicks_of(view: View) -> int | None:
    """The board's 3BV; None before the end, when it would leak information about the mines."""
    if view.mine_cells is None:
        return None
    mines = np.zeros(view.rows * view.cols, np.bool_)
    mines[list(view.mine_cells)] = True
    return three_bv(mines.reshape(view.rows, view.cols))


def figures(match: Match[Any, View], seconds: float) -> dict[str, float]:
    """The 3BV in a second, and its share of the moves that were made, of a board that was cleared.

    A move is a reveal or a flag; a chord counts as the reveals that it makes.
    """
    clicks = clicks_of(match.game.view(match.state, 0))
    if clicks is None or match.outcome is None or match.outcome.scores[0] <= 0:
        return {}
    speed = {"speed": round(clicks / seconds, 3)} if seconds > 0 else {}
    return speed | {"efficiency": round(clicks / match.ply, 4)}
