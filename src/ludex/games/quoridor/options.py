"""The options of the board and the agents, apart from them so that reading options loads no kernel."""

from typing import NamedTuple

from pydantic import Field

from ludex.core.messages import Message
from ludex.core.options import LOCAL, Options


class QuoridorOptions(Options):
    """A board and its walls."""

    size: int = Field(9, ge=3, le=11, description="squares a side")
    walls: int = Field(10, ge=0, le=50, description="walls each player begins with")


class EvalWeights(NamedTuple):
    """What each term of the evaluation counts; the defaults are the original document's. Also the weighted terms."""

    distance: int = 10
    endgame: int = 15
    walls: int = 2
    mobility: int = 3
    efficiency: int = 5


SEED = EvalWeights()
MOST_WEIGHT = 1000
"""Far above any useful weight, and low enough that no sum of terms is taken for a win."""


class LevelOptions(Options):
    """The original `DifficultyConfig` and `EvalWeights`: a level's depth and noise, and what its evaluation counts."""

    depth: int = Field(ge=0, le=7, description="plies to look ahead after each of its moves")
    noise: int = Field(ge=0, le=1000, description="uniform noise in -noise..noise on every evaluation")
    distance_weight: int = Field(
        SEED.distance, ge=0, le=MOST_WEIGHT, description="points per step that its path is shorter than the opponent's"
    )
    endgame_weight: int = Field(
        SEED.endgame, ge=0, le=MOST_WEIGHT, description="points times (4 - d)^2 for a pawn d <= 3 steps from its goal"
    )
    wall_weight: int = Field(
        SEED.walls, ge=0, le=MOST_WEIGHT, description="points per wall in hand more than the opponent"
    )
    mobility_weight: int = Field(
        SEED.mobility, ge=0, le=MOST_WEIGHT, description="points per pawn move more than the opponent"
    )
    efficiency_weight: int = Field(
        SEED.efficiency,
        ge=0,
        le=MOST_WEIGHT,
        description="points per step that walls add to the opponent's path beyond those they add to its own",
    )

    @property
    def weights(self) -> EvalWeights:
        return EvalWeights(
            self.distance_weight,
            self.endgame_weight,
            self.wall_weight,
            self.mobility_weight,
            self.efficiency_weight,
        )


class MasterOptions(Options):
    """What the engine may use."""

    hash: int = Field(64, ge=1, le=4096, description="megabytes of the transposition table", json_schema_extra=LOCAL)
    net: str = Field(
        "auto",
        description="shipped, none, a file of weights, or auto: shipped on the board it knows",
        json_schema_extra=LOCAL,
    )
    multipv: int = Field(1, ge=1, le=64, description="how many lines to find, best first")
    effort: int = Field(200_000, ge=1, le=10**8, description="nodes a move where no limit is given")


def board_title(options: QuoridorOptions, preset: str) -> Message:
    """A board by its size and its walls."""
    return Message("quoridor.board", {"size": options.size, "count": options.walls})
