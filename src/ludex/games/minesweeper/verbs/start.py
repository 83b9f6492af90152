"""`ludex minesweeper start`: where to begin."""

from typing import Any

from ludex.core.verb import Telling


def start(board: Any) -> Telling:
    """Find the best first cell of a small board and its probability to win, by exact search of every layout."""
    from rich.text import Text

    from ludex.core.errors import Unsupported
    from ludex.games.minesweeper.notation import action_names
    from ludex.games.minesweeper.solver.solutions import MOST_SOLUTIONS
    from ludex.games.minesweeper.solver.start import best_start

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
    return Telling(
        document,
        lambda: Text.assemble(
            ("begin at ", "dim"),
            (name, "bold green"),
            f": best play wins {best.won:,} of {best.layouts:,} layouts, {best.win_rate:.6f}",
        ),
    )
