"""The hand-made evaluation, for boards that the shipped network does not know."""

from ludex.kernels.jit import kernel

STEP = 100
"""The value of one step of distance."""
TEMPO = 50
WALL = 45
AHEAD, AHEAD_PER_WALL = 150, 20
"""For a player ahead of an opponent without walls: nothing can be put in its way, and every wall of its own helps."""


@kernel
def evaluate(mine: int, theirs: int, my_walls: int, their_walls: int) -> int:
    """The worth of a live position to its mover: distances to the goals and walls left, the mover's first."""
    score = STEP * (theirs - mine) + TEMPO + WALL * (my_walls - their_walls)
    if their_walls == 0 and mine <= theirs:
        score += AHEAD + AHEAD_PER_WALL * my_walls
    if my_walls == 0 and theirs < mine:
        score -= AHEAD + AHEAD_PER_WALL * their_walls
    return score
