"""Tic-tac-toe on any (m,n,k) board, written from the rules alone: slow, plain, and sharing nothing with the package.

A board is a tuple of rows, each a text of `E`, `X` and `O`. Cells are numbered row by row from the top left. Players
are called by their marks.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import product, takewhile

Grid = tuple[str, ...]
Policy = Callable[[Grid], int]

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def empty(rows: int, cols: int) -> Grid:
    return ("E" * cols,) * rows


def key(grid: Grid) -> str:
    return "".join(grid)


def grid_of_key(text: str, cols: int) -> Grid:
    return tuple(text[start : start + cols] for start in range(0, len(text), cols))


def to_move(grid: Grid) -> str:
    return "X" if key(grid).count("X") == key(grid).count("O") else "O"


def other(mark: str) -> str:
    return "O" if mark == "X" else "X"


def put(grid: Grid, cell: int, mark: str) -> Grid:
    row, col = divmod(cell, len(grid[0]))
    return (*grid[:row], grid[row][:col] + mark + grid[row][col + 1 :], *grid[row + 1 :])


def play(grid: Grid, cell: int) -> Grid:
    return put(grid, cell, to_move(grid))


def walk(grid: Grid, row: int, col: int, down: int, right: int) -> Iterator[str]:
    """The marks from a cell on in one direction, up to the edge."""
    while 0 <= row < len(grid) and 0 <= col < len(grid[0]):
        yield grid[row][col]
        row, col = row + down, col + right


@cache
def winner(grid: Grid, k: int) -> str | None:
    """The mark that has `k` in a row."""
    for row, col in product(range(len(grid)), range(len(grid[0]))):
        mark = grid[row][col]
        for down, right in DIRECTIONS if mark != "E" else ():
            run = list(takewhile(mark.__eq__, walk(grid, row, col, down, right)))
            if len(run) >= k:
                return mark
    return None


def free(grid: Grid) -> list[int]:
    return [cell for cell, mark in enumerate(key(grid)) if mark == "E"]


def moves(grid: Grid, k: int) -> list[int]:
    return [] if winner(grid, k) else free(grid)


def over(grid: Grid, k: int) -> bool:
    return not moves(grid, k)


def result(grid: Grid, k: int) -> str:
    """Of a finished game: `X`, `O` or `draw`."""
    return winner(grid, k) or "draw"


@cache
def reachable(rows: int, cols: int, k: int) -> frozenset[Grid]:
    """Every position that play can reach."""
    boards = {empty(rows, cols)}
    waiting = [*boards]
    while waiting:
        grid = waiting.pop()
        after = {play(grid, cell) for cell in moves(grid, k)} - boards
        boards |= after
        waiting.extend(after)
    return frozenset(boards)


@cache
def games(grid: Grid, k: int) -> Counter[str]:
    """How many games go on from here, by result."""
    if over(grid, k):
        return Counter([result(grid, k)])
    return sum((games(play(grid, cell), k) for cell in moves(grid, k)), Counter())


@cache
def lines(grid: Grid, k: int, depth: int) -> int:
    """How many lines of exactly `depth` plies begin here."""
    return 1 if depth == 0 else sum(lines(play(grid, cell), k, depth - 1) for cell in moves(grid, k))


@cache
def solve(grid: Grid, k: int) -> tuple[int, int]:
    """Value for the side to move and plies to the end: the winner hurries, the loser delays."""
    if winner(grid, k):
        return -1, 0
    if not free(grid):
        return 0, 0
    replies = [solve(play(grid, cell), k) for cell in moves(grid, k)]
    best = max(-value for value, _ in replies)
    distances = [distance for value, distance in replies if -value == best]
    return best, 1 + (max(distances) if best < 0 else min(distances))


def solve_move(grid: Grid, k: int, cell: int) -> tuple[int, int]:
    """Value and distance of a move for the one who makes it."""
    value, distance = solve(play(grid, cell), k)
    return -value, distance + 1


Array = tuple[tuple[int, ...], ...]


def turned(array: Array) -> Array:
    """A quarter turn clockwise."""
    return tuple(zip(*array[::-1], strict=True))


def mirrored(array: Array) -> Array:
    return tuple(row[::-1] for row in array)


@cache
def symmetries(rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    """Every turn and reflection that keeps the board's shape: at each place, the cell that lands there."""
    array: Array = tuple(tuple(range(row * cols, (row + 1) * cols)) for row in range(rows))
    names = []
    for side in (array, mirrored(array)):
        quarters = [side]
        while len(quarters) < 4:
            quarters.append(turned(quarters[-1]))
        names += [tuple(cell for row in image for cell in row) for image in quarters if len(image) == rows]
    return tuple(names)


@cache
def images(grid: Grid) -> list[tuple[str, tuple[int, ...]]]:
    """The key of every image of a position, with the symmetry that makes it."""
    text = key(grid)
    return [("".join(text[cell] for cell in places), places) for places in symmetries(len(grid), len(grid[0]))]


def canonical_key(grid: Grid) -> str:
    """The smallest key of all images."""
    return min(image for image, _ in images(grid))


def canonical_move(grid: Grid, cell: int) -> int:
    """The smallest place the move lands on, over all symmetries that give the smallest key."""
    smallest = canonical_key(grid)
    return min(places.index(cell) for image, places in images(grid) if image == smallest)


def wins(grid: Grid, k: int) -> list[int]:
    """Where the side to move wins at once."""
    return _completing(grid, k, to_move(grid))


def threats(grid: Grid, k: int) -> list[int]:
    """Where the opponent would win if it moved now."""
    return _completing(grid, k, other(to_move(grid)))


def _completing(grid: Grid, k: int, mark: str) -> list[int]:
    return [cell for cell in free(grid) if winner(put(grid, cell, mark), k) == mark]


def forced(grid: Grid, k: int) -> int | None:
    """Win in one, else block the only threat."""
    if winning := wins(grid, k):
        return winning[0]
    winning = threats(grid, k)
    return winning[0] if len(winning) == 1 else None


def ranking_policy(q: Mapping[tuple[str, int], float], k: int) -> Policy:
    """The original document's runtime policy on a table of canonical keys and moves."""

    def worth(grid: Grid, cell: int) -> float:
        return q.get((canonical_key(grid), canonical_move(grid, cell)), 0.0)

    def choose(grid: Grid) -> int:
        move = forced(grid, k)
        return max(moves(grid, k), key=lambda cell: (worth(grid, cell), -cell)) if move is None else move

    return choose


def losing_lines(grid: Grid, k: int, mark: str, policy: Policy) -> tuple[int, int]:
    """Complete games of a policy as `mark` against every play: how many it loses, and how many there are."""
    if over(grid, k):
        return int(winner(grid, k) == other(mark)), 1
    cells = [policy(grid)] if to_move(grid) == mark else moves(grid, k)
    counts = [losing_lines(play(grid, cell), k, mark, policy) for cell in cells]
    return sum(losing for losing, _ in counts), sum(total for _, total in counts)
