"""The rules of a board in words and pictures, what can be done now, and a tutorial of six tasks on small boards."""

import numpy as np

from ludex.core.game import Mask
from ludex.core.illustration import PositionSpec
from ludex.core.messages import Message
from ludex.core.rulebook import Rulebook, RuleSection, Term
from ludex.core.tutorial import StepSpec, TurnSpec, Tutorial
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.layout import HIDDEN, mine_counts
from ludex.games.minesweeper.rules.notation import action_names
from ludex.games.minesweeper.rules.position import View

_TERMS = ("mines_left", "chord", "bbbv", "luck")


def rulebook(game: Minesweeper) -> Rulebook:
    """The goal and the first reveal of this board; numbers, flags and the end in pictures of small ones."""
    start = "given" if game.options.no_guess else game.options.start
    sizes = {"rows": game.rows, "cols": game.cols, "count": game.mines, "safe": game.safe}

    def section(name: str, picture: PositionSpec | None, title: str | None = None) -> RuleSection:
        return RuleSection(
            title=Message(f"minesweeper.rules_{title or name}_title"),
            text=Message(f"minesweeper.rules_{name}_text", sizes),
            picture=picture,
        )

    return Rulebook(
        sections=(
            section("goal", None),
            section("numbers", draw_position("* o o o / o o o * / o o o . / o o o *", marked="b2")),
            section(f"start_{start}", None, title="start"),
            section("flags", draw_position("F o . . / o o . * / . . . .", marked="a1")),
            section("chord", draw_position("F o . . / o o . * / . . . .", marked="b2")),
            section("proof", draw_position("* . . * . / o o o o o / o o o o o", marked="a2 b2 c1")),
            section("end", draw_position("* o o / o o o / o o *")),
            section("notation", None),
        ),
        terms=tuple(
            Term(
                name=name,
                title=Message(f"minesweeper.word_{name}"),
                meaning=Message(f"minesweeper.word_{name}_meaning"),
            )
            for name in _TERMS
        ),
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
        StepSpec(
            name="first",
            position=PositionSpec(board="small_8x8_10:rows=6:cols=6:mines=5", seed=4),
            turns=(TurnSpec(accept=("??",), refuse={_FLAGS: "flagged"}),),
        ),
        StepSpec(
            name="flag",
            position=draw_position("* o o o o / o o o o o / o o o o * / o o o o . / o o o o *", marked="b2"),
            turns=(TurnSpec(accept=("a1!",), refuse={"a1": "mine", _FLAGS: "flagged"}),),
        ),
        StepSpec(
            name="safe",
            position=draw_position("F o . . . / o o . . * / . . . . . / . . * . . / . . . . .", marked="b2"),
            turns=(TurnSpec(accept=("c1", "c2", "c3", "a3", "b3"), refuse={"a1*": "mine", _FLAGS: "flagged"}),),
        ),
        StepSpec(
            name="proof",
            position=draw_position("* . . * . / o o o o o / o o o o o", marked="a2 b2"),
            turns=(TurnSpec(accept=("c1",), refuse={"c1!": "flagged_safe", _FLAGS: "flagged"}),),
        ),
        StepSpec(
            name="mines",
            position=draw_position(". * . * . / o o o o o / o o o o o", marked="b2 c2 d2"),
            turns=(TurnSpec(accept=("b1!", "d1!"), refuse={"[bd]1": "mine", _FLAGS: "flagged"}),),
        ),
        StepSpec(
            name="guess",
            position=draw_position(". . . . . / . * . * . / . . o . . / . * . * . / . . . * ."),
            turns=(
                TurnSpec(
                    accept=("[a-e]1", "[abce]5", "[ae][2-4]"),
                    refuse={_FLAGS: "flagged", "d5": "unlucky"},
                ),
            ),
        ),
    )
)
