"""Moves as texts: `e2` is a pawn's destination, `e3h` the wall above e3 and f3, `e3v` the wall right of e3 and e4.

White starts on e1 and moves first, black on e9.
"""

import re
from string import ascii_lowercase

from ludex.core.errors import MalformedAction
from ludex.games.quoridor.rules.board import wall_action, wall_of

_MOVE = re.compile(r"([a-k])([1-9][0-9]?)([hv]?)")


def square_name(square: int, size: int) -> str:
    """A square's name.

    >>> square_name(4, 9)
    'e1'
    """
    return f"{ascii_lowercase[square % size]}{square // size + 1}"


def action_name(action: int, size: int) -> str:
    """An action's name.

    >>> action_name(81, 9), action_name(208, 9)
    ('a1h', 'h8v')
    """
    if action < size * size:
        return square_name(action, size)
    slot, vertical = wall_of(action, size)
    return f"{square_name(slot, size)}{'hv'[vertical]}"


def action_of(text: str, size: int) -> int:
    """The action a name means. Raises `MalformedAction`."""
    match = _MOVE.fullmatch(text)
    if match is None:
        raise MalformedAction(f"{text!r} is no move: expected a square such as e2 or a wall such as e3h or e3v")
    col, row, kind = ascii_lowercase.index(match[1]), int(match[2]) - 1, match[3]
    side = size - 1 if kind else size
    if col >= side or row >= side:
        last = f"{ascii_lowercase[side - 1]}{side}"
        raise MalformedAction(f"{text!r} is not on the board: {'walls' if kind else 'squares'} go from a1 to {last}")
    square = row * size + col
    return wall_action(square, kind == "v", size) if kind else square
