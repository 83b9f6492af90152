"""How the engine writes a move: a square, or a slot's square with the wall's direction added.

Unlike an action's index it needs no division to be taken apart.
"""

import numpy as np
from numpy.typing import NDArray

from ludex.games.quoridor.rules.movegen import put_wall
from ludex.games.quoridor.rules.position import LEFT, PAWN, TURN
from ludex.kernels.jit import copy_into, kernel, to_index, to_word

HORIZONTAL, VERTICAL = 128, 256
MOVE_CODES = 384
NO_MOVE = -1


def code_of(action: int, size: int) -> int:
    """The engine's move of an action's index.

    >>> code_of(4, 9), code_of(81, 9), code_of(81 + 64 + 9, 9)
    (4, 128, 266)
    """
    squares, side = size * size, size - 1
    if action < squares:
        return action
    kind, slot = divmod(action - squares, side * side)
    return (HORIZONTAL, VERTICAL)[kind] + slot // side * size + slot % side


def action_of(code: int, size: int) -> int:
    """The action's index of an engine's move.

    >>> action_of(266, 9)
    154
    """
    squares, side = size * size, size - 1
    if code < HORIZONTAL:
        return code
    vertical = code >= VERTICAL
    row, col = divmod(code - (VERTICAL if vertical else HORIZONTAL), size)
    return squares + vertical * side * side + row * side + col


@kernel
def slot_of(code: int) -> int:
    """The square that names a wall's slot."""
    return code & 127


@kernel
def make(state: NDArray[np.uint64], code: int, size: int, after: NDArray[np.uint64]) -> None:
    """Write the position after a legal move into `after`."""
    copy_into(after, state)
    turn = to_index(state[TURN])
    if code < HORIZONTAL:
        after[PAWN + turn] = to_word(code)
    else:
        put_wall(after, slot_of(code), code >= VERTICAL, size)
        after[LEFT + turn] -= to_word(1)
    after[TURN] = to_word(1 - turn)
