"""`ludex minesweeper convert`: a board in another format."""

from pathlib import Path
from typing import Annotated

import typer

from ludex.core.verb import Telling


def convert(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="a full board, .mbf or .txt")],
    output: Annotated[Path, typer.Argument(metavar="OUTPUT", help="where to write it, .mbf or .txt")],
) -> Telling:
    """Write a board between MBF and text, as the names end, and tell how many clicks it takes."""
    from rich.console import Group

    from ludex.games.minesweeper.formats.files import read_board, require_board_name, write_board
    from ludex.games.minesweeper.verbs.told import board_figures, board_line, board_text

    require_board_name(output)
    mines = read_board(source)
    write_board(output, mines)
    figures = board_figures(mines)
    document = {"game": "minesweeper", "source": str(source), "output": str(output), **figures}
    return Telling(document, lambda: Group(board_text(mines), board_line(figures), f"wrote {output}"))
