"""The options of the agents, in a module of their own so that reading options loads no kernel."""

from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from ludex.core.options import LOCAL, Options


class RankingOptions(Options):
    """Which ranking the policy reads."""

    ranking: Literal["shipped", "database", "empty"] = Field("shipped", description="where the Q values come from")
    file: Path | None = Field(None, description="a rankings file to read instead", json_schema_extra=LOCAL)

    @model_validator(mode="after")
    def _one_source(self) -> "RankingOptions":
        if self.file is not None and "ranking" in self.model_fields_set:
            raise ValueError("give ranking or file, not both")
        return self


class PerfectOptions(Options):
    """How perfect play chooses among equally good moves."""

    ties: Literal["first", "random"] = Field("first", description="which of equally good moves to play")
