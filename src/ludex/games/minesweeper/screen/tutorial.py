"""Minesweeper for a person who has never played it: six tasks on small boards."""

from ludex.core.illustration import PositionSpec
from ludex.core.tutorial import StepSpec, TurnSpec, Tutorial
from ludex.games.minesweeper.screen.rulebook import draw_position

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
