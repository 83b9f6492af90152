"""The worth of a live position for the player to move, from distances, stocks and the move itself."""

from ludex.core.jit import kernel

STEP = 100
"""One step of distance is worth so much."""
TEMPO = 50


@kernel
def evaluate(mine: int, theirs: int, my_walls: int, their_walls: int) -> int:
    """Distances to the goals and walls left, mover first."""
    score = STEP * (theirs - mine) + TEMPO
    score += WALL * (my_walls - their_walls)
    if their_walls == 0 and mine <= theirs:
        score += 150 + 20 * my_walls
    if my_walls == 0 and theirs < mine:
        score -= 150 + 20 * their_walls
    return score


WALL = 45
