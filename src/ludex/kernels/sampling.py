"""Uniform random play in many lanes at once."""

import numpy as np
from numpy.typing import NDArray

from ludex.core.game import Mask
from ludex.core.seeding import generator
from ludex.kernels.jit import draw_below, kernel

TRIES = 8
"""How often an action is drawn among all, legal or not, before the legal ones are counted."""


@kernel
def _sample(mask: Mask, states: NDArray[np.uint64], actions: NDArray[np.int64]) -> None:
    # Any legal action that is drawn is as likely as any other, so both ways to draw may be mixed.
    for lane in range(len(actions)):
        drawn = False
        for _ in range(TRIES):
            action = draw_below(states, lane, mask.shape[1])
            if mask[lane, action]:
                actions[lane] = action
                drawn = True
                break
        if not drawn:
            _sample_counted(mask, states, actions, lane)


@kernel
def _sample_counted(mask: Mask, states: NDArray[np.uint64], actions: NDArray[np.int64], lane: int) -> None:
    legal = 0
    for action in range(mask.shape[1]):
        legal += mask[lane, action]
    remaining = draw_below(states, lane, legal)
    for action in range(mask.shape[1]):
        if mask[lane, action]:
            if remaining == 0:
                actions[lane] = action
                break
            remaining -= 1


class RandomActions:
    """Draws a legal action a lane, each equally likely."""

    def __init__(self, num_lanes: int, seed: int, stream: int) -> None:
        words = [generator(seed, 0, stream, lane=lane).state for lane in range(num_lanes)]
        self._states = np.array(words, np.uint64)
        self._actions = np.zeros(num_lanes, np.int64)

    def draw(self, mask: Mask) -> NDArray[np.int64]:
        """int64[N] for `mask: bool[N, num_actions]`, in an array that the next draw reuses."""
        _sample(mask, self._states, self._actions)
        return self._actions
