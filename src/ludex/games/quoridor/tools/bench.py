"""Counting and random games beside open_spiel's Quoridor, and the engine's nodes."""

import random
from collections.abc import Callable
from typing import Any

from ludex.core.bench import BenchRow, rates, with_peers
from ludex.core.errors import MissingDependency
from ludex.core.registry import make
from ludex.core.seeding import generator
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.tools.playout import count, playouts
from ludex.games.quoridor.tools.signature import signature

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
    chosen = random.Random(1)

    def work() -> int:
        state = peer.new_initial_state()
        state.apply_action(chosen.choice(replies))
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
