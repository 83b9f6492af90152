"""Random games and counted lines, ours and those of open_spiel's Quoridor through its Python API."""

import random
from collections.abc import Callable
from typing import Final

import numpy as np

from benchmarks.peers import open_spiel, with_peers
from ludex.core.bench import BenchRow, rates
from ludex.core.compiled import Vector
from ludex.core.registry import make
from ludex.core.seeding import generator
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.rules.board import Row, wall_action
from ludex.games.quoridor.rules.movegen import (
    MOST_PAWN_MOVES,
    cutting_slots,
    free_slots,
    keeps_paths,
    pawn_moves,
    play_here,
    reached,
)
from ludex.games.quoridor.rules.position import LEFT, STATE_WORDS, TURN, starting, words
from ludex.games.quoridor.tools.counting import count, signature
from ludex.kernels.jit import bit_count, copy_into, draw_below, kernel, to_index, to_word, trailing_zeros
from ludex.kit.bits128 import has

PACKAGES: Final = ("open_spiel",)
GAME: Final = "quoridor(board_size=9)"
PEER: Final = "open_spiel pyspiel"
LINES: Final = "lines per CPU-second"
MOST_PLIES: Final = 324
"""Where both call a random game off."""


def perft(*, bulk: bool) -> Callable[[], int]:
    """A part of perft(3): the lines after one first move. Its Python API has no faster way to count them."""
    peer = open_spiel(GAME)
    replies = peer.new_initial_state().legal_actions()
    rng = random.Random(1)

    def work() -> int:
        state = peer.new_initial_state()
        state.apply_action(rng.choice(replies))
        total = 0
        for action in state.legal_actions():
            after = state.child(action)
            leaves = after.legal_actions()
            total += len(leaves) if bulk else sum(after.child(leaf) is not None for leaf in leaves)
        return total

    return work


def random_games() -> Callable[[], int]:
    """Random games to their ends."""
    peer, choice = open_spiel(GAME), random.Random(1).choice

    def work() -> int:
        state = peer.new_initial_state()
        while not state.is_terminal():
            state.apply_action(choice(state.legal_actions()))
        return 1

    return work


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


def bench(seconds: float) -> list[BenchRow]:
    """perft(3) and random games on 9x9 beside pyspiel through its Python API, and the engine from ten positions."""
    game = make("quoridor")
    assert isinstance(game, Quoridor)
    start = game.initial(generator(0, 0))
    perfts = {"bulk": lambda: perft(bulk=True), "leaves": lambda: perft(bulk=False)}
    nodes = rates(with_peers({"ours": lambda: count(game, start, 3)}, perfts), seconds)
    games = rates(with_peers({"ours": _playouts(game)}, {"peer": random_games}), seconds)
    searched = rates({"ours": lambda: signature().nodes}, seconds)["ours"]
    return [
        BenchRow("perft(3), the peer applies every leaf", LINES, nodes["ours"], nodes.get("leaves"), PEER),
        BenchRow("perft(3), both count the last ply in bulk", LINES, nodes["ours"], nodes.get("bulk"), PEER),
        BenchRow("random games", "games per CPU-second", games["ours"], games.get("peer"), PEER),
        BenchRow("search of master from ten positions", "nodes per CPU-second", searched),
    ]


def _playouts(game: Quoridor) -> Callable[[], int]:
    seeds = iter(range(1 << 62))

    def work() -> int:
        return len(playouts(game, 100, next(seeds)))

    return work
