"""What Ludex needs to know."""

from connect_four.game import BoardOptions
from ludex.core.levels import ladder
from ludex.core.options import NoOptions
from ludex.core.spec import AgentSpec
from ludex.kit.spec import grid_spec

SPEC = grid_spec(
    id="connect_four",
    title="Connect Four",
    summary="Drop stones into columns; four in a row win.",
    options=BoardOptions,
    presets={"7x6": {"cols": 7, "rows": 6}, "5x4": {"cols": 5, "rows": 4}},
    factory="connect_four.game:ConnectFour",
    agents={
        "tactical": AgentSpec(
            summary="wins and blocks at once, else plays towards the middle",
            factory="connect_four.agent:Tactical",
            options=NoOptions,
        ),
    },
    levels=ladder(
        "connect_four",
        newcomer=("random", {}, None),
        casual=("tactical", {}, None),
        strong=("mcts", {"simulations": 2000}, None),
    ),
    messages="connect_four:messages",
    scene="connect_four.teaching:scene",
    rules="connect_four.teaching:rulebook",
    tutorial="connect_four.teaching:TUTORIAL",
    nets="connect_four",
)
