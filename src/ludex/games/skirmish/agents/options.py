"""The options of the network agent, in a module of their own so that reading options loads no kernel."""

from typing import Literal, TypeAlias

from pydantic import Field

from ludex.core.options import LOCAL, Options

Deployment: TypeAlias = Literal["learned", "first", "uniform"]
"""By a network; the first unit on the first free hex, as its player counts them; or anywhere by chance."""


class NetOptions(Options):
    """Which network plays, and how its actions are chosen."""

    net: str = Field("", description="path of an .onnx file; the network that ships if empty", json_schema_extra=LOCAL)
    temperature: float = Field(
        0.0, ge=0.0, le=20.0, description="0 plays the first choice; the hotter, the more by chance"
    )
    deployment: Deployment = Field(
        "learned", description="place units by the network, on the first free hexes, or anywhere by chance"
    )
    threads: int = Field(1, ge=1, le=64, description="threads of the network", json_schema_extra=LOCAL)
