"""The options of the game and its agents, apart from them so that reading options loads no scenario."""

from typing import Literal, TypeAlias

from pydantic import Field

from ludex.core.messages import Message
from ludex.core.options import LOCAL, Options


class SkirmishOptions(Options):
    """Which board, forces and rules are played."""

    scenario: str = Field(
        "default", description="a scenario that ships, or a path to a folder of the same shape", json_schema_extra=LOCAL
    )


Deployment: TypeAlias = Literal["learned", "first", "sampled", "uniform"]
"""The network's first choice; the first unit on the first free hex, as its player counts them; drawn from the policy at
the temperature; or anywhere at random. The first two follow from the position, and the levels use no other."""


class NetOptions(Options):
    """Which network plays, and how its actions are chosen."""

    net: str = Field("", description="path of an .onnx file; the network that ships if empty", json_schema_extra=LOCAL)
    temperature: float = Field(
        0.0, ge=0.0, le=20.0, description="in battle, 0 plays the first choice; the hotter, the more at random"
    )
    deployment: Deployment = Field(
        "learned",
        description="place units by the network's first choice, on the first free hexes, as drawn from the network at "
        "its temperature, or anywhere at random",
    )
    simulations: int = Field(
        0,
        ge=0,
        le=10_000,
        description="in battle, how often the likeliest actions are played on to the end of the turn; 0: no search",
    )
    threads: int = Field(1, ge=1, le=64, description="threads of the network", json_schema_extra=LOCAL)


SHIPPED = ("default", "mirror", "small", "people", "cramped")
"""The scenarios that ship."""


def board_title(options: SkirmishOptions, preset: str) -> Message:
    """A scenario in a few words; one from a folder by its name."""
    if preset in SHIPPED:
        return Message(f"skirmish.board_{preset}")
    return Message("skirmish.board_own", {"scenario": options.scenario})
