"""Compiling the slice's kernels before anybody waits for them."""

from collections.abc import Callable

from ludex.core.limit import Limit
from ludex.core.registry import make, make_agent
from ludex.core.seeding import generator
from ludex.games.quoridor.count import count
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.playout import playouts
from ludex.games.quoridor.solve import solve


def warmup() -> dict[str, Callable[[], object]]:
    """Each kernel's name, with a call that runs it on the types it is used with."""
    game = make("quoridor", "3x3")
    assert isinstance(game, Quoridor)
    level, engine = make_agent(game, "hard"), make_agent(game, "master:hash=1")
    rng = generator(0, 0)
    start = game.initial(rng)
    return {
        "legal moves": lambda: game.apply(start, int(game.legal(start).argmax()), rng),
        "positions from outside": lambda: game.load(game.dump(start)),
        "perft": lambda: count(game, start, 2),
        "playouts": lambda: playouts(game, 1, 0),
        "solver": lambda: solve(game).best(start),
        "levels": lambda: level.decide(start, game.legal(start), rng=rng, limit=Limit()),
        "engine": lambda: engine.decide(start, game.legal(start), rng=rng, limit=Limit(depth=2)),
    }
