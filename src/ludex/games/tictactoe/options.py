"""What can be set on the players. Apart from them, so that reading options loads no kernel."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from ludex.core.options import Options


class RankingOptions(Options):
    """Which ranking the policy reads."""

    ranking: Literal["shipped", "database", "empty"] = Field("shipped", description="where the Q values come from")
    file: Path | None = Field(None, description="a rankings file to read instead")


class PerfectOptions(Options):
    """How perfect play chooses among equally good moves."""

    ties: Literal["first", "random"] = Field("first", description="which of equally good moves to play")
