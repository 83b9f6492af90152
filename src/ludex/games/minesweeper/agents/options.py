"""The options of the agents, in a module of their own so that reading options loads no kernel."""

from typing import Literal

from pydantic import Field

from ludex.core.options import LOCAL, Options


class RandomOptions(Options):
    """The options of the random agent."""

    flags: bool = Field(False, description="also toggle flags")


class RulesOptions(Options):
    """What the rules agent does where no rule applies."""

    guess: Literal["none", "uniform"] = Field("none", description="give up where no rule applies, or guess any cell")
    pairs: bool = Field(False, description="beside the original document's two rules, compare numbers two by two")


class ExpertOptions(Options):
    """How far the expert searches the end of a game."""

    solutions: int = Field(2000, ge=1, le=8192, description="search to the end once so few layouts are left")
    nodes: int = Field(
        20_000, ge=1, le=10**8, description="nodes of such a search; beyond them the expert plans one guess ahead"
    )


class NetOptions(Options):
    """Which network plays, and how it is evaluated."""

    net: str = Field("", description="path of an .onnx file; the network that ships if empty", json_schema_extra=LOCAL)
    symmetry: bool = Field(False, description="average over the symmetries of the board, at 4 or 8 times the cost")
    threads: int = Field(1, ge=1, le=64, description="threads of the network", json_schema_extra=LOCAL)
