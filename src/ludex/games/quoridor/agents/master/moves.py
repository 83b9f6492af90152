"""How the engine writes a move: a square, or a slot's square with the wall's direction added.

Unlike an action's index it needs no division to be taken apart.
"""

from ludex.games.quoridor.rules.board import Row, wall_action, wall_of
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
    if action < size * size:
        return action
    slot, vertical = wall_of(action, size)
    return (VERTICAL if vertical else HORIZONTAL) + slot


def action_of(code: int, size: int) -> int:
    """The action's index of an engine's move.

    >>> action_of(266, 9)
    154
    """
    return code if code < HORIZONTAL else wall_action(code & 127, code >= VERTICAL, size)


@kernel
def slot_of(code: int) -> int:
    """The square that names a wall's slot."""
    return code & 127


@kernel
def make(state: Row, code: int, size: int, after: Row) -> None:
    """Write the position after a legal move into `after`."""
    copy_into(after, state)
    turn = to_index(state[TURN])
    if code < HORIZONTAL:
        after[PAWN + turn] = to_word(code)
    else:
        put_wall(after, slot_of(code), code >= VERTICAL, size)
        after[LEFT + turn] -= to_word(1)
    after[TURN] = to_word(1 - turn)
