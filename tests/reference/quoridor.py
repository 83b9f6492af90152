"""Quoridor on any square board, written from the rules alone: slow, plain, and sharing nothing with the package.

A square is a (column, row) pair counted from a1 = (0, 0), a wall is its name, and a set of walls is a set of names.
Player 0 is white and walks up, player 1 is black and walks down.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

Square = tuple[int, int]
Graph = Mapping[Square, frozenset[Square]]
"""To each square those one step away. Pawns do not count."""

COLUMNS = "abcdefghijk"
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
INT_MAX, INT_MIN = 2147483647, -2147483648


class State(NamedTuple):
    size: int
    pawns: tuple[Square, Square]
    walls: frozenset[str]
    left: tuple[int, int]
    turn: int


def start(size: int, walls: int) -> State:
    white, black = ((size - 1) // 2, 0), (size // 2, size - 1)
    return State(size, (white, black), frozenset(), (walls, walls), 0)


# Names


def name(square: Square) -> str:
    return COLUMNS[square[0]] + str(square[1] + 1)


def square(text: str) -> Square:
    return COLUMNS.index(text[0]), int(text[1:]) - 1


@cache
def all_squares(size: int) -> tuple[Square, ...]:
    return tuple((col, row) for row in range(size) for col in range(size))


@cache
def all_walls(size: int) -> tuple[str, ...]:
    return tuple(name((col, row)) + kind for kind in "hv" for row in range(size - 1) for col in range(size - 1))


@cache
def all_moves(size: int) -> tuple[str, ...]:
    """Every text there is, in the order of the action index."""
    return (*map(name, all_squares(size)), *all_walls(size))


# Walls and ways


@cache
def edges(wall: str) -> tuple[frozenset[Square], frozenset[Square]]:
    """The two pairs of squares that a wall parts: `e3h` lies above e3 and f3, `e3v` right of e3 and e4."""
    col, row = square(wall[:-1])
    if wall.endswith("h"):
        return frozenset({(col, row), (col, row + 1)}), frozenset({(col + 1, row), (col + 1, row + 1)})
    return frozenset({(col, row), (col + 1, row)}), frozenset({(col, row + 1), (col + 1, row + 1)})


def overlaps(one: str, two: str) -> bool:
    return bool(set(edges(one)) & set(edges(two)))


def crosses(one: str, two: str) -> bool:
    return one[:-1] == two[:-1] and one != two


def fits(wall: str, walls: Iterable[str]) -> bool:
    return not any(overlaps(wall, other) or crosses(wall, other) for other in walls)


def closed(graph: Graph, wall: str) -> Graph:
    """The ways that a wall leaves."""
    changed = dict(graph)
    for one, two in map(tuple, edges(wall)):
        changed[one] -= {two}
        changed[two] -= {one}
    return changed


@lru_cache(maxsize=200_000)
def ways(size: int, walls: frozenset[str]) -> Graph:
    inside = frozenset(all_squares(size))
    graph: Graph = {(x, y): frozenset((x + dx, y + dy) for dx, dy in STEPS) & inside for x, y in inside}
    for wall in walls:
        graph = closed(graph, wall)
    return graph


def goal(size: int, player: int) -> frozenset[Square]:
    return frozenset((col, size - 1 if player == 0 else 0) for col in range(size))


def distances(graph: Graph, sources: Iterable[Square]) -> dict[Square, int]:
    """Breadth first: steps from the nearest source to every square that can be reached."""
    steps = dict.fromkeys(sources, 0)
    waiting = deque(steps)
    while waiting:
        here = waiting.popleft()
        for there in graph[here]:
            if there not in steps:
                steps[there] = steps[here] + 1
                waiting.append(there)
    return steps


def joined(graph: Graph, source: Square, targets: frozenset[Square]) -> bool:
    reached, waiting = {source}, [source]
    while waiting:
        here = waiting.pop()
        if here in targets:
            return True
        new = graph[here] - reached
        reached |= new
        waiting.extend(new)
    return False


@lru_cache(maxsize=200_000)
def goal_distances(size: int, walls: frozenset[str], player: int) -> dict[Square, int]:
    return distances(ways(size, walls), goal(size, player))


def distance(state: State, player: int) -> int | None:
    """A player's steps to the goal, or None if it is cut off."""
    return goal_distances(state.size, state.walls, player).get(state.pawns[player])


# Rules


def winner(state: State) -> int | None:
    return next((player for player in (0, 1) if state.pawns[player] in goal(state.size, player)), None)


def reach(state: State) -> set[Square]:
    """Where the mover's pawn may go: a step, a jump straight over the opponent, or sideways if that is barred."""
    graph = ways(state.size, state.walls)
    mine, theirs = state.pawns[state.turn], state.pawns[1 - state.turn]
    neighbours = set(graph[mine])
    if theirs in neighbours:
        neighbours.remove(theirs)
        beyond = (2 * theirs[0] - mine[0], 2 * theirs[1] - mine[1])
        neighbours |= {beyond} if beyond in graph[theirs] else graph[theirs] - {mine}
    return neighbours


def may_put(state: State, wall: str) -> bool:
    if state.left[state.turn] == 0 or not fits(wall, state.walls):
        return False
    graph = closed(ways(state.size, state.walls), wall)
    return all(joined(graph, state.pawns[player], goal(state.size, player)) for player in (0, 1))


def moves(state: State) -> set[str]:
    """The legal moves; none once a goal is reached."""
    if winner(state) is not None:
        return set()
    return set(map(name, reach(state))) | {wall for wall in all_walls(state.size) if may_put(state, wall)}


def play(state: State, move: str) -> State:
    if move[-1] in "hv":
        left = tuple(stock - (player == state.turn) for player, stock in enumerate(state.left))
        return state._replace(walls=state.walls | {move}, left=(left[0], left[1]), turn=1 - state.turn)
    white, black = state.pawns
    pawns = (square(move), black) if state.turn == 0 else (white, square(move))
    return state._replace(pawns=pawns, turn=1 - state.turn)


def lines(state: State, depth: int) -> int:
    """How many lines of exactly `depth` plies begin here."""
    return 1 if depth == 0 else sum(lines(play(state, move), depth - 1) for move in moves(state))


# The original document's evaluation, term by term


def nearness(steps: int) -> int:
    return {0: 16, 1: 9, 2: 4, 3: 1}.get(steps, 0)


def straight(state: State, player: int) -> int:
    row = state.pawns[player][1]
    return state.size - 1 - row if player == 0 else row


def mobility(state: State, player: int) -> int:
    """How many moves a player's pawn would have on the move."""
    return len(reach(state._replace(turn=player)))


def terms(state: State, player: int) -> dict[str, int]:
    """The five terms of a live position for a player."""
    other = 1 - player
    mine, theirs = distance(state, player), distance(state, other)
    assert mine is not None
    assert theirs is not None
    longer = {player: mine - straight(state, player), other: theirs - straight(state, other)}
    return {
        "distance": 10 * (theirs - mine),
        "endgame": 15 * (nearness(mine) - nearness(theirs)),
        "walls": 2 * (state.left[player] - state.left[other]),
        "mobility": 3 * (mobility(state, player) - mobility(state, other)),
        "efficiency": 5 * (longer[other] - longer[player]),
    }


def evaluate(state: State, player: int) -> int:
    won = winner(state)
    if won is not None:
        return INT_MAX if won == player else INT_MIN
    if distance(state, player) is None:
        return INT_MIN + 1
    if distance(state, 1 - player) is None:
        return INT_MAX - 1
    return sum(terms(state, player).values())


# The original document's search, without cut-offs

Candidates = Callable[[State], list[str]]
Evaluation = Callable[[State, int], int]


def minimax(state: State, depth: int, root: int, ply: int, candidates: Candidates, value: Evaluation) -> int:
    """The value for the root's player; a win is a point worse, and a loss a point better, with every ply it takes."""
    won = winner(state)
    if won is not None:
        return INT_MAX - ply if won == root else INT_MIN + ply
    if depth == 0:
        return value(state, root)
    best = max if state.turn == root else min
    return best(minimax(play(state, move), depth - 1, root, ply + 1, candidates, value) for move in candidates(state))


def root_values(state: State, depth: int, candidates: Candidates, value: Evaluation) -> dict[str, int]:
    """Every candidate's value, in the order considered."""
    return {move: minimax(play(state, move), depth - 1, state.turn, 1, candidates, value) for move in candidates(state)}


def blocking(one: Square, two: Square, size: int) -> set[str]:
    """The walls of the board that part two neighbouring squares."""
    return {wall for wall in all_walls(size) if frozenset({one, two}) in edges(wall)}


def around(square: Square, size: int) -> set[str]:
    """The walls of the board whose middle is a corner of the square."""
    col, row = square
    corners = {name((x, y)) for x in (col - 1, col) for y in (row - 1, row) if x >= 0 and y >= 0}
    return {wall for wall in all_walls(size) if wall[:-1] in corners}
