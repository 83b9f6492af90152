"""The rules of a board in words and pictures, what can be done now, and a tutorial of six tasks on small boards."""

import numpy as np

from ludex.core.game import Mask
from ludex.core.illustration import PositionSpec
from ludex.core.messages import Message
from ludex.core.rulebook import Rulebook
from ludex.core.tutorial import Tutorial
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.layout import HIDDEN, mine_counts
from ludex.games.minesweeper.rules.notation import action_names
from ludex.games.minesweeper.rules.position import View
from ludex.kit.teaching import rulebook as grid_rulebook
from ludex.kit.teaching import step_at, turn


def rulebook(game: Minesweeper) -> Rulebook:
    """The goal and the first reveal of this board; numbers, flags and the end in pictures of small ones."""
    start = f"start_{'given' if game.options.no_guess else game.options.start}"
    return grid_rulebook(
        game,
        *("mines_left", "chord", "bbbv", "luck"),
        sizes={"rows": game.rows, "cols": game.cols, "count": game.mines, "safe": game.safe},
        titles={start: "start"},
        goal=None,
        numbers=draw_position("* o o o / o o o * / o o o . / o o o *", marked="b2"),
        **{start: None},
        flags=draw_position("F o . . / o o . * / . . . .", marked="a1"),
        chord=draw_position("F o . . / o o . * / . . . .", marked="b2"),
        proof=draw_position("* . . * . / o o o o o / o o o o o", marked="a2 b2 c1"),
        end=draw_position("* o o / o o o / o o *"),
        notation=None,
    )


def coach(game: Minesweeper, view: View, legal: Mask) -> Message:
    """What can be done before the first reveal and after it, without advice on which cell."""
    if (view.numbers == HIDDEN).all():
        if view.start_cell is not None:
            cell = action_names(game.rows, game.cols)[view.start_cell]
            return Message("minesweeper.coach_given", {"cell": cell}, (view.start_cell,))
        return Message(f"minesweeper.coach_{game.options.start}")
    return Message("minesweeper.coach_reveal")


_SHOWN = "o"
_MINES = "*FX"


def draw_position(picture: str, marked: str = "") -> PositionSpec:
    """A position from rows of characters: `o` is revealed, the others are as `Game.dump` writes them.

    >>> draw_position("F o / o .").position
    {'cells': 'F11.', 'plies': 4}
    """
    marks = np.array([row.split() for row in picture.split("/")])
    mines, (height, width) = np.isin(marks, [*_MINES]), marks.shape
    cells = "".join(np.where(marks == _SHOWN, mine_counts(mines).astype(str), marks).ravel())
    return PositionSpec(
        board=f"small_8x8_10:rows={height}:cols={width}:mines={int(mines.sum())}:start=safe",
        position={"cells": cells, "plies": len(cells)},
        cells=tuple(ord(name[0]) - ord("a") + width * (int(name[1:]) - 1) for name in marked.split()),
    )


_FLAGS = "*!"

TUTORIAL = Tutorial(
    steps=(
        step_at("first", PositionSpec(board="small_8x8_10:rows=6:cols=6:mines=5", seed=4), turn("??", flagged=_FLAGS)),
        step_at(
            "flag",
            draw_position("* o o o o / o o o o o / o o o o * / o o o o . / o o o o *", marked="b2"),
            turn("a1!", mine="a1", flagged=_FLAGS),
        ),
        step_at(
            "safe",
            draw_position("F o . . . / o o . . * / . . . . . / . . * . . / . . . . .", marked="b2"),
            turn("c1 c2 c3 a3 b3", mine="a1*", flagged=_FLAGS),
        ),
        step_at(
            "proof",
            draw_position("* . . * . / o o o o o / o o o o o", marked="a2 b2"),
            turn("c1", flagged_safe="c1!", flagged=_FLAGS),
        ),
        step_at(
            "mines",
            draw_position(". * . * . / o o o o o / o o o o o", marked="b2 c2 d2"),
            turn("b1! d1!", mine="[bd]1", flagged=_FLAGS),
        ),
        step_at(
            "guess",
            draw_position(". . . . . / . * . * . / . . o . . / . * . * . / . . . * ."),
            turn("[a-e]1 [abce]5 [ae][2-4]", flagged=_FLAGS, unlucky="d5"),
        ),
    )
)
