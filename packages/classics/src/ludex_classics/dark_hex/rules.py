"""The rules of Dark Hex: a stone of the other player is seen once one tries its cell, and then one tries again."""

from typing import Final

from ludex.kit.bits128 import add, either, has, read, write
from ludex.kit.rules import TURN, Mask, Vector, kernel
from ludex_classics.hex.rules import STONES, feature, outcome, stones_of

__all__ = ["SEEN", "VIEWER", "apply", "feature", "legal", "outcome"]

SEEN: Final = STONES + 4
"""Behind the stones: two words per player of the other's stones that this player has seen."""
VIEWER: Final = SEEN + 4
"""0, or in a view the player from 1 who sees it."""


@kernel
def legal(board: Vector, state: Vector, mask: Mask) -> None:
    """Every cell without a stone of the player's own or one that the player has seen."""
    turn = state[TURN]
    known = either(stones_of(state, turn), read(state, SEEN + 2 * turn))
    for cell in range(len(mask)):
        mask[cell] = not has(*known, cell)


@kernel
def apply(board: Vector, state: Vector, action: int) -> None:
    """Put a stone; or see the one that lies there, and stay on turn."""
    turn = state[TURN]
    start = STONES + 2 * turn
    if has(*stones_of(state, 1 - turn), action):
        start = SEEN + 2 * turn
    else:
        state[TURN] = 1 - turn
    write(state, start, add(*read(state, start), action))
