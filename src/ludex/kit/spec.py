"""`grid_spec`: the `GameSpec` of a game of the kit, with everything that follows from its rules."""

from collections.abc import Mapping
from typing import Any, Final

from ludex.core.options import Options
from ludex.core.spec import (
    AgentSpec,
    GameSpec,
    LearningSpec,
    LevelSpec,
    PuzzlesSpec,
    Ref,
    ReviewSpec,
    ScreenSpec,
    ToolsSpec,
    TrainingSpec,
)

COMPILED_NODES: Final = 6000
"""Simulations by which hints and reviews judge a position, where rules are compiled."""


def grid_spec(
    *,
    id: str,
    title: str,
    summary: str,
    options: type[Options],
    presets: Mapping[str, Mapping[str, Any]],
    factory: Ref,
    agents: Mapping[str, AgentSpec] | None = None,
    levels: Mapping[str, LevelSpec] | None = None,
    estimate: bool = False,
    nets: str | None = None,
    leaderboard: str | None = None,
    training: TrainingSpec | None = None,
    review: ReviewSpec | None = None,
    puzzles: PuzzlesSpec | None = None,
    scene: Ref | None = "ludex.kit.screen:scene",
    compiled: Ref | None = "ludex.kit.compiled:compiled",
    **screen: Any,
) -> GameSpec:
    """Rules, kernels, batches and a board; `screen` are fields of `ScreenSpec`, such as `messages` and `rules`.

    `estimate` says that the rules have that kernel; `compiled` is None for hidden information, which searches
    in kernels and batches do not suit. Without a `training` of its own the game is learned by `--config alphazero` and
    `--config minute`; `replace(ludex.learn.trainings.ALPHAZERO, configs="my_game.configs")` adds the files of a
    package, such as a `minute.yaml` that begins with `extends: alphazero`.
    """
    return GameSpec(
        id=id,
        title=title,
        summary=summary,
        options=options,
        presets=presets,
        factory=factory,
        compiled=compiled,
        agents=agents or {},
        levels=levels or {},
        evaluation="ludex.kit.game:expected_score" if estimate else None,
        screen=ScreenSpec(**{"terminal": "ludex.kit.screen:draw", "scene": scene, **screen}),
        learning=LearningSpec(
            batch="ludex.kernels.batch:compiled_batch" if compiled else None, nets=nets, training=training
        ),
        review=review or (ReviewSpec(nodes=COMPILED_NODES) if compiled else ReviewSpec()),
        puzzles=puzzles or PuzzlesSpec(),
        tools=ToolsSpec(warmup=f"ludex.kit.warmup:{id}", leaderboard=leaderboard),
    )
