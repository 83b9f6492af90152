"""Positions with one or two proven cells, so that one sees what a network has learned."""

from typing import Final

from ludex.core.illustration import PositionSpec

TELLING: Final = tuple(
    PositionSpec(board="small_8x8_10:cols=6:mines=4:rows=6", seed=seed, moves=tuple(moves.split()))
    for seed, moves in (
        (2000064, "c3"),
        (2000075, "c3 f3"),
        (2000075, "c3 f3 c6"),
        (2000077, "c3 d5 e5 c6 d6"),
        (2000059, "c3 f4 e5 f5 c6 d6"),
    )
)
