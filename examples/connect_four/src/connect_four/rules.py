"""The rules of Connect Four on two bit boards, one per player."""

from typing import Final

from ludex.kit.bits64 import bit_count, has, has_line, single, to_word
from ludex.kit.rules import RUNNING, TURN, Mask, Vector, kernel

STONES: Final = 1
"""Behind the turn: the stones of either player."""
COLS, ROWS, SHIFTS = range(3)
"""The board: its size, and `Grid.shifts`."""


@kernel
def landing(board: Vector, state: Vector, col: int) -> int:
    """The lowest free cell of a column; -1 if it is full."""
    for cell in range(col, board[COLS] * board[ROWS], board[COLS]):
        if not has(state[STONES] | state[STONES + 1], cell):
            return cell
    return -1


@kernel
def has_four(board: Vector, stones: int) -> bool:
    """Whether four stones follow each other in one of the four directions of lines."""
    for direction in range(SHIFTS, SHIFTS + 8, 2):
        if has_line(stones, board[direction], board[direction + 1], 4):
            return True
    return False


@kernel
def legal(board: Vector, state: Vector, mask: Mask) -> None:
    """The columns that are not full."""
    for col in range(board[COLS]):
        mask[col] = landing(board, state, col) >= 0


@kernel
def apply(board: Vector, state: Vector, action: int) -> None:
    """Drop a stone; then it is the other player's turn."""
    turn = state[TURN]
    state[STONES + turn] |= single(landing(board, state, action))
    state[TURN] = 1 - turn


@kernel
def outcome(board: Vector, state: Vector) -> float:
    """Four in a row win for the player who has just moved; a full board is a draw."""
    if has_four(board, state[STONES + 1 - state[TURN]]):
        return 1.0 if state[TURN] == 1 else -1.0
    stones = bit_count(to_word(state[STONES] | state[STONES + 1]))
    return 0.0 if stones == board[COLS] * board[ROWS] else RUNNING
