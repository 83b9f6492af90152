"""Counting and random games beside open_spiel's Quoridor, and the nodes that the engine counts on fixed positions."""

import random
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from ludex.core.bench import BenchRow, rates, with_peers
from ludex.core.errors import MissingDependency
from ludex.core.limit import Limit
from ludex.core.line import play_line
from ludex.core.match import Match, decide
from ludex.core.registry import make, make_agent
from ludex.core.seeding import generator
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.tools.playout import count, playouts

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
    perfts = {"bulk": lambda: _perft(_peer(), True), "leaves": lambda: _perft(_peer(), False)}
    nodes = rates(with_peers({"ours": lambda: count(game, start, 3)}, perfts), seconds)
    games = rates(with_peers({"ours": _playouts(game)}, {"peer": lambda: _random_games(_peer())}), seconds)
    searched = rates({"ours": lambda: signature().nodes}, seconds)["ours"]
    return [
        BenchRow("perft(3), the peer applies every leaf", LINES, nodes["ours"], nodes.get("leaves"), PEER),
        BenchRow("perft(3), both count the last ply in bulk", LINES, nodes["ours"], nodes.get("bulk"), PEER),
        BenchRow("random games", "games per CPU-second", games["ours"], games.get("peer"), PEER),
        BenchRow("search of master from ten positions", "nodes per CPU-second", searched),
    ]


def _peer() -> Any:
    try:
        import pyspiel
    except ImportError as error:
        raise MissingDependency("open_spiel is not installed: pip install 'ludex[peers]'") from error
    return pyspiel.load_game("quoridor(board_size=9)")


def _perft(peer: Any, bulk: bool) -> Callable[[], int]:
    """A part of perft(3): the lines after one first move. Its Python API has no faster way to count them."""
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


def _random_games(peer: Any) -> Callable[[], int]:
    choice = random.Random(1).choice

    def work() -> int:
        state = peer.new_initial_state()
        while not state.is_terminal():
            state.apply_action(choice(state.legal_actions()))
        return 1

    return work


def _playouts(game: Quoridor) -> Callable[[], int]:
    seeds = iter(range(1 << 62))

    def work() -> int:
        return len(playouts(game, 100, next(seeds)))

    return work
