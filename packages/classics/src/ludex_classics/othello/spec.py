"""What Ludex needs to know of Othello."""

from ludex.core.levels import ladder
from ludex.kit.spec import grid_spec
from ludex_classics.othello.game import BoardOptions

SPEC = grid_spec(
    id="othello",
    title="Othello",
    summary="Enclose the other player's discs and turn them; most discs win.",
    options=BoardOptions,
    presets={"8x8": {"size": 8}, "6x6": {"size": 6}},
    factory="ludex_classics.othello.game:Othello",
    estimate=True,
    levels=ladder(
        "othello",
        newcomer=("random", {}, -327),
        beginner=("minimax", {"depth": 1, "mistakes": 0.5}, -140),
        casual=("minimax", {"depth": 1, "mistakes": 0.2}, -41),
        skilled=("minimax", {"depth": 3}, 127),
        strong=("mcts", {"simulations": 2000}, 381),
        expert=("zero", {"simulations": 100}, None),
    ),
    nets="ludex_classics.nets",
    messages="ludex_classics.othello:messages",
    effects="ludex_classics.othello.effects:effects",
    shelf="ludex_classics:SHELF",
    leaderboard="ludex_classics.othello",
    scene="ludex_classics.othello.teaching:scene",
    rules="ludex_classics.othello.teaching:rulebook",
    coach="ludex_classics.othello.teaching:coach",
    tutorial="ludex_classics.othello.teaching:TUTORIAL",
    first_presets=("6x6",),
)
