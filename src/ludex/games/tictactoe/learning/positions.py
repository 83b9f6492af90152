"""Positions in which one sees what a ranking has learned: no line is at hand, so that the values of moves decide."""

from typing import Final

from ludex.core.illustration import PositionSpec

TELLING: Final = tuple(
    PositionSpec(board="3x3x3", moves=moves)
    for moves in (
        ("a1",),  # against a corner only the middle holds
        ("b2",),  # against the middle only a corner does
        ("a1", "b2", "c3"),  # between two corners only an edge does
        ("c1", "b2", "a3"),
        ("a2", "b3"),
        ("b1", "b2", "c2"),
    )
)
