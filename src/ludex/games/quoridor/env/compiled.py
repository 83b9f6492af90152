"""Quoridor over packed positions: the words of `layout`, the ply, and where the pawns stood since the last wall.

A network sees every position from the mover's side: black's board is rotated by 180°, so that the mover walks up.
"""

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.compiled import RUNNING, CompiledRules, Ownership, Symmetries, Vector
from ludex.core.game import Player
from ludex.games.quoridor.game import REPETITIONS, Quoridor
from ludex.games.quoridor.rules.board import GEOMETRY_WORDS, GOAL, OPEN_EAST, OPEN_NORTH, Row
from ludex.games.quoridor.rules.movegen import legal_mask, play_here, reached
from ludex.games.quoridor.rules.paths import distance, spread
from ludex.games.quoridor.rules.position import (
    EAST,
    LEFT,
    NORTH,
    PAWN,
    STATE_WORDS,
    TURN,
    H,
    Position,
    V,
    standing,
    starting,
    words,
)
from ludex.kernels.jit import array_at, kernel, stack_words
from ludex.kit.bits128 import first, without_first

PLY, SEEN, REPEATED, HISTORY = STATE_WORDS, STATE_WORDS + 1, STATE_WORDS + 2, STATE_WORDS + 3
"""Behind the words of a position: plies, how many standings are kept, how often this one came, and the standings."""
SIZE, WALLS, MOST_PLIES, WHITE, BLACK, GEOMETRY = range(6)
"""The constants."""
PER_WORD: Final = 4
"""Standings in a word: the squares of both pawns take 14 bits. Turns alternate and are not kept."""
SQUARE_BITS, STANDING_BITS = 7, 16
PLANES: Final = 10
"""Pawns, walls, stocks, whether the position came before, the ply, and the steps of every square to both goals."""
STEPS: Final = 4.0
"""A lead of so many steps is nearly a won game."""
OWNED_PLANES: Final = 3
"""Of `write_ownership`: the pawns, horizontal walls and vertical walls."""


@kernel
def _see(state: Vector) -> None:
    """Keep where the pawns stand, and count how often they stood there with this player to move."""
    here = state[PAWN] << SQUARE_BITS | state[PAWN + 1]
    count = state[SEEN]
    word, place = HISTORY + count // PER_WORD, count % PER_WORD * STANDING_BITS
    state[word] = here << place | (state[word] & ((1 << place) - 1))
    state[SEEN] = count + 1
    times = 1
    for earlier in range(count - 2, -1, -2):
        earlier_standing = state[HISTORY + earlier // PER_WORD] >> earlier % PER_WORD * STANDING_BITS
        times += earlier_standing & ((1 << 2 * SQUARE_BITS) - 1) == here
    state[REPEATED] = times


@kernel
def reset(constants: Vector, state: Vector) -> None:
    """Both pawns on their first squares and no walls."""
    state[:] = 0
    for word in range(2):
        state[NORTH + word] = constants[GEOMETRY + OPEN_NORTH + word]
        state[EAST + word] = constants[GEOMETRY + OPEN_EAST + word]
        state[PAWN + word] = constants[WHITE + word]
        state[LEFT + word] = constants[WALLS]
    _see(state)


@kernel
def apply(constants: Vector, state: Vector, action: int) -> None:
    """Move a pawn or put a wall."""
    size = constants[SIZE]
    play_here(state[:STATE_WORDS].view(np.uint64), action, size)
    state[PLY] += 1
    if action >= size * size:
        # Nothing that was seen before a wall can come again.
        state[SEEN] = 0
    _see(state)


@kernel
def outcome(constants: Vector, state: Vector) -> float:
    """Who has reached the goal; a draw by repetition or by length."""
    position, size = state[:STATE_WORDS].view(np.uint64), constants[SIZE]
    if reached(position, 0, size):
        return 1.0
    if reached(position, 1, size):
        return -1.0
    return 0.0 if state[REPEATED] >= REPETITIONS or state[PLY] >= constants[MOST_PLIES] else RUNNING


@kernel
def legal(constants: Vector, state: Vector, mask: NDArray[np.uint8]) -> int:
    """Destinations of the pawn, and walls that leave both players a path."""
    if outcome(constants, state) != RUNNING:
        mask[:] = 0
        return 0
    size, geometry = constants[SIZE], constants[GEOMETRY : GEOMETRY + GEOMETRY_WORDS].view(np.uint64)
    position = state[:STATE_WORDS].view(np.uint64)
    return legal_mask(position, size, geometry, array_at(stack_words(), STATE_WORDS), mask)


@kernel
def player(constants: Vector, state: Vector) -> int:
    """Whose turn it is."""
    return int(state[TURN])


def expected_score(game: Quoridor, state: Position, player: Player) -> float:
    """The score that a player may expect, for generic searches: its lead in steps, a turn being half a step."""
    row = words(state, game.size)
    steps = [distance(row, seat, game.size, game.geometry) for seat in range(2)]
    lead = steps[1 - player] - steps[player] + (0.5 if state.turn == player else -0.5)
    return math.tanh(lead / STEPS)


@kernel
def estimate(constants: Vector, state: Vector) -> float:
    """`expected_score` of white."""
    position, size = state[:STATE_WORDS].view(np.uint64), constants[SIZE]
    geometry = constants[GEOMETRY : GEOMETRY + GEOMETRY_WORDS].view(np.uint64)
    lead = distance(position, 1, size, geometry) - distance(position, 0, size, geometry)
    return math.tanh((lead + (0.5 if state[TURN] == 0 else -0.5)) / STEPS)


@kernel
def _write_steps(position: Row, size: int, geometry: Row, goal: int, turned: bool, out: NDArray[np.float32]) -> None:
    """The steps of every square to a player's goal, as a share of those across the board and back, at most 1."""
    squares = size * size
    low, high = geometry[GOAL + 2 * goal], geometry[GOAL + 2 * goal + 1]
    out[:] = 1.0
    new_low, new_high = low, high
    for steps in range(2 * size):
        rest_low, rest_high = new_low, new_high
        while rest_low | rest_high != 0:
            square = first(rest_low, rest_high)
            rest_low, rest_high = without_first(rest_low, rest_high)
            out[squares - 1 - square if turned else square] = steps / (2.0 * size)
        next_low, next_high = spread(low, high, position, size)
        new_low, new_high = next_low & ~low, next_high & ~high
        if new_low | new_high == 0:
            return
        low, high = next_low, next_high


@kernel
def _write_walls(position: Row, walls: int, size: int, turned: bool, out: NDArray[Any]) -> None:
    """1 on the square that names the slot of each wall; `walls` is H or V."""
    low, high = position[walls], position[walls + 1]
    last = (size - 2) * (size + 1)
    while low | high != 0:
        slot = first(low, high)
        low, high = without_first(low, high)
        out[last - slot if turned else slot] = 1


@kernel
def observe(constants: Vector, state: Vector, out: NDArray[np.float32]) -> None:
    """`PLANES` of the board as the mover sees it; a wall stands on the square that names its slot."""
    size, mover = constants[SIZE], state[TURN]
    squares = size * size
    position, turned = state[:STATE_WORDS].view(np.uint64), mover == 1
    geometry = constants[GEOMETRY : GEOMETRY + GEOMETRY_WORDS].view(np.uint64)
    out[: 4 * squares] = 0.0
    stock = max(constants[WALLS], 1)
    for plane in range(2):
        pawn = state[PAWN + (mover if plane == 0 else 1 - mover)]
        out[plane * squares + (squares - 1 - pawn if turned else pawn)] = 1.0
        _write_walls(position, V if plane else H, size, turned, out[(2 + plane) * squares : (3 + plane) * squares])
        left = state[LEFT + (mover if plane == 0 else 1 - mover)]
        out[(4 + plane) * squares : (5 + plane) * squares] = left / stock
        steps = out[(8 + plane) * squares : (9 + plane) * squares]
        _write_steps(position, size, geometry, mover if plane == 0 else 1 - mover, turned, steps)
    out[6 * squares : 7 * squares] = 1.0 if state[REPEATED] > 1 else 0.0
    out[7 * squares : 8 * squares] = state[PLY] / constants[MOST_PLIES]


@kernel
def write_ownership(constants: Vector, state: Vector, player: int, out: NDArray[np.int8]) -> None:
    """Where the pawns stand, the player's own 1 and the other -1, and which walls stand; black's board is rotated."""
    size = constants[SIZE]
    squares = size * size
    position, turned = state[:STATE_WORDS].view(np.uint64), player == 1
    out[:] = 0
    for seat in range(2):
        pawn = state[PAWN + seat]
        out[squares - 1 - pawn if turned else pawn] = 1 if seat == player else -1
        _write_walls(position, V if seat else H, size, turned, out[(1 + seat) * squares : (2 + seat) * squares])


def compiled(game: Quoridor) -> CompiledRules:
    """The compiled rules of a board."""
    size, squares, slots = game.size, game.squares, (game.size - 1) ** 2
    start = starting(size, game.walls)
    numbers = [size, game.walls, game.info.max_plies, *start.pawns]
    state_size = HISTORY + game.info.max_plies // PER_WORD + 1

    def pack(position: Position) -> Vector:
        state = np.zeros(state_size, np.int64)
        state[:STATE_WORDS] = words(position, size).view(np.int64)
        state[PLY], state[SEEN] = position.ply, len(position.seen)
        state[REPEATED] = position.seen.count(position.seen[-1])
        for index, seen in enumerate(position.seen):
            stood = (seen >> 9) << SQUARE_BITS | seen >> 1 & 255
            state[HISTORY + index // PER_WORD] |= np.int64(stood << index % PER_WORD * STANDING_BITS)
        return state

    def unpack(state: Vector) -> Position:
        return _unpack_words([int(word) for word in state])

    actions = np.arange(game.info.num_actions)
    groups = np.split(actions, [squares, squares + slots])
    symmetries, owned = (_mirror(size), _images(size, (False, True, True))) if size % 2 else (None, None)
    return CompiledRules(
        state_size=state_size,
        action_size=game.info.num_actions,
        observation_shape=(PLANES, size, size),
        constants=np.concatenate([np.array(numbers, np.int64), game.geometry.view(np.int64)]),
        reset=reset,
        apply=apply,
        legal=legal,
        outcome=outcome,
        player=player,
        observe=observe,
        estimate=estimate,
        pack=pack,
        unpack=unpack,
        orientation=np.stack([actions, np.concatenate([group[::-1] for group in groups])]),
        symmetries=symmetries,
        ownership=Ownership(planes=OWNED_PLANES, write=write_ownership, cells=owned),
    )


def _unpack_words(state: list[int]) -> Position:
    def both(index: int) -> int:
        low, high = state[index] & (1 << 64) - 1, state[index + 1] & (1 << 64) - 1
        return low | high << 64

    turn, count, mask = state[TURN], state[SEEN], (1 << SQUARE_BITS) - 1
    seen = []
    for index in range(count):
        stood = state[HISTORY + index // PER_WORD] >> index % PER_WORD * STANDING_BITS
        pawns = stood >> SQUARE_BITS & mask, stood & mask
        seen.append(standing(pawns, (turn + count - 1 - index) % 2))
    return Position(
        pawns=(state[PAWN], state[PAWN + 1]),
        walls=(both(H), both(V)),
        left=(state[LEFT], state[LEFT + 1]),
        turn=turn,
        ply=state[PLY],
        seen=tuple(seen),
    )


def _mirror(size: int) -> Symmetries:
    """The identity and the exchange of left and right; boards of even size begin without that symmetry."""
    squares, side = size * size, size - 1
    slots = np.arange(side * side).reshape(side, side)
    groups = [np.arange(squares).reshape(size, size), squares + slots, squares + slots.size + slots]
    actions = np.concatenate([group[:, ::-1].ravel() for group in groups])
    cells = _images(size, tuple(plane in (2, 3) for plane in range(PLANES)))
    return Symmetries(actions=np.stack([np.arange(len(actions)), actions]), cells=cells)


def _images(size: int, walls: tuple[bool, ...]) -> Vector:
    """[2, K * size * size]: the same exchange for the cells of planes, each of squares or of walls."""
    squares = np.arange(size * size).reshape(size, size)
    slots = np.hstack([squares[:, size - 2 :: -1], squares[:, size - 1 :]])
    planes = [number * squares.size + (slots if wall else squares[:, ::-1]) for number, wall in enumerate(walls)]
    cells = np.concatenate([plane.ravel() for plane in planes])
    return np.stack([np.arange(len(cells)), cells])
