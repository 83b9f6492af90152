"""What Ludex needs to know of Hex."""

from ludex.core.levels import ladder
from ludex.core.spec import PuzzlesSpec, ThemeSpec
from ludex.kit.spec import grid_spec
from ludex_classics.hex.game import BoardOptions

SPEC = grid_spec(
    id="hex",
    title="Hex",
    summary="Connect your two sides of the board.",
    options=BoardOptions,
    presets={"11x11": {"size": 11}, "7x7": {"size": 7}, "5x5": {"size": 5}},
    factory="ludex_classics.hex.game:Hex",
    levels=ladder(
        "hex",
        newcomer=("random", {}, -658),
        beginner=("mcts", {"simulations": 40, "mistakes": 0.5}, -342),
        casual=("mcts", {"simulations": 40, "mistakes": 0.2}, -175),
        skilled=("mcts", {"simulations": 200}, 432),
        strong=("mcts", {"simulations": 2000}, 744),
        expert=("zero", {"simulations": 100}, None),
    ),
    nets="ludex_classics.nets",
    messages="ludex_classics.hex:messages",
    effects="ludex_classics.hex.effects:effects",
    shelf="ludex_classics:SHELF",
    leaderboard="ludex_classics.hex",
    scene="ludex_classics.hex.teaching:scene",
    rules="ludex_classics.hex.teaching:rulebook",
    coach="ludex_classics.hex.teaching:coach",
    tutorial="ludex_classics.hex.teaching:TUTORIAL",
    first_presets=("5x5", "7x7"),
    puzzles=PuzzlesSpec(
        themes={
            "win": ThemeSpec(
                boards=("5x5",),
                make="ludex_classics.endings:make",
                prove="ludex_classics.endings:prove",
            ),
        },
        data="ludex_classics.hex.data",
    ),
)
