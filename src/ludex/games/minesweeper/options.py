"""The options of the board and the agents, apart from them so that reading options loads no kernel."""

from typing import Final, Literal, Self

from pydantic import Field, model_validator

from ludex.core.messages import Message
from ludex.core.options import LOCAL, Options, OptionsFault

Start = Literal["zero", "safe", "none"]
"""What the first reveal is guaranteed: a cell without neighbouring mines, no mine, or nothing."""

PLIES_PER_CELL: Final = 4
"""Reveals end a game within as many plies as there are cells; this allows for flags, and bounds their toggling."""


def most_mines(rows: int, cols: int, start: Start) -> int:
    """The most mines that fit for every first cell, with at least one cell free of them.

    >>> most_mines(9, 9, "zero"), most_mines(9, 9, "safe"), most_mines(2, 2, "zero")
    (72, 80, 0)
    """
    kept_free = min(rows, 3) * min(cols, 3) if start == "zero" else 1
    return rows * cols - kept_free


class BoardOptions(Options):
    """A board and how its first reveal is treated."""

    rows: int = Field(8, ge=1, le=64, description="rows of the board")
    cols: int = Field(8, ge=1, le=64, description="columns of the board")
    mines: int = Field(10, ge=1, description="hidden mines")
    start: Start = Field("zero", description="the first reveal is a zero, is safe, or may be a mine (none)")
    random_first_click: bool = Field(False, description="begin with a random cell already revealed")
    no_guess: bool = Field(
        False,
        description="a board that needs no guess, from a start cell that is given",
        json_schema_extra={"main": True},
    )

    @model_validator(mode="after")
    def _mines_fit(self) -> Self:
        most = most_mines(self.rows, self.cols, self.start)
        if self.mines > most:
            sizes = {"rows": self.rows, "cols": self.cols, "mines": self.mines, "count": most}
            raise OptionsFault(Message(f"minesweeper.too_many_mines_{self.start}", sizes))
        if self.no_guess and self.random_first_click:
            raise OptionsFault(Message("minesweeper.two_starts"))
        return self


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
