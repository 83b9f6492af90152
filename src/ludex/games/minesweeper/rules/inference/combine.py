"""Putting the components together: what the mines left for the rest of the board make of each solution's weight.

`after[c, j]` is the weight of components c, c + 1, ... and of the cells that no number touches, when j mines were used
before. The rest alone has the weight C(elsewhere, mines - j), scaled so that the greatest is 1.
"""

import math

from ludex.games.minesweeper.rules.inference.counting import BIG
from ludex.games.minesweeper.rules.inference.workspace import MOST_SUMS, Workspace
from ludex.kernels.jit import kernel, to_index

IMPOSSIBLE = -1.0
"""The logarithm of a number of solutions that is 0."""


@kernel
def weigh_rest(work: Workspace, components: int, mines: int, elsewhere: int) -> float:
    """Fill `after` for the cells that no number touches; returns the logarithm of the scale."""
    base = components * (mines + 1)
    least, most = 0, 0
    for component in range(components):
        low, high = _mines_of(work, component)
        least, most = least + low, most + high
    # Mines that the components can leave. C(n, r) is greatest at r = n / 2, or as near to it as they allow: far from
    # there it may be too small for a float.
    lowest, highest = max(0, mines - most), min(elsewhere, mines - least)
    peak = min(elsewhere, max(lowest, min(highest, elsewhere // 2)))
    for j in range(least, min(mines, most) + 1):
        work.after[base + j] = 0.0
        work.after_can[base + j] = 1 if mines - j <= elsewhere else 0
    weight = 1.0
    for left in range(peak, highest + 1):
        work.after[base + mines - left] = weight
        weight *= (elsewhere - left) / (left + 1)
    weight = 1.0
    for left in range(peak, lowest - 1, -1):
        work.after[base + mines - left] = weight
        weight *= left / (elsewhere - left + 1)
    return math.lgamma(elsewhere + 1) - math.lgamma(peak + 1) - math.lgamma(elsewhere - peak + 1)


@kernel
def _mines_of(work: Workspace, component: int) -> tuple[int, int]:
    """The fewest and the most mines of a component's solutions."""
    last = work.component_layer[component + 1] - 1
    begin, end = work.layer[last], work.layer[last + 1]
    if begin == end:
        return 0, 0
    low = high = to_index(work.used[begin])
    for entry in range(begin + 1, end):
        low, high = min(low, to_index(work.used[entry])), max(high, to_index(work.used[entry]))
    return low, high


@kernel
def weigh_components(work: Workspace, components: int, mines: int) -> float:
    """Fill `after` for every component, last to first, for the mines that those before it can use.

    The greatest weight of each is 1; returns the logarithm of what they were divided by.
    """
    width = mines + 1
    least, most = 0, 0
    for component in range(components):
        low, high = _mines_of(work, component)
        least, most = least + low, most + high
    log_scale = 0.0
    for component in range(components - 1, -1, -1):
        low, high = _mines_of(work, component)
        least, most = least - low, most - high
        here, there = component * width, (component + 1) * width
        for j in range(least, min(mines, most) + 1):
            work.after[here + j] = 0.0
            work.after_can[here + j] = 0
        last = work.component_layer[component + 1] - 1
        for entry in range(work.layer[last], work.layer[last + 1]):
            used, ways = to_index(work.used[entry]), work.forward[entry]
            for j in range(least, min(mines - used, most) + 1):
                work.after[here + j] += ways * work.after[there + j + used]
                work.after_can[here + j] |= work.after_can[there + j + used]
        greatest = 0.0
        for j in range(least, min(mines, most) + 1):
            greatest = max(greatest, work.after[here + j])
        if greatest > 0.0:
            log_scale += math.log(greatest)
            for j in range(least, min(mines, most) + 1):
                work.after[here + j] /= greatest
    return log_scale


@kernel
def weigh_ends(work: Workspace, components: int, mines: int) -> None:
    """Give every whole solution of every component the weight of all that the others and the rest can be."""
    width = mines + 1
    for j in range(width):
        work.before[j] = 0.0
        work.before_can[j] = 0
    work.before[0] = 1.0
    work.before_can[0] = 1
    reached = 0
    for component in range(components):
        there = (component + 1) * width
        last = work.component_layer[component + 1] - 1
        for j in range(width):
            work.before_next[j] = 0.0
            work.before_can_next[j] = 0
        most = 0
        for entry in range(work.layer[last], work.layer[last + 1]):
            used, ways = to_index(work.used[entry]), work.forward[entry]
            most = max(most, used)
            weight, can = 0.0, 0
            for j in range(min(reached, mines - used) + 1):
                if work.before_can[j]:
                    weight += work.before[j] * work.after[there + j + used]
                    can |= work.after_can[there + j + used]
                    work.before_next[j + used] += work.before[j] * ways
                    work.before_can_next[j + used] = 1
            work.backward[entry] = weight
            work.alive[entry] = can
        reached = min(mines, reached + most)
        greatest = 0.0
        for j in range(width):
            greatest = max(greatest, work.before_next[j])
        for j in range(width):
            # Only how the weights compare matters, and a greatest weight of 1 avoids overflow.
            work.before[j] = work.before_next[j] / greatest if greatest > 0.0 else 0.0
            work.before_can[j] = work.before_can_next[j]


@kernel
def log_solutions(work: Workspace, log_scale: float) -> float:
    """The logarithm of the number of all solutions, IMPOSSIBLE if there is none."""
    if not work.after_can[0]:
        return IMPOSSIBLE
    # A single solution must not round to less than one.
    return max(0.0, math.log(work.after[0]) + log_scale + to_index(work.shrunk[0]) * math.log(BIG))


@kernel
def fits(components: int, mines: int) -> bool:
    """Whether the sums fit the workspace."""
    return (components + 1) * (mines + 1) <= MOST_SUMS
