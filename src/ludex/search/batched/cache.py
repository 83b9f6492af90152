"""Evaluations that are remembered by what the network saw, so that no answer ever changes."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core import seeding
from ludex.kernels.jit import bare_kernel, to_index, to_word

WAYS: Final = 4
"""Slots in which an observation may be kept; the one that was filled first is replaced."""


class EvaluationCache:
    """The answers of a network to observations."""

    def __init__(self, size: int, cells: int, action_size: int) -> None:
        slots = WAYS << max(0, -(-size // WAYS) - 1).bit_length()
        self._filled = np.zeros(slots // WAYS, np.int64)
        self._observations = np.zeros((slots, cells), np.float32)
        self._masks = np.zeros((slots, action_size), np.uint8)
        self._logits = np.zeros((slots, action_size), np.float32)
        self._answers = np.zeros(slots, np.float32)

    def clear(self) -> None:
        """Forget everything: the network has changed."""
        self._filled[:] = 0

    def look_up(
        self,
        rows: NDArray[np.int64],
        observations: NDArray[np.float32],
        masks: NDArray[np.uint8],
        logits: NDArray[np.float32],
        answers: NDArray[np.float32],
    ) -> NDArray[np.int64]:
        """Write the answers that are known into their rows, and return the rows of the others."""
        missing = np.empty_like(rows)
        tables = (self._filled, self._observations, self._masks, self._logits, self._answers)
        count = _look_up(rows, observations, masks, logits, answers, *tables, missing)
        return missing[:count]

    def remember(
        self,
        rows: NDArray[np.int64],
        observations: NDArray[np.float32],
        masks: NDArray[np.uint8],
        logits: NDArray[np.float32],
        answers: NDArray[np.float32],
    ) -> None:
        """Keep the answers in some rows."""
        tables = (self._filled, self._observations, self._masks, self._logits, self._answers)
        _remember(rows, observations, masks, logits, answers, *tables)


@bare_kernel
def _set_of(observation: NDArray[np.float32], sets: int) -> int:
    words, mixed = observation.view(np.uint32), to_word(0)
    for index in range(len(words)):
        mixed = seeding.advance(mixed ^ to_word(words[index])) * to_word(0xFF51_AFD7_ED55_8CCD)
        mixed ^= mixed >> to_word(32)
    return to_index(seeding.mix(mixed) & to_word(sets - 1))


@bare_kernel
def _probe(
    observation: NDArray[np.float32],
    mask: NDArray[np.uint8],
    filled: NDArray[np.int64],
    known_observations: NDArray[np.float32],
    known_masks: NDArray[np.uint8],
) -> int:
    """The slot of an observation; if it is not known, `~slot` of the one to fill with it, which is negative."""
    first = _set_of(observation, len(filled))
    for slot in range(WAYS * first, WAYS * first + min(WAYS, filled[first])):
        same = True
        for cell in range(len(observation)):
            if observation[cell] != known_observations[slot, cell]:
                same = False
                break
        for action in range(len(mask)):
            same &= mask[action] == known_masks[slot, action]
        if same:
            return slot
    return ~(WAYS * first + to_index(filled[first]) % WAYS)


@bare_kernel
def _look_up(
    rows: NDArray[np.int64],
    observations: NDArray[np.float32],
    masks: NDArray[np.uint8],
    logits: NDArray[np.float32],
    answers: NDArray[np.float32],
    filled: NDArray[np.int64],
    known_observations: NDArray[np.float32],
    known_masks: NDArray[np.uint8],
    known_logits: NDArray[np.float32],
    known_answers: NDArray[np.float32],
    missing: NDArray[np.int64],
) -> int:
    count = 0
    for row in rows:
        slot = _probe(observations[row], masks[row], filled, known_observations, known_masks)
        if slot < 0:
            missing[count] = row
            count += 1
        else:
            answers[row] = known_answers[slot]
            for action in range(masks.shape[1]):
                logits[row, action] = known_logits[slot, action]
    return count


@bare_kernel
def _remember(
    rows: NDArray[np.int64],
    observations: NDArray[np.float32],
    masks: NDArray[np.uint8],
    logits: NDArray[np.float32],
    answers: NDArray[np.float32],
    filled: NDArray[np.int64],
    known_observations: NDArray[np.float32],
    known_masks: NDArray[np.uint8],
    known_logits: NDArray[np.float32],
    known_answers: NDArray[np.float32],
) -> None:
    for row in rows:
        slot = ~_probe(observations[row], masks[row], filled, known_observations, known_masks)
        # Several games may wait for the same position, which is known after the first of them.
        if slot >= 0:
            filled[slot // WAYS] += 1
            known_answers[slot] = answers[row]
            for cell in range(observations.shape[1]):
                known_observations[slot, cell] = observations[row, cell]
            for action in range(masks.shape[1]):
                known_masks[slot, action] = masks[row, action]
                known_logits[slot, action] = logits[row, action]
