"""The options of the game, in a module of their own so that reading options loads no scenario."""

from pydantic import Field

from ludex.core.options import LOCAL, Options


class SkirmishOptions(Options):
    """Which board, forces and rules are played."""

    scenario: str = Field(
        "default",
        description="a scenario that ships, or a path to a folder of the same shape",
        json_schema_extra=LOCAL,
    )
