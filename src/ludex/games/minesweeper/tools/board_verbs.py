"""`ludex minesweeper board`, `convert` and `start`: new boards, other formats, the best first click."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.core.verb import VerbResult
from ludex.games.minesweeper.tools.verb_output import Seed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ludex.games.minesweeper.rules.position import Position


def board_(
    board: Any,
    *,
    seed: Seed = 0,
    no_guess: Annotated[bool, typer.Option("--no-guess", help="one that can be cleared without a guess")] = False,
    first: Annotated[
        str | None, typer.Option(metavar="CELL", help="the cell revealed first; the best known unless given")
    ] = None,
    tries: Annotated[int, typer.Option(min=1, help="most layouts to try with --no-guess")] = 20_000,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="write the board, to .mbf or .txt")] = None,
) -> VerbResult:
    """Place the mines of a board as its first reveal would, and show how many clicks it takes."""
    from rich.console import Group

    from ludex.core.errors import BadOption
    from ludex.core.seeding import generator
    from ludex.games.minesweeper.agents.search.start import opening
    from ludex.games.minesweeper.rules.no_guess import no_guess_board
    from ludex.games.minesweeper.rules.notation import action_names
    from ludex.games.minesweeper.tools.formats import require_board_name, write_board
    from ludex.games.minesweeper.tools.verb_output import board_figures, board_line, board_text

    if output is not None:
        require_board_name(output)
    options = board.options
    if options.random_first_click:
        raise BadOption("random_first_click=true leaves no choice of the first cell, which the mines are placed for")
    cell = opening(board.rows, board.cols, board.mines, options.start) if first is None else _cell(board, first)
    # The generator of a match's first ply, so that `ludex play` with this seed and this reveal has the same board.
    rng = generator(seed, 1)
    tried = 1
    if no_guess:
        mines, tried = no_guess_board(options, cell, rng, tries)
    else:
        mines = _mines(board, board.apply(board.initial(generator(seed, 0)), cell, rng))
    if output is not None:
        write_board(output, mines)
    figures = board_figures(mines)
    name = action_names(board.rows, board.cols)[cell]
    document = {
        "game": board.info.id,
        "preset": board.info.preset,
        "seed": seed,
        "first": name,
        "no_guess": no_guess,
        "tries": tried,
        **figures,
        "output": None if output is None else str(output),
    }
    kind = f"no guess, found at try {tried}; " if no_guess else ""
    where = [] if output is None else [f"wrote {output}"]
    return VerbResult(
        document, lambda: Group(board_text(mines), board_line(figures), f"{kind}first reveal {name}", *where)
    )


def _cell(board: Any, text: str) -> int:
    from ludex.core.errors import BadOption, MalformedAction

    try:
        action = int(board.parse_action(None, text))
    except MalformedAction as error:
        raise BadOption(f"--first: {error.message}") from error
    if action >= board.cells:
        raise BadOption(f"--first: expected a cell to reveal, found the flag {text!r}")
    return action


def _mines(board: Any, state: "Position") -> "NDArray[np.bool_]":
    import numpy as np

    from ludex.games.minesweeper.rules.layout import MINE, has_bit

    return has_bit(np.frombuffer(state.cells, np.uint8), MINE).reshape(board.rows, board.cols)


def convert(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="a full board, .mbf or .txt")],
    output: Annotated[Path, typer.Argument(metavar="OUTPUT", help="where to write it, .mbf or .txt")],
) -> VerbResult:
    """Write a board between MBF and text, as the file names end, and show how many clicks it takes."""
    from rich.console import Group

    from ludex.games.minesweeper.tools.formats import read_board, require_board_name, write_board
    from ludex.games.minesweeper.tools.verb_output import board_figures, board_line, board_text

    require_board_name(output)
    mines = read_board(source)
    write_board(output, mines)
    figures = board_figures(mines)
    document = {"game": "minesweeper", "source": str(source), "output": str(output), **figures}
    return VerbResult(document, lambda: Group(board_text(mines), board_line(figures), f"wrote {output}"))


def start(board: Any) -> VerbResult:
    """Find the best first cell of a small board and its win probability, by exact search of every layout."""
    from rich.text import Text

    from ludex.core.errors import Unsupported
    from ludex.games.minesweeper.agents.search.solutions import MOST_SOLUTIONS
    from ludex.games.minesweeper.agents.search.start import best_start
    from ludex.games.minesweeper.rules.notation import action_names

    options = board.options
    best = best_start(board.rows, board.cols, board.mines, options.start)
    if best is None:
        raise Unsupported(
            f"{board.rows}x{board.cols} with {board.mines} mines is too large to search every layout: "
            f"boards with up to {MOST_SOLUTIONS} layouts are small enough"
        )
    name = action_names(board.rows, board.cols)[best.cell]
    document = {
        "game": board.info.id,
        "preset": board.info.preset,
        "rows": board.rows,
        "cols": board.cols,
        "mines": board.mines,
        "start": options.start,
        "action": best.cell,
        "text": name,
        "won": best.won,
        "layouts": best.layouts,
        "win_rate": best.win_rate,
    }
    return VerbResult(
        document,
        lambda: Text.assemble(
            ("begin at ", "dim"),
            (name, "bold green"),
            f": best play wins {best.won:,} of {best.layouts:,} layouts, {best.win_rate:.6f}",
        ),
    )
