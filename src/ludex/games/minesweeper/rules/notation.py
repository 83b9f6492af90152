"""Cells and actions as texts: columns are letters as in a spreadsheet, rows are numbered from 1 at the top.

`c4` reveals, `c4!` sets a flag or takes it away, `chord:c3` reveals all around a number whose mines are flagged.
"""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import GameOver, IllegalAction, MalformedAction
from ludex.core.game import Game
from ludex.core.messages import Message
from ludex.core.text import column_label
from ludex.games.minesweeper.rules.layout import BOARDS_KEPT, DEGREE, HIDDEN, neighbours
from ludex.games.minesweeper.rules.position import Position, View

FLAG_MARK = "!"


@lru_cache(maxsize=BOARDS_KEPT)
def action_names(rows: int, cols: int) -> tuple[str, ...]:
    """Every action's text: the reveals of all cells, row by row, then the flags.

    >>> action_names(1, 2)
    ('a1', 'b1', 'a1!', 'b1!')
    """
    cells = [f"{column_label(col)}{row + 1}" for row in range(rows) for col in range(cols)]
    return (*cells, *(cell + FLAG_MARK for cell in cells))


@lru_cache(maxsize=BOARDS_KEPT)
def _actions(rows: int, cols: int) -> dict[str, int]:
    return {name: action for action, name in enumerate(action_names(rows, cols))}


def action_of(text: str, rows: int, cols: int) -> int:
    """The action that a text names. Raises `MalformedAction`."""
    action = _actions(rows, cols).get(text)
    if action is None:
        last = action_names(rows, cols)[rows * cols - 1]
        quoted = repr(text) if len(text) <= 40 else f"a text of {len(text)} characters"
        raise MalformedAction(
            f"{quoted} names no action: expected a cell from a1 to {last} (column letters, then the row from the top), "
            f"with {FLAG_MARK} after it for a flag"
        )
    return action


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
        raise _refusal("hidden", text, cell=names[cell])
    counts, closed = _around(view)
    if (flagged := int(counts[cell])) != number:
        raise _refusal("flags", text, cell=names[cell], number=number, count=flagged)
    if not closed[cell].any():
        raise _refusal("spent", text, cell=names[cell])
    return [names[other] for other in neighbours(view.rows, view.cols)[cell, :DEGREE][closed[cell]].tolist()]


def _refusal(kind: str, move: str, **parameters: str | int) -> IllegalAction:
    return IllegalAction.of(Message(f"minesweeper.refused_{kind}", {"move": move, **parameters}))


def _around(view: View) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """How many neighbours of each cell are flagged, int64[HW], and which are hidden without a flag, bool[HW, 8]."""
    near = neighbours(view.rows, view.cols)[:, :DEGREE]
    hidden, flags = view.numbers.reshape(-1) == HIDDEN, view.flags.reshape(-1)
    return ((hidden & flags)[near] & (near >= 0)).sum(axis=1), (hidden & ~flags)[near] & (near >= 0)
