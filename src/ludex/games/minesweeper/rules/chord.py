"""Chords: a number whose mines are all flagged has its other neighbours revealed at once, written `chord:c3`."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import GameOver, IllegalAction, MalformedAction
from ludex.core.game import Game
from ludex.games.minesweeper.rules.geometry import DEGREE, neighbours
from ludex.games.minesweeper.rules.layout import HIDDEN
from ludex.games.minesweeper.rules.notation import action_names, action_of
from ludex.games.minesweeper.rules.position import Position, View

PREFIX: Final = "chord:"


def chords(view: View) -> list[int]:
    """The revealed cells that can be chorded."""
    numbers = view.numbers.reshape(-1)
    flagged, closed = _around(view)
    cells: list[int] = np.flatnonzero((numbers != HIDDEN) & (flagged == numbers) & closed.any(axis=1)).tolist()
    return cells


def expand(game: Game[Position, View], view: View, text: str) -> list[str] | None:
    """The reveals that a chord stands for, in order; None for any other text.

    A flag is an opinion: a chord beside a wrong one reveals a mine, as it does everywhere. Raises `MoveError` where
    there is nothing to chord.
    """
    if not text.startswith(PREFIX):
        return None
    names = action_names(view.rows, view.cols)
    cell = action_of(text.removeprefix(PREFIX), view.rows, view.cols)
    if cell >= view.rows * view.cols:
        raise MalformedAction(f"{text!r} names no chord: expected {PREFIX} and a cell, such as {PREFIX}{names[0]}")
    if view.exploded is not None or view.mine_cells is not None:
        raise GameOver(f"{text} cannot be played: the game is over")
    number = int(view.numbers.flat[cell])
    if number == HIDDEN:
        raise IllegalAction(f"{text} cannot be played: {names[cell]} shows no number, it is hidden")
    counts, closed = _around(view)
    if (flagged := int(counts[cell])) != number:
        raise IllegalAction(
            f"{text} cannot be played: {names[cell]} shows {number}, and {flagged} of its neighbours "
            f"{'has a flag' if flagged == 1 else 'have flags'}"
        )
    if not closed[cell].any():
        raise IllegalAction(f"{text} cannot be played: no neighbour of {names[cell]} is left to reveal")
    return [names[other] for other in neighbours(view.rows, view.cols)[cell, :DEGREE][closed[cell]].tolist()]


def _around(view: View) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """How many neighbours of each cell are flagged, int64[HW], and which are hidden without a flag, bool[HW, 8]."""
    near = neighbours(view.rows, view.cols)[:, :DEGREE]
    hidden, flags = view.numbers.reshape(-1) == HIDDEN, view.flags.reshape(-1)
    return ((hidden & flags)[near] & (near >= 0)).sum(axis=1), (hidden & ~flags)[near] & (near >= 0)
