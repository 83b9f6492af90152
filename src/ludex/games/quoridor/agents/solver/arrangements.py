"""How many ways there are to put walls: what a solution costs, known before it is begun."""

import numpy as np


def count_configurations(size: int, free: tuple[int, int], left: tuple[int, int]) -> int:
    """How many sets of walls there are, each with what is then left of the stocks.

    >>> count_configurations(3, (0b11011, 0b11011), (1, 1))
    37
    """
    counts = arrangements(size, free, sum(left))
    return sum(counts[white + black] for white in range(left[0] + 1) for black in range(left[1] + 1))


def arrangements(size: int, free: tuple[int, int], most: int) -> list[int]:
    """In how many ways 0, 1, ... `most` walls fit together on the free slots, whether or not they cut off a path.

    `free` are sets, horizontal and vertical. Counts beyond 2^53 are rounded.

    >>> arrangements(3, (0b11011, 0b11011), 4)
    [1, 8, 20, 16, 2]
    """
    side = size - 1
    # Slot by slot. Axes: the columns in which a vertical wall ends just below, whether a horizontal one ends just to
    # the left, and the number of walls.
    ways = np.zeros((1 << side, 2, most + 1))
    ways[0, 0, 0] = 1
    for row in range(side):
        for col in range(side):
            slot = row * size + col
            before = ways.reshape(-1, 2, 1 << col, 2, most + 1)
            after = np.zeros_like(before)
            after[:, 0, :, 0] = before.sum(axis=(1, 3))
            if free[0] >> slot & 1:
                after[:, 0, :, 1, 1:] = (before if col == 0 else before[:, :, :, :1]).sum(axis=(1, 3))[..., :-1]
            if free[1] >> slot & 1:
                after[:, 1, :, 0, 1:] = before[:, 0].sum(axis=2)[..., :-1]
            ways = after
    return [int(count) for count in ways.reshape(-1, most + 1).sum(axis=0)]
