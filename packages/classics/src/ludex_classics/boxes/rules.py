"""The rules of Dots and Boxes: edges, extra turns and a score."""

import math
from typing import Final

from ludex.kit.rules import RUNNING, TURN, Mask, Vector, kernel

SITE: Final = 1
"""Behind the turn: per cell and edge 0, or 1 or -1 for the player who closed or drew it."""
CELLS, BORDERS = 0, 1
"""The board: how many cells, and the four edges of each."""
BOX: Final = 0.4
"""What a box is worth in an estimate."""


@kernel
def legal(board: Vector, state: Vector, mask: Mask) -> None:
    """The edges that are not drawn."""
    for edge in range(len(mask)):
        mask[edge] = state[SITE + board[CELLS] + edge] == 0


@kernel
def edges_of(board: Vector, state: Vector, cell: int) -> int:
    """How many edges of a cell are drawn."""
    drawn = 0
    for side in range(4):
        drawn += state[SITE + board[BORDERS + 4 * cell + side]] != 0
    return drawn


@kernel
def apply(board: Vector, state: Vector, action: int) -> None:
    """Draw an edge; a player who closes a box moves again."""
    mover, closed = 1 - 2 * state[TURN], False
    state[SITE + board[CELLS] + action] = mover
    for cell in range(board[CELLS]):
        if state[SITE + cell] == 0 and edges_of(board, state, cell) == 4:
            state[SITE + cell] = mover
            closed = True
    if not closed:
        state[TURN] = 1 - state[TURN]


@kernel
def outcome(board: Vector, state: Vector) -> float:
    """Once all boxes are closed, who has more of them wins."""
    lead = 0
    for cell in range(board[CELLS]):
        if state[SITE + cell] == 0:
            return RUNNING
        lead += state[SITE + cell]
    return float(min(1, max(-1, lead)))


@kernel
def feature(board: Vector, state: Vector, plane: int, site: int) -> float:
    """Where sites are; and where edges are drawn, whose players do not matter."""
    return 1.0 if plane == 0 or state[SITE + site] != 0 else 0.0


@kernel
def estimate(board: Vector, state: Vector) -> float:
    """The lead in boxes, with those that the player to move can close at once."""
    lead, mover = 0, 1 - 2 * state[TURN]
    for cell in range(board[CELLS]):
        owner = state[SITE + cell]
        lead += mover if owner == 0 and edges_of(board, state, cell) == 3 else owner
    return math.tanh(BOX * lead)
