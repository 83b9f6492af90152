"""Dice, and what they must show."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.kernels.jit import draw_below, kernel

IMPOSSIBLE: Final = 7


@kernel
def roll(states: NDArray[np.uint64], lane: int) -> int:
    """One die of six sides."""
    return draw_below(states, lane, 6) + 1


@kernel
def passes(die: int, needed: int) -> bool:
    """Whether a die hits or wounds: a 1 always fails and a 6 always succeeds."""
    return die == 6 or (die > 1 and die >= needed)


@kernel
def to_wound(strength: int, toughness: int) -> int:
    """What a wound needs."""
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


@kernel
def to_save(save: int, invulnerable: int, ap: int) -> int:
    """What a save needs: the worsened or the invulnerable one, whichever is better; IMPOSSIBLE beyond a 6."""
    return min(save + ap, invulnerable, IMPOSSIBLE)
