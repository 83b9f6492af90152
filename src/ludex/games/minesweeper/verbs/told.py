"""What several verbs tell about a board or a move."""

from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from ludex.core.game import Json
from ludex.games.minesweeper.formats.ascii import write_mines
from ludex.games.minesweeper.formats.openings import openings
from ludex.games.minesweeper.formats.threebv import three_bv
from ludex.games.minesweeper.verbs.fitting import Fitting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def board_figures(mines: "NDArray[np.bool_]") -> dict[str, Json]:
    """What is known of a full board: its size, how many clicks it takes, and the board itself, a text a row."""
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
