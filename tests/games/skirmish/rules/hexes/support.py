"""What the tests of the geometry share: sizes of boards, and hexes of the reference beside numbers."""

from collections.abc import Collection
from random import Random

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.hexes import Grid
from tests.reference.hexes import Hex, distances

SIZES = ((1, 2), (2, 2), (3, 2), (1, 7), (8, 5), (9, 6), (7, 7))
"""Columns and rows, among them the smallest boards, even and odd ones."""
LONG_SIZES = ((25, 21), (64, 3), (3, 64))
"""The default board, and the longest lines."""
ODD_SIZES = tuple((cols, rows) for cols, rows in SIZES if cols % 2)


def marked(grid: Grid, places: Collection[Hex]) -> NDArray[np.bool_]:
    """bool[size]: true at the places."""
    marks = np.zeros(grid.size, np.bool_)
    marks[[grid.index(col, row) for col, row in places]] = True
    return marks


def numbers(grid: Grid) -> list[int]:
    """Every hex there is."""
    hexes: list[int] = np.flatnonzero(grid.exists).tolist()
    return hexes


def some_pairs(cols: int, rows: int) -> list[tuple[Hex, Hex]]:
    """All pairs of hexes of a small board, 1,000 of a large one."""
    pairs = list(distances(cols, rows))
    return pairs if len(pairs) <= 3_000 else Random(cols).sample(pairs, 1_000)
