"""What Ludex needs to know of Nine Men's Morris."""

from ludex.core.levels import ladder
from ludex.core.spec import ReviewSpec
from ludex.kit.spec import grid_spec
from ludex_classics.morris.game import BoardOptions

SPEC = grid_spec(
    id="morris",
    title="Nine Men's Morris",
    summary="Close mills of three, and take the other player's men.",
    options=BoardOptions,
    presets={"classic": {}},
    factory="ludex_classics.morris.game:Morris",
    estimate=True,
    # Random play to the end overlooks mills: it lost 4 of 6 games to as many nodes of this, and won none.
    review=ReviewSpec(analysts=("minimax", "mcts"), nodes=6000),
    levels=ladder(
        "morris",
        newcomer=("random", {}, -486),
        beginner=("mcts", {"simulations": 40, "mistakes": 0.5}, -244),
        casual=("mcts", {"simulations": 40, "mistakes": 0.2}, -147),
        skilled=("minimax", {"depth": 3}, 363),
        strong=("mcts", {"simulations": 2000}, 514),
    ),
    messages="ludex_classics.morris:messages",
    effects="ludex_classics.morris.effects:effects",
    shelf="ludex_classics:SHELF",
    leaderboard="ludex_classics.morris",
    scene="ludex_classics.morris.teaching:scene",
    rules="ludex_classics.morris.teaching:rulebook",
    coach="ludex_classics.morris.teaching:coach",
    composite="ludex_classics.morris.teaching:expand",
    tutorial="ludex_classics.morris.teaching:TUTORIAL",
)
