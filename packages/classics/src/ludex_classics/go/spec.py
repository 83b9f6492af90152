"""What Ludex needs to know of Go."""

from typing import Literal

from pydantic import Field

from ludex.core.levels import ladder
from ludex.core.options import Options
from ludex.kit.spec import grid_spec


class BoardOptions(Options):
    """The size of a board, and the points that White has for moving second."""

    size: Literal[3, 4, 5, 6, 7, 8, 9] = 9
    komi: float = Field(default=7.5, ge=0, le=40, multiple_of=0.5)


SPEC = grid_spec(
    id="go",
    title="Go",
    summary="Surround more of the board than the other player.",
    options=BoardOptions,
    presets={"9x9": {"size": 9, "komi": 7.5}, "7x7": {"size": 7, "komi": 8.5}},
    factory="ludex_classics.go.game:Go",
    estimate=True,
    compiled="ludex_classics.go.game:compiled",
    levels=ladder(
        "go",
        newcomer=("random", {}, -629),
        beginner=("minimax", {"depth": 1, "mistakes": 0.5}, -261),
        casual=("minimax", {"depth": 1, "mistakes": 0.2}, -139),
        skilled=("mcts", {"simulations": 200}, 410),
        strong=("mcts", {"simulations": 2000}, 619),
        expert=("zero", {"simulations": 100}, None),
    ),
    nets="ludex_classics.nets",
    messages="ludex_classics.go:messages",
    effects="ludex_classics.go.effects:effects",
    shelf="ludex_classics:SHELF",
    leaderboard="ludex_classics.go",
    scene="ludex_classics.go.teaching:scene",
    rules="ludex_classics.go.teaching:rulebook",
    coach="ludex_classics.go.teaching:coach",
    tutorial="ludex_classics.go.teaching:TUTORIAL",
    first_presets=("7x7",),
)
