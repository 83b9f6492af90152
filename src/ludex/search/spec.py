"""The generic agents as the registry knows them: entry points of `ludex.agents`, for every game."""

from ludex.core.options import NoOptions
from ludex.core.spec import AgentSpec
from ludex.search.options import MctsOptions, MinimaxOptions, ZeroOptions

RANDOM = AgentSpec(
    summary="any legal move, each equally likely",
    factory="ludex.search.random:random",
    options=NoOptions,
    games="*",
)
MINIMAX = AgentSpec(
    summary="alpha-beta: as many plies ahead as its limit allows",
    factory="ludex.search.minimax:minimax",
    check="ludex.search.model:check_searchable",
    options=MinimaxOptions,
    games="*",
)
MCTS = AgentSpec(
    summary="Monte Carlo tree search: plays many games to the end and prefers what won",
    factory="ludex.search.mcts:mcts",
    check="ludex.search.model:check_searchable",
    options=MctsOptions,
    games="*",
    kernels="agents",
)
ZERO = AgentSpec(
    summary="tree search with a network that learned the game from its rules alone",
    factory="ludex.search.zero:zero",
    check="ludex.search.zero:check_zero",
    options=ZeroOptions,
    presets_of="ludex.search.shipped:shipped_presets",
    games="*",
    kernels="agents",
)
