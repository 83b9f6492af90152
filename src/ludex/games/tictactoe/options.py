"""The options of the board and the agents, apart from them so that reading options loads no kernel."""

from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from ludex.core.messages import Message
from ludex.core.options import LOCAL, Options, OptionsFault

MAX_BOARD_CELLS = 60
"""A set of cells must fit a signed 64-bit word of a kernel."""


class BoardOptions(Options):
    """The (m,n,k) of a game: rows, columns, and how many in a row win."""

    rows: int = Field(3, ge=2, le=26, description="rows of the board")
    cols: int = Field(3, ge=2, le=26, description="columns of the board")
    k: int = Field(3, ge=2, description="marks in a row that win")

    @model_validator(mode="after")
    def _fits(self) -> "BoardOptions":
        sizes = {"rows": self.rows, "cols": self.cols}
        if self.rows * self.cols > MAX_BOARD_CELLS:
            raise OptionsFault(Message("tictactoe.too_many_cells", {**sizes, "most": MAX_BOARD_CELLS}))
        if self.k > max(self.rows, self.cols):
            raise OptionsFault(Message("tictactoe.too_long_line", {**sizes, "k": self.k}))
        return self


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


def board_title(options: BoardOptions, preset: str) -> Message:
    """A board by its size and what wins on it."""
    return Message("tictactoe.board", {"rows": options.rows, "cols": options.cols, "k": options.k})
