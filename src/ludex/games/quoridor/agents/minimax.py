"""The original document's levels: easy, normal, hard and hell, one player with other numbers.

Minimax to a fixed depth with alpha-beta cut-offs, five weighted terms in whole numbers, and noise on them. As the seed
has it, the search knows no draws: repetition and the move limit end a match, not a line.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.core.compiled import Vector
from ludex.core.decision import Candidate, Decision
from ludex.core.game import Mask
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.options import EvalWeights, LevelOptions
from ludex.games.quoridor.rules.board import Row, action_name, wall_action
from ludex.games.quoridor.rules.movegen import MOST_PAWN_MOVES, is_legal, pawn_moves, pawn_moves_of, play, reached
from ludex.games.quoridor.rules.paths import MOST_STEPS, UNREACHABLE, distance, shortest_path
from ludex.games.quoridor.rules.position import LEFT, PAWN, STATE_WORDS, TURN, Position, words
from ludex.kernels.jit import copy_into, draw_below, kernel, to_index

INT_MAX, INT_MIN = 2**31 - 1, -(2**31)
BLOCKED_OPPONENT, BLOCKED_SELF = INT_MAX - 1, INT_MIN + 1
ENDGAME_DISTANCE = 3


@kernel
def evaluate(state: Row, player: int, weights: Vector, size: int, geometry: Row, terms: Vector) -> int:
    """The worth of a position for a player under `EvalWeights` as `int64[5]`; its terms go into `terms: int64[5]`."""
    other = 1 - player
    if reached(state, player, size):
        return INT_MAX
    if reached(state, other, size):
        return INT_MIN
    mine = distance(state, player, size, geometry)
    theirs = distance(state, other, size, geometry)
    if mine == UNREACHABLE:
        return BLOCKED_SELF
    if theirs == UNREACHABLE:
        return BLOCKED_OPPONENT
    terms[0] = weights[0] * (theirs - mine)
    terms[1] = weights[1] * (nearness(mine) - nearness(theirs))
    terms[2] = weights[2] * (to_index(state[LEFT + player]) - to_index(state[LEFT + other]))
    moves = np.empty(MOST_PAWN_MOVES, np.int64)
    terms[3] = weights[3] * (pawn_moves_of(state, player, size, moves) - pawn_moves_of(state, other, size, moves))
    terms[4] = weights[4] * ((theirs - straight(state, other, size)) - (mine - straight(state, player, size)))
    return to_index(terms[0] + terms[1] + terms[2] + terms[3] + terms[4])


@kernel
def nearness(steps: int) -> int:
    """Nothing far from the goal, and ever more within three steps of it."""
    return (ENDGAME_DISTANCE + 1 - steps) ** 2 if steps <= ENDGAME_DISTANCE else 0


@kernel
def straight(state: Row, player: int, size: int) -> int:
    """Steps to the goal if there were no walls."""
    row = to_index(state[PAWN + player]) // size
    return size - 1 - row if player == 0 else row


MOST_CANDIDATES = 512


@kernel
def candidates(state: Row, size: int, geometry: Row, out: Vector) -> int:
    """Write legal actions into `out: int64[MOST_CANDIDATES]`, each once, in the document's order; returns how many."""
    count = pawn_moves(state, size, out)
    turn = to_index(state[TURN])
    if state[LEFT + turn] == 0:
        return count
    path = np.empty(MOST_STEPS, np.int64)
    steps = shortest_path(state, 1 - turn, size, geometry, path)
    for step in range(steps):
        here, there = path[step], path[step + 1]
        low = min(here, there)
        row, col = low // size, low % size
        if abs(here - there) == size:
            count = _consider(state, row, col - 1, False, size, geometry, out, count)
            count = _consider(state, row, col, False, size, geometry, out, count)
        else:
            count = _consider(state, row - 1, col, True, size, geometry, out, count)
            count = _consider(state, row, col, True, size, geometry, out, count)
    pawn = to_index(state[PAWN + 1 - turn])
    for row in range(pawn // size - 1, pawn // size + 1):
        for col in range(pawn % size - 1, pawn % size + 1):
            count = _consider(state, row, col, False, size, geometry, out, count)
            count = _consider(state, row, col, True, size, geometry, out, count)
    return count


@kernel
def _consider(state: Row, row: int, col: int, vertical: bool, size: int, geometry: Row, out: Vector, count: int) -> int:
    if row < 0 or col < 0 or row >= size - 1 or col >= size - 1:
        return count
    action = wall_action(row * size + col, vertical, size)
    for index in range(count):
        if out[index] == action:
            return count
    if not is_legal(state, action, size, geometry):
        return count
    out[count] = action
    return count + 1


INFINITY = 2**40


class Setting(NamedTuple):
    """What is the same in all nodes of a search."""

    noise: int
    weights: Vector
    """int64[5]: `EvalWeights`."""
    size: int
    geometry: Row
    rng: Row
    """uint64[1]"""
    nodes: Vector
    """int64[1]: how many were searched."""
    stop: NDArray[np.uint8]
    """uint8[1]: raised to end the search."""


@kernel
def search_root(state: Row, depth: int, setting: Setting, actions: Vector, values: Vector) -> int:
    """Write every candidate and its value into `actions, values: int64[MOST_CANDIDATES]`; returns how many.

    Each is searched with a full window, so that its value is its own and not a bound. Candidates that are not finished
    when the search is stopped are left out.
    """
    states = np.empty((depth + 1, STATE_WORDS), np.uint64)
    copy_into(states[0], state)
    count = candidates(states[0], setting.size, setting.geometry, actions)
    for index in range(count):
        play(states[0], actions[index], setting.size, states[1])
        values[index] = _search(states, depth, setting)
        if setting.stop[0] != 0:
            return index
    return count


@kernel
def _search(states: Row, depth: int, setting: Setting) -> int:
    """The value of `states[1]` for the player to move in `states[0]`, searched down to `states[depth]`.

    A loop with a stack of its own: a kernel that calls itself crashes when it is read back from the cache.
    """
    root = to_index(states[0, TURN])
    moves = np.empty((depth + 1, MOST_CANDIDATES), np.int64)
    counts = np.zeros(depth + 1, np.int64)
    cursors = np.zeros(depth + 1, np.int64)
    alphas = np.full(depth + 1, -INFINITY, np.int64)
    betas = np.full(depth + 1, INFINITY, np.int64)
    bests = np.zeros(depth + 1, np.int64)
    ply, value = 1, to_index(0)
    entering = True
    while ply > 0 and setting.stop[0] == 0:
        maximising = to_index(states[ply, TURN]) == root
        if entering:
            setting.nodes[0] += 1
            settled, value = _settle(states[ply], ply, depth, root, setting)
            if settled:
                ply -= 1
                entering = False
                continue
            counts[ply] = candidates(states[ply], setting.size, setting.geometry, moves[ply])
            cursors[ply] = 0
            bests[ply] = -INFINITY if maximising else INFINITY
        elif maximising:
            bests[ply] = max(bests[ply], value)
            alphas[ply] = max(alphas[ply], value)
        else:
            bests[ply] = min(bests[ply], value)
            betas[ply] = min(betas[ply], value)
        if cursors[ply] == counts[ply] or betas[ply] <= alphas[ply]:
            value = bests[ply]
            ply -= 1
            entering = False
            continue
        play(states[ply], moves[ply, cursors[ply]], setting.size, states[ply + 1])
        cursors[ply] += 1
        alphas[ply + 1], betas[ply + 1] = alphas[ply], betas[ply]
        ply += 1
        entering = True
    return value


@kernel
def _settle(state: Row, ply: int, depth: int, root: int, setting: Setting) -> tuple[bool, int]:
    """Whether a node needs no search, and its value then.

    A win is worth a point less for every ply it takes, a loss a point more: sooner wins and later losses are better.
    """
    size, noise = setting.size, setting.noise
    if reached(state, root, size):
        return True, to_index(INT_MAX - ply)
    if reached(state, 1 - root, size):
        return True, to_index(INT_MIN + ply)
    if ply < depth:
        return False, to_index(0)
    terms = np.empty(5, np.int64)
    value = to_index(evaluate(state, root, setting.weights, size, setting.geometry, terms))
    if noise > 0:
        value += draw_below(setting.rng, 0, 2 * noise + 1) - noise
    return True, value


CERTAIN = INT_MAX - 1000
"""Scores beyond it are wins and losses that were seen to the end."""
SCALE = 100.0
"""An advantage of this many points has the value tanh(1)."""


class LevelAgent:
    """Minimax with alpha-beta to a fixed depth, under noise."""

    def __init__(self, game: Quoridor, options: LevelOptions, services: Services, name: str) -> None:
        self.name = name
        self._game = game
        self._depth = options.depth
        self._noise = options.noise
        self._weights = np.array(options.weights, np.int64)

    def decide(self, view: Position, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        game = self._game
        actions, values = np.empty(MOST_CANDIDATES, np.int64), np.empty(MOST_CANDIDATES, np.int64)
        nodes, rng_state = np.zeros(1, np.int64), np.array([rng.bits()], np.uint64)
        setting = Setting(self._noise, self._weights, game.size, game.geometry, rng_state, nodes, limit.stop)
        # The seed makes each move and then calls minimax with the level's depth: the move itself is one ply more.
        count = search_root(words(view, game.size), self._depth + 1, setting, actions, values)
        if count == 0:
            # Stopped before a single move was finished: search one ply without a limit.
            setting = setting._replace(stop=np.zeros(1, np.uint8))
            count = search_root(words(view, game.size), 1, setting, actions, values)
        # Python's sort is stable: of equal values the first considered stays first.
        order = sorted(range(count), key=lambda index: -values[index])
        best, score = int(actions[order[0]]), int(values[order[0]])
        return Decision(
            action=best,
            value=worth(score),
            candidates=tuple(
                Candidate(
                    int(actions[index]),
                    score=float(values[index]),
                    line=(int(actions[index]),),
                    terms=self._terms(view, int(actions[index])),
                )
                for index in order
            ),
            stats={"depth": self._depth, "noise": self._noise, "nodes": int(nodes[0]), "score": score},
            explanation=(_explanation(action_name(best, game.size), score),),
        )

    def _terms(self, view: Position, action: int) -> dict[str, float]:
        """The five terms of the position after a move, for its mover; none where that ends the game."""
        game = self._game
        after = np.empty(STATE_WORDS, np.uint64)
        terms = np.zeros(len(EvalWeights._fields), np.int64)
        play(words(view, game.size), action, game.size, after)
        value = evaluate(after, view.turn, self._weights, game.size, game.geometry, terms)
        return {} if value in (INT_MAX, INT_MIN) else dict(zip(EvalWeights._fields, map(float, terms), strict=True))


def worth(score: int) -> float:
    """A score as a value in -1..1.

    >>> worth(0), worth(2**31 - 3), worth(-(2**31) + 4)
    (0.0, 1.0, -1.0)
    """
    if abs(score) >= CERTAIN:
        return math.copysign(1.0, score)
    return math.tanh(score / SCALE)


def _explanation(move: str, score: int) -> Message:
    if score >= CERTAIN:
        return Message("quoridor.level_wins", {"move": move, "count": INT_MAX - score})
    if score <= -CERTAIN:
        return Message("quoridor.level_loses", {"move": move, "count": score - INT_MIN})
    return Message("quoridor.worth", {"move": move, "score": score})
