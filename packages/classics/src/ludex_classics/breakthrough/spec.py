"""What Ludex needs to know of Breakthrough."""

from ludex.core.levels import ladder
from ludex.kit.spec import grid_spec
from ludex_classics.breakthrough.game import BoardOptions

SPEC = grid_spec(
    id="breakthrough",
    title="Breakthrough",
    summary="Be the first to reach the other side.",
    options=BoardOptions,
    presets={"8x8": {"size": 8}, "6x6": {"size": 6}},
    factory="ludex_classics.breakthrough.game:Breakthrough",
    estimate=True,
    levels=ladder(
        "breakthrough",
        newcomer=("random", {}, -411),
        beginner=("minimax", {"depth": 1, "mistakes": 0.5}, -168),
        casual=("minimax", {"depth": 1, "mistakes": 0.2}, -20),
        skilled=("minimax", {"depth": 3}, 186),
        strong=("minimax", {"depth": 5}, 412),
        expert=("zero", {"simulations": 100}, None),
    ),
    nets="ludex_classics.nets",
    messages="ludex_classics.breakthrough:messages",
    effects="ludex_classics.breakthrough.effects:effects",
    shelf="ludex_classics:SHELF",
    leaderboard="ludex_classics.breakthrough",
    rules="ludex_classics.breakthrough.teaching:rulebook",
    coach="ludex_classics.breakthrough.teaching:coach",
    tutorial="ludex_classics.breakthrough.teaching:TUTORIAL",
    first_presets=("6x6",),
)
