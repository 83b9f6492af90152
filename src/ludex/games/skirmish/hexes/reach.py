"""How far a unit can walk."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.hexes.grid import NOWHERE
from ludex.kernels.jit import kernel

Marks = NDArray[np.bool_] | NDArray[np.uint8]
"""[size]: one truth value a hex."""
UNREACHED: Final = -1


@kernel
def reach(
    start: int,
    steps: int,
    blocked: Marks,
    barred: Marks,
    neighbours: NDArray[np.int16],
    out_distance: NDArray[np.int16],
    queue: NDArray[np.int16],
) -> int:
    """Steps to every hex within `steps`, into `out_distance: int16[size]`; UNREACHED elsewhere. Returns how many.

    No step enters a hex of `blocked` (walls, units) or of `barred` (next to an enemy); what holds of `start`, whose
    distance is 0, does not matter. `queue: int16[size]` then begins with the hexes reached, the start first and the
    nearer before the farther.
    """
    out_distance[:] = UNREACHED
    out_distance[start] = 0
    queue[0] = start
    done, known = 0, 1
    while done < known and out_distance[queue[done]] < steps:
        here = queue[done]
        done += 1
        for direction in range(neighbours.shape[1]):
            there = neighbours[here, direction]
            if there == NOWHERE or blocked[there] or barred[there] or out_distance[there] != UNREACHED:
                continue
            out_distance[there] = out_distance[here] + 1
            queue[known] = there
            known += 1
    return known
