"""`grid_spec`: the `GameSpec` of a game of the kit, with everything that follows from its rules."""

from collections.abc import Mapping
from typing import Any

from ludex.core.options import Options
from ludex.core.spec import AgentSpec, GameSpec, LearningSpec, LevelSpec, Ref, ScreenSpec, ToolsSpec, TrainingSpec


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
    scene: Ref | None = "ludex.kit.screen:scene",
    compiled: Ref | None = "ludex.kit.compiled:compiled",
    **screen: Any,
) -> GameSpec:
    """Rules, kernels, batches and a board; `screen` are fields of `ScreenSpec`.

    `estimate` says that the rules have that kernel; `compiled` is None for hidden information, which searches
    in kernels and batches do not suit.
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
        tools=ToolsSpec(warmup=f"ludex.kit.warmup:{id}", leaderboard=leaderboard),
    )
