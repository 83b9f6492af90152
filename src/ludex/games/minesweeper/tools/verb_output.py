"""Parameters and output that several commands share."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from ludex.core.game import Json
from ludex.core.seeding import MAX_SEED
from ludex.games.minesweeper.rules.three_bv import openings, three_bv
from ludex.games.minesweeper.tools.formats import write_mines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


Seed = Annotated[int, typer.Option(min=0, max=MAX_SEED, help="seed of all randomness")]


@dataclass(frozen=True)
class Fitting:
    """A text where its lines fit, and something narrower where they do not."""

    text: str
    narrow: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Choose by the width at hand."""
        fits = max(map(len, self.text.split("\n"))) <= options.max_width
        yield Text(self.text, no_wrap=True) if fits else self.narrow


def board_figures(mines: "NDArray[np.bool_]") -> dict[str, Json]:
    """The figures of a full board: its size, how many clicks it takes, and the board itself, one text per row."""
    rows, cols = mines.shape
    return {
        "rows": rows,
        "cols": cols,
        "mines": int(mines.sum()),
        "three_bv": three_bv(mines),
        "openings": openings(mines),
        "board": list(write_mines(mines).split("\n")),
    }


def board_text(mines: "NDArray[np.bool_]") -> RenderableType:
    """A full board; without spaces between its cells where the terminal is narrow."""
    text = write_mines(mines)
    return Fitting(text, Text(text.replace(" ", ""), no_wrap=True))


def board_line(figures: dict[str, Json]) -> Text:
    """The figures of a board in one line."""
    return Text.assemble(
        f"{figures['rows']}x{figures['cols']}, {figures['mines']} mines, ",
        (f"3BV {figures['three_bv']}", "bold"),
        f", openings {figures['openings']}",
    )
