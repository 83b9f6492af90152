"""Why a move is illegal, for people."""

import numpy as np
from numpy.typing import NDArray

from ludex.core.messages import Message
from ludex.games.quoridor.rules.movegen import MOST_PAWN_MOVES, pawn_moves
from ludex.games.quoridor.rules.notation import action_name, square_name
from ludex.games.quoridor.rules.position import Position


def refusal(row: NDArray[np.uint64], position: Position, action: int, size: int) -> Message:
    """One sentence for a move that `is_legal` refused."""
    name = action_name(action, size)
    if action < size * size:
        moves = np.empty(MOST_PAWN_MOVES, np.int64)
        count = pawn_moves(row, size, moves)
        reach = ", ".join(square_name(int(square), size) for square in sorted(moves[:count]))
        pawn = square_name(position.pawns[position.turn], size)
        return Message("quoridor.refused_reach", {"pawn": pawn, "move": name, "squares": reach})
    if position.left[position.turn] == 0:
        return Message("quoridor.refused_none_left", {"move": name})
    blocking = _in_the_way(position, action, size)
    if blocking is None:
        return Message("quoridor.refused_cut_off", {"move": name})
    verb, wall = blocking
    return Message(f"quoridor.refused_{verb}", {"move": name, "wall": wall})


def _in_the_way(position: Position, action: int, size: int) -> tuple[str, str] | None:
    """What a wall does to another one, and to which."""
    kind, slot = divmod(action - size * size, (size - 1) ** 2)
    row, col = divmod(slot, size - 1)
    step = (0, 1) if kind == 0 else (1, 0)
    near = [(row, col, 1 - kind, "crosses"), (row, col, kind, "overlaps")]
    near += [(row + sign * step[0], col + sign * step[1], kind, "overlaps") for sign in (-1, 1)]
    for other_row, other_col, other_kind, verb in near:
        inside = 0 <= other_row < size - 1 and 0 <= other_col < size - 1
        if inside and position.walls[other_kind] >> other_row * size + other_col & 1:
            index = size * size + other_kind * (size - 1) ** 2 + other_row * (size - 1) + other_col
            return verb, action_name(index, size)
    return None
