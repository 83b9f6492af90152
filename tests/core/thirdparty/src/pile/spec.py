"""What Ludex needs to know."""

from ludex.core.options import NoOptions
from ludex.core.spec import AgentSpec, GameSpec, ScreenSpec, ToolsSpec
from pile.game import PileOptions

SPEC = GameSpec(
    id="pile",
    title="Pile",
    summary="Take one, two or three; who takes the last one wins.",
    options=PileOptions,
    presets={"seven": {"size": 7}},
    factory="pile.game:PileGame",
    agents={
        "remainder": AgentSpec(summary="arithmetic", factory="pile.game:Remainder", options=NoOptions),
    },
    screen=ScreenSpec(
        terminal="pile.game:draw",
    ),
    tools=ToolsSpec(
        verbs={"multiples": "pile.verbs:multiples"},
    ),
)
