"""Counting the solutions of each component, layer by layer, how often each cell is a mine, and all components together.

What the mines left for the rest of the board make of each solution's weight: `after[c, j]` is the weight of components
c, c + 1, ... and of the cells that no number touches, when j mines were used before. The rest alone has the weight
C(elsewhere, mines - j), scaled so that the greatest is 1.
"""

import math
from math import comb
from typing import Final

import numpy as np

from ludex.games.minesweeper.rules.inference.frontier import NONE
from ludex.games.minesweeper.rules.inference.workspace import MOST_ENTRIES, MOST_STEPS, MOST_SUMS, TABLE, Workspace
from ludex.kernels.jit import kernel, to_index, to_word, trailing_zeros

CHOOSE = np.array([[comb(n, k) for k in range(9)] for n in range(9)], np.float64)
"""[9, 9]: ways to choose k of n."""
TOO_MANY: Final = -1
"""The position has more partial solutions than the workspace can hold."""
BIG: Final = 2.0**400
"""Two of them can still be multiplied, and thousands of such products added."""
_ALL_SLOTS: Final = 0xFFFF_FFFF
_IN_A_WORD: Final = 16
_LEAST_TABLE: Final = 64


@kernel
def fill_layers(work: Workspace, components: int, mines: int) -> int:
    """Fill the layers of every component, with at most so many mines; returns the number of layers, or TOO_MANY.

    A component without any solution has an empty last layer.
    """
    layers, entries, steps, begin = 0, 0, 0, 0
    work.shrunk[0] = 0
    for component in range(components):
        work.component_layer[component] = layers
        work.layer[layers] = entries
        if entries >= MOST_ENTRIES:
            return TOO_MANY
        work.key_low[entries] = to_word(0)
        work.key_high[entries] = to_word(0)
        work.used[entries] = 0
        work.forward[entries] = 1.0
        entries += 1
        free = to_word(_ALL_SLOTS)
        for place in range(begin, work.component_end[component]):
            box = to_index(work.order[place])
            free, fits = _open_slots(work, box, free)
            if not fits:
                return TOO_MANY
            layers += 1
            work.layer[layers] = entries
            entries, steps = _fill_layer(work, box, layers, steps, mines)
            if entries == TOO_MANY:
                return TOO_MANY
            free = _close_slots(work, box, free)
        for entry in range(work.layer[layers], entries):
            work.first_step[entry] = steps
        layers += 1
        begin = work.component_end[component]
    work.component_layer[components] = layers
    work.layer[layers] = entries
    return layers


@kernel
def _open_slots(work: Workspace, box: int, free: int) -> tuple[int, bool]:
    """Give every new witness of a box a slot, and subtract the box's cells from its witnesses' capacity."""
    for i in range(work.box_width[box]):
        witness = work.box_witnesses[box, i]
        work.capacity[witness] -= work.box_size[box]
        if work.slot[witness] == NONE:
            if free == to_word(0):
                return free, False
            work.slot[witness] = trailing_zeros(free)
            free &= free - to_word(1)
            # The need is in the keys from here on; the sign marks for `_differences` that it is not there yet.
            work.need[witness] = ~work.need[witness]
    return free, True


@kernel
def _close_slots(work: Workspace, box: int, free: int) -> int:
    """Free the slots of witnesses without capacity left: all their mines are placed, and their bits are 0."""
    for i in range(work.box_width[box]):
        witness = work.box_witnesses[box, i]
        if work.capacity[witness] == 0:
            free |= to_word(1) << to_word(work.slot[witness])
    return free


@kernel
def _fill_layer(work: Workspace, box: int, layer: int, steps: int, mines: int) -> tuple[int, int]:
    """Make a layer by placing 0, 1, ... mines in a box; returns where entries and steps end, or TOO_MANY for both."""
    size = to_index(work.box_size[box])
    take_low, take_high, add_low, add_high = _differences(work, box)
    begin, end = to_index(work.layer[layer - 1]), to_index(work.layer[layer])
    places = _LEAST_TABLE
    while places < 2 * (end - begin) * (size + 1) and places < TABLE:
        places *= 2
    work.table[:places] = NONE
    entries = end
    greatest = 0.0
    for entry in range(begin, end):
        low, high = work.key_low[entry] + add_low, work.key_high[entry] + add_high
        used = to_index(work.used[entry])
        least, most = _bounds(work, box, low, high)
        work.first_step[entry] = steps
        work.least[entry] = least
        if steps + size + 1 >= MOST_STEPS or entries + size + 1 >= MOST_ENTRIES or 2 * (entries - end) >= TABLE:
            return TOO_MANY, TOO_MANY
        for placed in range(least, min(most, mines - used) + 1):
            next_low, next_high = low - to_word(placed) * take_low, high - to_word(placed) * take_high
            target = _entry(work, next_low, next_high, used + placed, entries, places - 1)
            if target == entries:
                entries += 1
            work.forward[target] += work.forward[entry] * CHOOSE[size, placed]
            greatest = max(greatest, work.forward[target])
            work.step_to[steps] = target
            steps += 1
    if greatest > BIG:
        work.shrunk[0] += 1
        for entry in range(end, entries):
            work.forward[entry] /= BIG
    return entries, steps


@kernel
def _differences(work: Workspace, box: int) -> tuple[int, int, int, int]:
    """What one mine in a box subtracts from a key, and what its new witnesses add to it; both words of each."""
    take_low, take_high, add_low, add_high = to_word(0), to_word(0), to_word(0), to_word(0)
    for i in range(work.box_width[box]):
        witness = work.box_witnesses[box, i]
        slot = to_index(work.slot[witness])
        unit = to_word(1) << to_word(4 * (slot & (_IN_A_WORD - 1)))
        added = to_word(0)
        if work.need[witness] < 0:
            work.need[witness] = ~work.need[witness]
            added = unit * to_word(work.need[witness])
        if slot < _IN_A_WORD:
            take_low |= unit
            add_low += added
        else:
            take_high |= unit
            add_high += added
    return take_low, take_high, add_low, add_high


@kernel
def _bounds(work: Workspace, box: int, low: int, high: int) -> tuple[int, int]:
    """The fewest mines a box must hold, since other boxes cannot hold the rest, and the most it can."""
    least, most = 0, to_index(work.box_size[box])
    for i in range(work.box_width[box]):
        witness = work.box_witnesses[box, i]
        slot = to_index(work.slot[witness])
        word = low if slot < _IN_A_WORD else high
        needs = to_index((word >> to_word(4 * (slot & (_IN_A_WORD - 1)))) & to_word(15))
        most = min(most, needs)
        least = max(least, needs - to_index(work.capacity[witness]))
    return least, most


@kernel
def _entry(work: Workspace, low: int, high: int, used: int, entries: int, mask: int) -> int:
    """The entry of the current layer with this key and mine count, appended if there is none."""
    at = to_index(_hash(low, high, used)) & mask
    while work.table[at] != NONE:
        entry = to_index(work.table[at])
        if work.key_low[entry] == low and work.key_high[entry] == high and work.used[entry] == used:
            return entry
        at = (at + 1) & mask
    work.table[at] = entries
    work.key_low[entries] = low
    work.key_high[entries] = high
    work.used[entries] = used
    work.forward[entries] = 0.0
    return entries


@kernel
def _hash(low: int, high: int, used: int) -> int:
    word = (low ^ (high * to_word(0x9E37_79B9_7F4A_7C15))) + to_word(used) * to_word(0xC2B2_AE3D_27D4_EB4F)
    return (word * to_word(0xD6E8_FEB8_6659_FD93)) >> to_word(40)


@kernel
def weigh_boxes(work: Workspace, components: int) -> None:
    """Fill the weights of each box with and without a mine in a cell, and whether each is possible.

    The flags are exact: they follow from which steps are part of a whole solution, not from the size of a weight.
    """
    begin = 0
    for component in range(components):
        first = work.component_layer[component]
        for place in range(work.component_end[component] - 1, begin - 1, -1):
            box = to_index(work.order[place])
            size = to_index(work.box_size[box])
            mined, safe, can_mine, can_safe = 0.0, 0.0, False, False
            layer = first + place - begin
            greatest = 0.0
            for entry in range(work.layer[layer], work.layer[layer + 1]):
                total, alive = 0.0, False
                placed = to_index(work.least[entry])
                for step in range(work.first_step[entry], work.first_step[entry + 1]):
                    target = work.step_to[step]
                    if work.alive[target]:
                        alive = True
                        weight = CHOOSE[size, placed] * work.backward[target]
                        total += weight
                        mined += work.forward[entry] * weight * placed
                        safe += work.forward[entry] * weight * (size - placed)
                        can_mine |= placed > 0
                        can_safe |= placed < size
                    placed += 1
                work.backward[entry] = total
                work.alive[entry] = 1 if alive else 0
                greatest = max(greatest, total)
            if greatest > BIG:
                # Only how a layer's weights compare matters.
                for entry in range(work.layer[layer], work.layer[layer + 1]):
                    work.backward[entry] /= BIG
            work.mine_weight[box] = mined
            work.safe_weight[box] = safe
            work.can_be_mine[box] = 1 if can_mine else 0
            work.can_be_safe[box] = 1 if can_safe else 0
        begin = work.component_end[component]


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
