"""What Ludex needs to know of Dots and Boxes."""

from ludex.core.levels import ladder
from ludex.core.spec import PuzzlesSpec, ThemeSpec
from ludex.kit.spec import grid_spec
from ludex_classics.boxes.game import BoardOptions

SPEC = grid_spec(
    id="boxes",
    title="Dots and Boxes",
    summary="Close more boxes than the other player.",
    options=BoardOptions,
    presets={"5x5": {"size": 5}, "3x3": {"size": 3}},
    factory="ludex_classics.boxes.game:Boxes",
    estimate=True,
    levels=ladder(
        "boxes",
        newcomer=("random", {}, -618),
        beginner=("minimax", {"depth": 1, "mistakes": 0.5}, -315),
        casual=("minimax", {"depth": 1, "mistakes": 0.2}, -80),
        skilled=("minimax", {"depth": 3}, 232),
        strong=("mcts", {"simulations": 2000}, 780),
    ),
    messages="ludex_classics.boxes:messages",
    effects="ludex_classics.boxes.effects:effects",
    shelf="ludex_classics:SHELF",
    leaderboard="ludex_classics.boxes",
    scene="ludex_classics.boxes.teaching:scene",
    rules="ludex_classics.boxes.teaching:rulebook",
    coach="ludex_classics.boxes.teaching:coach",
    tutorial="ludex_classics.boxes.teaching:TUTORIAL",
    first_presets=("3x3",),
    puzzles=PuzzlesSpec(
        themes={
            "win": ThemeSpec(
                boards=("3x3",),
                make="ludex_classics.endings:make",
                prove="ludex_classics.endings:prove",
            ),
        },
        data="ludex_classics.boxes.data",
    ),
)
