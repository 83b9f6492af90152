"""Who wins Quoridor with few walls in hand, over the reference's rules: one set of walls after the other.

For a set of walls and the walls left, all places of both pawns are solved together, by sweeps that go on until none
learns anything. Sets with one wall more come first, so that putting a wall is looked up.
"""

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from tests.reference import quoridor as rules
from tests.reference.quoridor import State

Places = NDArray[np.int8]
"""By player to move, white's square and black's: 1 the mover wins, -1 the other does, 0 play need never end."""
ILLEGAL = -2
NOWHERE = -1


def winners(state: State) -> dict[str, int | None]:
    """By legal move: who wins then by force, or None."""
    solver = _Solver(state.size)
    values = {}
    for move in rules.moves(state):
        after = rules.play(state, move)
        value = int(solver.value(after))
        values[move] = None if value == 0 else after.turn if value == 1 else 1 - after.turn
    return values


class _Solver:
    def __init__(self, size: int) -> None:
        self.size = size
        self.squares = rules.all_squares(size)
        self.index = {square: number for number, square in enumerate(self.squares)}
        self.goals = np.array([[at in rules.goal(size, player) for at in self.squares] for player in (0, 1)])
        self._known: dict[tuple[frozenset[str], tuple[int, int]], Places] = {}

    def value(self, state: State) -> int:
        """For the player to move."""
        won = rules.winner(state)
        if won is not None:
            return 1 if won == state.turn else -1
        white, black = (self.index[pawn] for pawn in state.pawns)
        return int(self.places(state.walls, state.left)[state.turn, white, black])

    def places(self, walls: frozenset[str], left: tuple[int, int]) -> Places:
        key = walls, left
        if key not in self._known:
            self._known[key] = _swept(self._steps(walls), self._by_walls(walls, left), self.goals)
        return self._known[key]

    def _steps(self, walls: frozenset[str]) -> NDArray[np.int64]:
        """By square and direction: the square one step away, or NOWHERE."""
        barred = {edge for wall in walls for edge in rules.edges(wall)}
        steps = np.full((len(self.squares), 4), NOWHERE, np.int64)
        for here, number in self.index.items():
            for place, (dx, dy) in enumerate(rules.STEPS):
                there = here[0] + dx, here[1] + dy
                if there in self.index and frozenset({here, there}) not in barred:
                    steps[number, place] = self.index[there]
        return steps

    def _by_walls(self, walls: frozenset[str], left: tuple[int, int]) -> Places:
        """The best that a wall gives the mover; ILLEGAL where none may be put."""
        count = len(self.squares)
        best = np.full((2, count, count), ILLEGAL, np.int8)
        for wall in rules.all_walls(self.size) if any(left) else ():
            if not rules.fits(wall, walls):
                continue
            joined = _joined(self._steps(walls | {wall}), self.goals)
            legal = np.outer(joined[0], joined[1])
            if not legal.any():
                continue
            for mover in (0, 1):
                if left[mover]:
                    rest = (left[0] - (mover == 0), left[1] - (mover == 1))
                    after = -self.places(walls | {wall}, rest)[1 - mover]
                    best[mover] = np.where(legal, np.maximum(best[mover], after), best[mover])
        return best


@numba.njit
def _joined(steps: Any, goals: Any) -> Any:
    """By player and square: whether a way leads to the player's goal. Ways lead back as well."""
    joined = goals.copy()
    for player in range(2):
        changed = True
        while changed:
            changed = False
            for square in range(steps.shape[0]):
                for there in steps[square]:
                    if not joined[player, square] and there >= 0 and joined[player, there]:
                        joined[player, square] = changed = True
    return joined


@numba.njit
def _targets(steps: Any, mine: int, theirs: int, targets: Any) -> int:
    """Write where a pawn may go: a step, over the other pawn straight on, or sideways where that is barred."""
    count = 0
    for place in range(4):
        target = steps[mine, place]
        straight = steps[theirs, place]
        if target >= 0 and (target != theirs or straight >= 0):
            targets[count] = target if target != theirs else straight
            count += 1
        elif target == theirs:
            for side in range(4):
                if steps[theirs, side] >= 0 and steps[theirs, side] != mine:
                    targets[count] = steps[theirs, side]
                    count += 1
    return count


@numba.njit
def _swept(steps: Any, by_walls: Any, goals: Any) -> Any:
    count = steps.shape[0]
    values = np.zeros((2, count, count), np.int8)
    targets = np.zeros(8, np.int64)
    changed = True
    while changed:
        changed = False
        for place in range(2 * count * count):
            turn, white, black = place // (count * count), place // count % count, place % count
            if white == black or goals[0, white] or goals[1, black] or values[turn, white, black]:
                continue
            mine, theirs = (white, black) if turn == 0 else (black, white)
            wins, loses = by_walls[turn, white, black] == 1, by_walls[turn, white, black] < 0
            for there in targets[: _targets(steps, mine, theirs, targets)]:
                after = values[1, there, black] if turn == 0 else values[0, white, there]
                wins = wins or goals[turn, there] or after == -1
                loses = loses and not goals[turn, there] and after == 1
            if wins or loses:
                values[turn, white, black] = 1 if wins else -1
                changed = True
    return values
