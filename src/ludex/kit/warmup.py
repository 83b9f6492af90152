"""The warm-up of every game of the kit: `ludex.kit.warmup:GAME` is what `GameSpec.tools.warmup` of GAME names."""

from collections.abc import Callable
from functools import partial
from typing import Any

from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.registry import make, make_agent, resolve, spec
from ludex.core.seeding import Rng
from ludex.kernels.batch import compiled_batch
from ludex.kernels.warmup import Warmup
from ludex.search.batched.warmup import compile_search


def warmup(game_id: str) -> Warmup:
    """The contract, the game's own agents, `mcts` and searches with a network for every match; batches on demand."""
    game: Any = make(game_id)
    declared = spec(game_id)

    def play_contract() -> None:
        state = game.initial(Rng(0))
        game.observe(state)
        [*game.pieces(state)]
        if declared.evaluation is not None:
            resolve(declared.evaluation)(game, state, 0)

    def ask(agent: str) -> Callable[[], object]:
        return lambda: decide(Match(game, 0), make_agent(game, agent), Limit(simulations=1, depth=1))

    own = [name for name, agent in declared.agents.items() if not agent.games]
    return Warmup(
        player={
            "rules": play_contract,
            **{name: ask(name) for name in (*own, "mcts")},
            **({"search with a network": lambda: compile_search(game)} if declared.compiled else {}),
        },
        on_demand={"batch": lambda: compiled_batch(game, 1).reset(0)} if declared.compiled else {},
    )


def __getattr__(game_id: str) -> Callable[[], Warmup]:
    """The warm-up of a game, by its name."""
    if game_id.startswith("_"):
        raise AttributeError(game_id)
    return partial(warmup, game_id)
