"""Random games and counted lines beside open_spiel's Quoridor, and the nodes that the engine counts."""

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ludex.core.bench import BenchRow, rates, with_peers
from ludex.core.compiled import Vector
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.record import play_line
from ludex.core.registry import make, make_agent
from ludex.core.seeding import generator
from ludex.games.quoridor.game import Quoridor
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
from ludex.kit.bits128 import has


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


DEPTH = 9
POSITIONS = (
    "",
    "a5h f9 h1h b3v",
    "e7v a5v g2h g8v e2 e8 d2 e7",
    "b7v d7v a3v e1v e2 e8 e3 e7 e4 e6 d3h e8h",
    "h1v h4h c6v e1v e2 e8 e3 e7 e4 e6 e3h d6h e5 e4 c3h f6h",
    "a7v a3v h3v d1h f1 e8 f2 e7 f3 e6 f4 f6h f1h d6h e4 a6h d4 e5 d3 e4",
    "g6h h4h c3v g8h e2 e8 e3 e7 e4 e6 e5 e4 d3h d5h e3v f5h f4h h5h b4h b5h d5 a6h c5 c6h b5 e6h",
    "c8v f8h e3h h6v d1 e8 d2 e7 d3 c3h e3 e6 f3 f2v f2 e5 f1 f5 f4v f6 g1 g6 g5h f6 f1 f7 g1 f8 h1 g8 h2 h8h",
    "f5h c7v f8h c2h e2 e8 e3 e7 e4 e6 e3h e6h d5h d4v c5v h8h f6v d8h f4 d2v g4 d6 g3 d7 g2 d8 f2 e8 f1 e1v f2 f8 f3 "
    "g8 e3 h8 e2 h7",
    "a3h a8h d2v c5v e2 e8 e3 e3h f3 g3h g3 e7 h3 h2v h2 h7h h1 f7h e6h d7h g1 d7 f1 d6 e1 d5 d4h b7h h1h d6 d1 d5 c1 "
    "c8h e4v d6 c6h e6 g6h f6 c2 g6 c3 h6",
)
"""Ten positions from the opening to the last walls."""


class Signature(NamedTuple):
    """What the engine counted, and how long it took."""

    nodes: int
    positions: int
    depth: int
    cpu_seconds: float


def signature(depth: int = DEPTH) -> Signature:
    """Search every position from scratch to one depth; the count is the same on every machine.

    A change that keeps the number keeps the search; one that changes it must say why and show a match.
    """
    game = make("quoridor")
    agent = make_agent(game, "master")
    # Reading kernels from the cache is not searching.
    decide(Match(game, seed=0), agent, Limit(depth=1))
    nodes, spent = 0, 0.0
    for line in POSITIONS:
        match = Match(game, seed=0)
        play_line(match, line)
        begin = time.process_time()
        counted = decide(match, agent, Limit(depth=depth)).stats["nodes"]
        spent += time.process_time() - begin
        assert isinstance(counted, int)
        nodes += counted
    return Signature(nodes, len(POSITIONS), depth, spent)


PEER = "open_spiel pyspiel"
LINES = "lines per CPU-second"
MOST_PLIES = 324
"""Where both call a random game off."""


def bench(seconds: float) -> list[BenchRow]:
    """perft(3) and random games on 9x9 beside pyspiel through its Python API, and the engine from ten positions."""
    game = make("quoridor")
    assert isinstance(game, Quoridor)
    start = game.initial(generator(0, 0))
    perfts = {"bulk": lambda peers: peers.perft(bulk=True), "leaves": lambda peers: peers.perft(bulk=False)}
    played = {"peer": lambda peers: peers.random_games()}
    nodes = rates(with_peers("quoridor", {"ours": lambda: count(game, start, 3)}, perfts), seconds)
    games = rates(with_peers("quoridor", {"ours": _playouts(game)}, played), seconds)
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
