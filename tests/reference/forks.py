"""Who can force k in a row, by sets of cells: every answer to a threat but the one that meets it is left out."""

from functools import cache
from itertools import product

from tests.reference.tictactoe import DIRECTIONS

Line = frozenset[int]


@cache
def lines(rows: int, cols: int, k: int) -> tuple[Line, ...]:
    """Every k cells in a row."""
    forks = []
    for row, col, (down, right) in product(range(rows), range(cols), DIRECTIONS):
        cells = [(row + step * down, col + step * right) for step in range(k)]
        if all(0 <= at < rows and 0 <= across < cols for at, across in cells):
            forks.append(frozenset(at * cols + across for at, across in cells))
    return tuple(forks)


def winning_moves(mine: Line, theirs: Line, rows: int, cols: int, k: int) -> set[int]:
    """The cells with which the player to move wins by force."""
    every = lines(rows, cols, k)

    def threats(own: Line, other: Line) -> set[int]:
        """The free cells that complete a line."""
        return {cell for line in every if len(line & own) == k - 1 for cell in line - own if cell not in other}

    @cache
    def result(own: Line, other: Line) -> int:
        """For the player to move: 1 won, 0 drawn, -1 lost."""
        free = set(range(rows * cols)) - own - other
        if threats(own, other):
            return 1
        danger = threats(other, own)
        if len(danger) > 1:
            return -1
        best = -1
        for cell in danger or free:
            best = max(best, -result(other, own | {cell}))
            if best == 1:
                break
        return best if free else 0

    free = set(range(rows * cols)) - mine - theirs
    return {
        cell for cell in free if any(line <= mine | {cell} for line in every) or result(theirs, mine | {cell}) == -1
    }
