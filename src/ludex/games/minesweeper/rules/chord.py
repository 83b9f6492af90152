"""Chords: a number whose mines are all flagged has its other neighbours revealed at once, written `chord:c3`."""

from typing import Final

import numpy as np

from ludex.core.errors import GameOver, IllegalAction, MalformedAction
from ludex.core.game import Game
from ludex.games.minesweeper.rules.geometry import DEGREE, neighbours
from ludex.games.minesweeper.rules.layout import HIDDEN
from ludex.games.minesweeper.rules.notation import action_names, action_of
from ludex.games.minesweeper.rules.position import Position, View

PREFIX: Final = "chord:"


def chords(view: View) -> list[int]:
    """The revealed cells that can be chorded."""
    near = neighbours(view.rows, view.cols)[:, :DEGREE]
    exists, numbers, flags = near >= 0, view.numbers.reshape(-1), view.flags.reshape(-1)
    hidden = numbers == HIDDEN
    flagged = ((hidden & flags)[near] & exists).sum(axis=1)
    left = ((hidden & ~flags)[near] & exists).any(axis=1)
    cells: list[int] = np.flatnonzero(~hidden & (flagged == numbers) & left).tolist()
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
    flagged, closed = _around(view, cell)
    if flagged != number:
        raise IllegalAction(
            f"{text} cannot be played: {names[cell]} shows {number}, and {flagged} of its neighbours "
            f"{'has a flag' if flagged == 1 else 'have flags'}"
        )
    if not closed:
        raise IllegalAction(f"{text} cannot be played: no neighbour of {names[cell]} is left to reveal")
    return [names[other] for other in closed]


def _around(view: View, cell: int) -> tuple[int, list[int]]:
    """How many neighbours are flagged, and which others are hidden."""
    near = neighbours(view.rows, view.cols)[cell]
    hidden = [other for other in near[: near[DEGREE]].tolist() if view.numbers.flat[other] == HIDDEN]
    return sum(view.flagged[other] for other in hidden), [other for other in hidden if not view.flagged[other]]
