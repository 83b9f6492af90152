"""Counted lines, and the nodes that the engine counts."""

import time
from typing import NamedTuple

from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.record import play_line
from ludex.core.registry import make, make_agent
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.rules.movegen import perft
from ludex.games.quoridor.rules.position import Position, words


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
