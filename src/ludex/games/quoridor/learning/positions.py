"""Positions of the smallest board in which one move alone wins, so that one sees what a network has learned."""

from typing import Final

from ludex.core.illustration import PositionSpec

TELLING: Final = tuple(
    PositionSpec(board="3x3", moves=moves)
    for moves in (
        ("b2",),  # the jump over the other pawn arrives
        ("b2h", "c3"),  # the step to the middle
        ("b2", "b1h", "a2"),  # a wall before the pawn that would arrive
        ("b2h", "a3", "a1", "a2"),  # the jump, with a wall beside the way
    )
)
