"""The warm-up of a game of the kit: what `GameSpec.tools.warmup` returns."""

from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.registry import make, make_agent
from ludex.kernels.batch import compiled_batch
from ludex.kernels.warmup import Warmup
from ludex.search.batched.warmup import compile_search


def warmup(game_id: str) -> Warmup:
    """The rules, `mcts` and searches with a network for every match; batches on demand."""
    game = make(game_id)
    return Warmup(
        player={
            "mcts": lambda: decide(Match(game, 0), make_agent(game, "mcts"), Limit(simulations=1)),
            "search with a network": lambda: compile_search(game),
        },
        on_demand={"batch": lambda: compiled_batch(game, 1).reset(0)},
    )
