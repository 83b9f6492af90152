"""What Ludex needs to know of Dark Hex."""

from dataclasses import replace
from typing import Literal

from ludex.core.levels import ladder
from ludex.core.options import Options
from ludex.kit.spec import grid_spec


class BoardOptions(Options):
    """The size of a board."""

    size: Literal[3, 4, 5] = 4


SPEC = replace(
    grid_spec(
        id="dark_hex",
        title="Dark Hex",
        summary="Connect your two sides without seeing the other player's stones.",
        options=BoardOptions,
        presets={"4x4": {"size": 4}, "3x3": {"size": 3}, "5x5": {"size": 5}},
        factory="ludex_classics.dark_hex.game:DarkHex",
        compiled=None,
        levels=ladder(
            "dark_hex",
            newcomer=("random", {}, -151),
            beginner=("mcts", {"simulations": 40, "mistakes": 0.5}, -116),
            casual=("mcts", {"simulations": 40, "mistakes": 0.2}, -50),
            skilled=("mcts", {"simulations": 200}, 131),
            strong=("mcts", {"simulations": 1000}, 186),
        ),
        messages="ludex_classics.dark_hex:messages",
        effects="ludex_classics.hex.effects:effects",
        shelf="ludex_classics:SHELF",
        leaderboard="ludex_classics.dark_hex",
        scene="ludex_classics.hex.teaching:scene",
        rules="ludex_classics.dark_hex.teaching:rulebook",
        coach="ludex_classics.dark_hex.teaching:coach",
        tutorial="ludex_classics.dark_hex.teaching:TUTORIAL",
        first_presets=("3x3", "4x4"),
    ),
    vary_secret="ludex_classics.dark_hex.game:vary_secret",
)
