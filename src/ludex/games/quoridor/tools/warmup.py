"""Calls that compile Quoridor's kernels."""

import numpy as np

from ludex.core.limit import Limit
from ludex.core.registry import make, make_agent, resolve, spec
from ludex.core.seeding import generator
from ludex.games.quoridor.agents.solver import solve
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.learning.selfplay import Games, positions_of
from ludex.games.quoridor.rules.position import Position
from ludex.games.quoridor.tools.counting import count
from ludex.kernels.warmup import Warmup
from ludex.search.batched.warmup import compile_search


def warmup() -> Warmup:
    """Each kernel's name, with a call that runs it on the types it is used with."""
    game = make("quoridor", "3x3")
    assert isinstance(game, Quoridor)
    rng = generator(0, 0)
    start = game.initial(rng)
    scene_ref = spec("quoridor").screen.scene
    assert scene_ref is not None
    scene = resolve(scene_ref)

    def put_last_wall() -> Position:
        # Walls are the last of the actions.
        return game.apply(start, int(np.flatnonzero(game.legal(start))[-1]), rng)

    def decide(agent: str, limit: Limit) -> None:
        make_agent(game, agent).decide(start, game.legal(start), rng=rng, limit=limit)

    return Warmup(
        player={
            "legal moves": lambda: game.apply(start, int(game.legal(start).argmax()), rng),
            "positions from outside": lambda: game.load(game.dump(put_last_wall())),
            "screen": lambda: scene(game, put_last_wall(), game.legal(put_last_wall())),
            "levels": lambda: decide("hard", Limit()),
            "engine": lambda: decide("master:hash=1", Limit(depth=2)),
        },
        agents={
            "solver": lambda: solve(game).best(start),
            "tree search": lambda: decide("mcts", Limit(simulations=1)),
            "search with a network": lambda: compile_search(game),
        },
        on_demand={
            "perft": lambda: count(game, start, 2),
            "training data": _replay,
        },
    )


def _replay() -> None:
    nothing = Games(np.zeros(0, np.uint8), np.zeros(0, np.int16), np.zeros(0, np.int32), np.zeros(0, np.int8))
    positions_of(nothing, mirrored=False)
