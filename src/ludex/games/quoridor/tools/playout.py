"""Random games and counted lines inside a kernel: `ludex bench` and `ludex perft`."""

import numpy as np

from ludex.core.compiled import Vector
from ludex.core.seeding import generator
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.rules.bits import has
from ludex.games.quoridor.rules.board import Row, wall_action
from ludex.games.quoridor.rules.movegen import (
    MOST_PAWN_MOVES,
    cutting_slots,
    free_slots,
    keeps_paths,
    pawn_moves,
    perft,
    play_here,
    reached,
)
from ludex.games.quoridor.rules.position import LEFT, STATE_WORDS, TURN, Position, starting, words
from ludex.kernels.jit import bit_count, copy_into, draw_below, kernel, to_index, to_word, trailing_zeros


@kernel
def random_action(state: Row, size: int, geometry: Row, rng: Row, moves: Vector, scratch: Row) -> int:
    """A legal action, each equally likely; `rng: uint64[1]`.

    It draws among pawn moves and walls that fit, and draws again where a wall would cut off a path: so only the walls
    that are drawn pay for a flood.
    """
    pawns = pawn_moves(state, size, moves)
    if state[LEFT + to_index(state[TURN])] == 0:
        return to_index(moves[draw_below(rng, 0, pawns)])
    h_low, h_high = free_slots(state, size, geometry, False)
    v_low, v_high = free_slots(state, size, geometry, True)
    horizontal, vertical = bit_count(h_low) + bit_count(h_high), bit_count(v_low) + bit_count(v_high)
    while True:
        drawn = draw_below(rng, 0, pawns + horizontal + vertical)
        if drawn < pawns:
            return to_index(moves[drawn])
        drawn -= pawns
        upright = drawn >= horizontal
        if upright:
            drawn -= horizontal
        low, high = (v_low, v_high) if upright else (h_low, h_high)
        slot = nth(low, high, drawn)
        cut_low, cut_high = cutting_slots(state, size, geometry, upright, low, high)
        if not has(cut_low, cut_high, slot) or keeps_paths(state, slot, upright, size, geometry, scratch):
            return wall_action(slot, upright, size)


@kernel
def nth(low: int, high: int, index: int) -> int:
    """The index of a set's n-th member, counted from 0."""
    below = bit_count(low)
    word, base = low, 0
    if index >= below:
        word, base, index = high, 64, index - below
    for _ in range(index):
        # Clears the lowest bit.
        word &= word - to_word(1)
    return base + trailing_zeros(word)


@kernel
def play_out(start: Row, most_plies: int, size: int, geometry: Row, rng: Row, lengths: Vector) -> None:
    """Play random games to their ends, or for `most_plies`; write how long each was into `lengths: int64[N]`."""
    state = np.empty(STATE_WORDS, np.uint64)
    scratch = np.empty(STATE_WORDS, np.uint64)
    moves = np.empty(MOST_PAWN_MOVES, np.int64)
    for game in range(len(lengths)):
        copy_into(state, start)
        lengths[game] = most_plies
        for ply in range(most_plies):
            mover = to_index(state[TURN])
            play_here(state, random_action(state, size, geometry, rng, moves, scratch), size)
            if reached(state, mover, size):
                lengths[game] = ply + 1
                break


def playouts(game: Quoridor, games: int, seed: int) -> Vector:
    """The lengths of some random games, int64[games]."""
    rng = np.array([generator(seed, 0).state], np.uint64)
    lengths = np.empty(games, np.int64)
    start = words(starting(game.size, game.walls), game.size)
    play_out(start, game.info.max_plies, game.size, game.geometry, rng, lengths)
    return lengths


def count(game: Quoridor, state: Position, depth: int) -> int:
    """How many lines of exactly `depth` plies begin in a position. Draws by repetition and length do not end a line."""
    if depth > 0 and game.outcome(state) is not None:
        return 0
    return int(perft(words(state, game.size), depth, game.size, game.geometry))
