"""The value of every position of a small board: how many boxes the player to move will have more than the other."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import Unsupported
from ludex.kernels.jit import kernel
from ludex.kit.game import Position
from ludex.kit.rules import Vector
from ludex_classics.boxes.game import Boxes

MOST_EDGES = 24
"""Those of 3x3: a table of 16 million positions."""


@kernel
def fill(boxes: Vector, edges: int, values: NDArray[np.int8]) -> None:
    """From the last edge to the first: the best move's new boxes, and what follows for the player to move then."""
    for drawn in range((1 << edges) - 2, -1, -1):
        best = -128
        for edge in range(edges):
            after = drawn | 1 << edge
            if after == drawn:
                continue
            closed = 0
            for box in boxes:
                closed += (box >> edge) & 1 and box & after == box
            best = max(best, closed + values[after] if closed else -values[after])
        values[drawn] = best


@cache
def table(size: int) -> NDArray[np.int8]:
    """int8[2 ** edges]: the values by the set of edges that are drawn. Raises `Unsupported` for a large board."""
    grid = Boxes.grid_of(size)
    if len(grid.edges) > MOST_EDGES:
        raise Unsupported(f"boards of up to 3x3 are solved, found {size}x{size}")
    boxes = [sum(1 << int(edge) - len(grid.places) for edge in edges) for edges in grid.borders]
    values = np.zeros(1 << len(grid.edges), np.int8)
    fill(np.array(boxes, np.int64), len(grid.edges), values)
    return values


def lead(game: Boxes, state: Position) -> int:
    """How many more of the boxes that are left the player to move gets, if both play best."""
    cells = len(game.grid.places)
    drawn = sum((state[1 + cells + edge] != 0) << edge for edge in range(len(game.grid.edges)))
    return int(table(game.grid.rows)[drawn])
