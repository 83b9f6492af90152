"""What dice must show in an attack. Kernels roll by these functions, and odds are computed from them."""

from typing import Final

from ludex.core.compilable import compilable

SIDES: Final = 6
NO_SAVE: Final = 7
"""A save that no die makes."""


@compilable
def passes(die: int, needed: int) -> bool:
    """Whether a die hits or wounds: a 1 always fails and a 6 always succeeds."""
    return die == SIDES or (die > 1 and die >= needed)


@compilable
def to_wound(strength: int, toughness: int) -> int:
    """What a wound needs."""
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


@compilable
def to_save(save: int, invulnerable: int, ap: int) -> int:
    """What a save needs: the worsened or the invulnerable one, whichever is better; NO_SAVE beyond a 6."""
    return min(save + ap, invulnerable, NO_SAVE)
