"""Exact values of Quoridor over the reference's rules: plain, slow, position by position, without any symmetry."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tests.reference import quoridor as rules
from tests.reference.quoridor import State


class Value(NamedTuple):
    winner: int | None
    plies: int | None
    """None, as the winner, where play need never end."""


DRAW = Value(None, None)


def all_states(size: int, walls: int) -> Iterator[State]:
    """Every live position of a board in which no pawn is cut off, reached by play or not."""
    live = [[at for at in rules.all_squares(size) if at not in rules.goal(size, player)] for player in (0, 1)]
    for standing in wall_sets(size, 2 * walls):
        for white in range(walls + 1):
            left = (white, 2 * walls - len(standing) - white)
            if not 0 <= left[1] <= walls:
                continue
            for pawns in ((one, two) for one in live[0] for two in live[1] if one != two):
                state = State(size, pawns, standing, left, 0)
                if all(rules.distance(state, player) is not None for player in (0, 1)):
                    yield state
                    yield state._replace(turn=1)


def wall_sets(size: int, most: int) -> set[frozenset[str]]:
    """Every set of walls that fit together."""
    all_sets: set[frozenset[str]] = set()
    layer = {frozenset[str]()}
    while layer and most >= 0:
        all_sets |= layer
        layer = {walls | {wall} for walls in layer for wall in rules.all_walls(size) if rules.fits(wall, walls)}
        most -= 1
    return all_sets


def solve(roots: Iterable[State]) -> dict[State, Value]:
    """The value of every position that can follow: first what ends in 1 ply, then in 2, and so on; the rest draws."""
    after: dict[State, list[State]] = {}
    waiting = list(roots)
    while waiting:
        state = waiting.pop()
        if state not in after:
            after[state] = [rules.play(state, move) for move in rules.moves(state)]
            waiting += after[state]
    values = {state: Value(rules.winner(state), 0) for state in after if rules.winner(state) is not None}
    open_ = [state for state in after if state not in values]
    plies, changed = 0, True
    while changed:
        plies += 1
        fresh = {}
        for state in open_:
            replies = [values.get(reply, DRAW) for reply in after[state]]
            if Value(state.turn, plies - 1) in replies:
                fresh[state] = Value(state.turn, plies)
            elif all(reply.winner == 1 - state.turn for reply in replies):
                fresh[state] = Value(1 - state.turn, plies)
        values |= fresh
        open_ = [state for state in open_ if state not in fresh]
        changed = bool(fresh)
    return values | dict.fromkeys(open_, DRAW)
