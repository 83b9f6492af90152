"""What a newcomer plays at `/learn/connect_four`: four positions, and the moves to find."""

from ludex.core.illustration import PositionSpec
from ludex.core.tutorial import StepSpec, TurnSpec, Tutorial

BOARD = "5x4"

TUTORIAL = Tutorial(
    steps=(
        StepSpec(name="drop", position=PositionSpec(board=BOARD), turns=(TurnSpec(accept=("c",)),)),
        StepSpec(
            name="win", position=PositionSpec(board=BOARD, moves=tuple("aabbcc")), turns=(TurnSpec(accept=("d",)),)
        ),
        StepSpec(
            name="block", position=PositionSpec(board=BOARD, moves=tuple("acacec")), turns=(TurnSpec(accept=("c",)),)
        ),
        StepSpec(
            name="fork",
            position=PositionSpec(board=BOARD, moves=tuple("bbcc")),
            turns=(TurnSpec(accept=("d",), reply=("a",)), TurnSpec(accept=("e",))),
        ),
    )
)
