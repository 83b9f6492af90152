"""Positions with one proven cell among many hidden ones, so that one sees what a network has learned."""

from typing import Final

from ludex.core.illustration import PositionSpec

TELLING: Final = tuple(
    PositionSpec(board="small_8x8_10", seed=seed, moves=tuple(moves.split()))
    for seed, moves in (
        (2000016, "c3"),
        (2000013, "c3 d5"),
        (2000033, "c3 f6 c7 d7"),
        (2000003, "c3 e3 c5 b6 c6"),
        (2000014, "c3 b6 d6 a7 b7 c7 a8 e1"),
    )
)
