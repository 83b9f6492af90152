"""What Ludex needs to know."""

from connect_four.game import BoardOptions
from ludex.core.options import NoOptions
from ludex.core.spec import AgentSpec, GameSpec, LearningSpec, ScreenSpec, ToolsSpec

SPEC = GameSpec(
    id="connect_four",
    contract=1,
    title="Connect Four",
    summary="Drop stones into columns; four in a row win.",
    options=BoardOptions,
    presets={"7x6": {"cols": 7, "rows": 6}, "5x4": {"cols": 5, "rows": 4}},
    factory="connect_four.game:ConnectFour",
    compiled="connect_four.compiled:compiled",
    agents={
        "tactical": AgentSpec(
            summary="wins and blocks at once, else plays towards the middle",
            factory="connect_four.agent:Tactical",
            options=NoOptions,
        ),
    },
    screen=ScreenSpec(
        terminal="connect_four.scene:draw",
        scene="connect_four.scene:scene",
        messages="connect_four:messages",
        tutorial="connect_four.tutorial:TUTORIAL",
    ),
    learning=LearningSpec(batch="ludex.kernels.batch:compiled_batch", nets="connect_four"),
    tools=ToolsSpec(warmup="connect_four.compiled:warmup"),
)
