"""The generic agents as the registry knows them: entry points of `ludex.agents`, for every game, and their options.

Reading them loads no search, and neither NumPy nor a network.
"""

import math
from importlib.resources import files
from typing import Final

from pydantic import Field

from ludex.core.options import LOCAL, NoOptions, Options
from ludex.core.spec import AgentSpec, GameSpec

ROLLOUT_EXPLORATION: Final = 1.4
EVALUATION_EXPLORATION: Final = 0.2
"""An evaluation varies less than the ends of games do."""


class MinimaxOptions(Options):
    """What bounds and shapes alpha-beta."""

    depth: int | None = Field(None, ge=1, le=1000, description="plies to look ahead; none: as deep as the limit allows")
    samples: int = Field(4, ge=1, le=256, description="positions and dice averaged where they are hidden or drawn")
    tt: int = Field(1 << 16, ge=0, le=1 << 22, description="most positions in the transposition table")


class MctsOptions(Options):
    """What bounds and shapes UCT."""

    simulations: int | None = Field(None, ge=1, le=10_000_000, description="simulations per move; none: by the limit")
    exploration: float | None = Field(
        None, ge=0, le=100, description="weight of moves that were tried seldom; none: 1.4, 0.2 with an evaluation"
    )
    bias: float = Field(1.0, ge=0, le=100, description="weight of the game's evaluation of a move tried seldom")
    rollout: int | None = Field(
        None,
        ge=0,
        le=100_000,
        description="random plies behind the tree; none: to the end, 0 with an evaluation",
    )

    def exploration_weight(self, evaluated: bool) -> float:
        """The weight of moves that were tried seldom, in games with an evaluation or without."""
        usual = EVALUATION_EXPLORATION if evaluated else ROLLOUT_EXPLORATION
        return usual if self.exploration is None else self.exploration

    def rollout_plies(self, evaluated: bool) -> float:
        """How many plies are played at random behind the tree."""
        usual = 0.0 if evaluated else math.inf
        return usual if self.rollout is None else float(self.rollout)


class ZeroOptions(Options):
    """What bounds and shapes the search with a network."""

    simulations: int | None = Field(None, ge=1, le=20_000, description="simulations per move; none: by the limit")
    exploration: float = Field(1.25, ge=0, le=100, description="weight of what the network prefers")
    net: str = Field("", description="path of an .onnx file; none: the one that ships", json_schema_extra=LOCAL)
    threads: int = Field(1, ge=1, le=64, description="threads of the network", json_schema_extra=LOCAL)


def net_name(game: str, preset: str) -> str:
    """The file of a board's network among those that ship."""
    return f"zero-{game}-{preset}.onnx"


def shipped_presets(spec: GameSpec) -> tuple[str, ...]:
    """The presets of a game whose network ships, in `LearningSpec.nets`."""
    if spec.learning.nets is None:
        return ()
    folder = files(spec.learning.nets)
    return tuple(preset for preset in spec.presets if folder.joinpath(net_name(spec.id, preset)).is_file())


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
    presets_of="ludex.search.spec:shipped_presets",
    games="*",
    kernels="agents",
)
