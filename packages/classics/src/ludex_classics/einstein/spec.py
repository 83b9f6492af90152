"""What Ludex needs to know of EinStein würfelt nicht!."""

from ludex.core.levels import ladder
from ludex.core.options import Options
from ludex.kit.spec import grid_spec


class BoardOptions(Options):
    """Nothing to choose."""


SPEC = grid_spec(
    id="einstein",
    title="EinStein würfelt nicht!",
    summary="Reach the opposite corner with the stones that a die lets move.",
    options=BoardOptions,
    presets={"5x5": {}},
    factory="ludex_classics.einstein.game:EinStein",
    estimate=True,
    levels=ladder(
        "einstein",
        newcomer=("random", {}, -248),
        beginner=("minimax", {"depth": 1, "mistakes": 0.5}, -173),
        casual=("minimax", {"depth": 1, "mistakes": 0.2}, 48),
        skilled=("minimax", {"depth": 2}, 176),
        strong=("minimax", {"depth": 3}, 196),
    ),
    messages="ludex_classics.einstein:messages",
    effects="ludex_classics.einstein.effects:effects",
    shelf="ludex_classics:SHELF",
    leaderboard="ludex_classics.einstein",
    scene="ludex_classics.einstein.teaching:scene",
    rules="ludex_classics.einstein.teaching:rulebook",
    coach="ludex_classics.einstein.teaching:coach",
    tutorial="ludex_classics.einstein.teaching:TUTORIAL",
)
