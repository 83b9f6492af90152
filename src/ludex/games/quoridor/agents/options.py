"""The options of the agents, in a module of their own so that reading options loads no kernel."""

from pydantic import Field

from ludex.core.options import LOCAL, Options


class LevelOptions(Options):
    """The seed's `DifficultyConfig`: a level's search depth and noise."""

    depth: int = Field(ge=0, le=7, description="plies to look ahead after each of its moves")
    noise: int = Field(ge=0, le=1000, description="uniform noise in -noise..noise on every evaluation")


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
