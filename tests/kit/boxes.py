"""The rules of Dots and Boxes, for the tests of the kit: edges, extra turns and a score."""

from ludex.kit.rules import RUNNING, TURN, Mask, Vector, kernel

SITE = 1
"""Behind the turn: per cell and edge 0, or 1 or -1 for the player who closed or drew it."""
CELLS, BORDERS = 0, 1
"""The board: how many cells, and the four edges of each."""


@kernel
def legal(board: Vector, state: Vector, mask: Mask) -> None:
    """The edges that are not drawn."""
    for edge in range(len(mask)):
        mask[edge] = state[SITE + board[CELLS] + edge] == 0


@kernel
def apply(board: Vector, state: Vector, action: int) -> None:
    """Draw an edge; whoever closes a box has another turn."""
    mover, closed = 1 - 2 * state[TURN], False
    state[SITE + board[CELLS] + action] = mover
    for cell in range(board[CELLS]):
        drawn = 0
        for side in range(4):
            drawn += state[SITE + board[BORDERS + 4 * cell + side]] != 0
        if drawn == 4 and state[SITE + cell] == 0:
            state[SITE + cell] = mover
            closed = True
    if not closed:
        state[TURN] = 1 - state[TURN]


@kernel
def outcome(board: Vector, state: Vector) -> float:
    """Once all boxes are closed, the share by which one player has more of them."""
    lead = 0
    for cell in range(board[CELLS]):
        if state[SITE + cell] == 0:
            return RUNNING
        lead += state[SITE + cell]
    return float(lead / board[CELLS])


@kernel
def piece(board: Vector, state: Vector, site: int) -> int:
    """Who closed a box or drew an edge."""
    return int(state[SITE + site])


@kernel
def feature(board: Vector, state: Vector, plane: int, site: int) -> float:
    """One plane that says where sites are."""
    return 1.0


@kernel
def estimate(board: Vector, state: Vector) -> float:
    """The lead in boxes."""
    lead = 0
    for cell in range(board[CELLS]):
        lead += state[SITE + cell]
    return float(lead / board[CELLS])
