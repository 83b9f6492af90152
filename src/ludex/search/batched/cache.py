"""Evaluations that are remembered by what the network saw, so that no answer ever changes."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.core import seeding
from ludex.kernels.jit import bare_kernel, to_index, to_word
from ludex.search.batched.layout import Exchange, Vector

WAYS: Final = 4
"""Slots in which an observation may be kept; the one that was filled first is replaced."""


class Table(NamedTuple):
    """Slots of observations and of what the network answered."""

    filled: Vector
    """[sets], how often a slot of each set was filled."""
    entries: Exchange


class EvaluationCache:
    """The answers of a network to observations."""

    def __init__(self, size: int, cells: int, action_size: int) -> None:
        slots = WAYS << max(0, -(-size // WAYS) - 1).bit_length()
        entries = Exchange(
            observations=np.zeros((slots, cells), np.float32),
            masks=np.zeros((slots, action_size), np.uint8),
            logits=np.zeros((slots, action_size), np.float32),
            answers=np.zeros(slots, np.float32),
        )
        self._table = Table(np.zeros(slots // WAYS, np.int64), entries)

    def clear(self) -> None:
        """Forget everything: the network has changed."""
        self._table.filled[:] = 0

    def look_up(self, rows: Vector, network: Exchange) -> Vector:
        """Write the answers that are known into their rows, and return the rows of the others."""
        missing = np.empty_like(rows)
        count = _look_up(rows, network, self._table, missing)
        return missing[:count]

    def remember(self, rows: Vector, network: Exchange) -> None:
        """Keep the answers in some rows."""
        _remember(rows, network, self._table)


@bare_kernel
def _set_of(observation: NDArray[np.float32], sets: int) -> int:
    words, mixed = observation.view(np.uint32), to_word(0)
    for index in range(len(words)):
        mixed = seeding.advance(mixed ^ to_word(words[index])) * to_word(0xFF51_AFD7_ED55_8CCD)
        mixed ^= mixed >> to_word(32)
    return to_index(seeding.mix(mixed) & to_word(sets - 1))


@bare_kernel
def _probe(row: int, network: Exchange, table: Table) -> int:
    """The slot of an observation; if it is not known, `~slot` of the one to fill with it, which is negative."""
    filled, entries = table.filled, table.entries
    observation, mask = network.observations[row], network.masks[row]
    first = _set_of(observation, len(filled))
    for slot in range(WAYS * first, WAYS * first + min(WAYS, filled[first])):
        same = True
        for cell in range(len(observation)):
            if observation[cell] != entries.observations[slot, cell]:
                same = False
                break
        for action in range(len(mask)):
            same &= mask[action] == entries.masks[slot, action]
        if same:
            return slot
    return ~(WAYS * first + to_index(filled[first]) % WAYS)


@bare_kernel
def _look_up(rows: Vector, network: Exchange, table: Table, missing: Vector) -> int:
    count = 0
    for row in rows:
        slot = _probe(row, network, table)
        if slot < 0:
            missing[count] = row
            count += 1
        else:
            network.answers[row] = table.entries.answers[slot]
            for action in range(network.masks.shape[1]):
                network.logits[row, action] = table.entries.logits[slot, action]
    return count


@bare_kernel
def _remember(rows: Vector, network: Exchange, table: Table) -> None:
    entries = table.entries
    for row in rows:
        slot = ~_probe(row, network, table)
        # Several games may wait for the same position, which is known after the first of them.
        if slot >= 0:
            table.filled[slot // WAYS] += 1
            entries.answers[slot] = network.answers[row]
            for cell in range(network.observations.shape[1]):
                entries.observations[slot, cell] = network.observations[row, cell]
            for action in range(network.masks.shape[1]):
                entries.masks[slot, action] = network.masks[row, action]
                entries.logits[slot, action] = network.logits[row, action]
