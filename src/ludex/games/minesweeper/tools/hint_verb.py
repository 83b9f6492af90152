"""`ludex minesweeper hint`: the best move of a position from a file or standard input."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ludex.core.game import Json
from ludex.core.verb import VerbResult

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from rich.console import RenderableType

    from ludex.games.minesweeper.tools.hint import Hint

STDIN = "-"


def hint(
    source: Annotated[
        str, typer.Argument(metavar="FILE", help="the position: 0-8 or . revealed, # hidden, F a flag; - reads stdin")
    ],
    *,
    mines: Annotated[int, typer.Option(min=1, help="mines on the whole board, flagged ones included")],
    start: Annotated[
        Literal["zero", "safe", "none"], typer.Option(help="what the first reveal is promised, on an untouched board")
    ] = "zero",
) -> VerbResult:
    """Show how probably each hidden cell is a mine, and the best move with its reason."""
    from ludex.games.minesweeper.tools.hint import hint as advice

    found = advice(*_position(source), mines, start)
    return VerbResult(_document(found), lambda: _render(found))


def _position(source: str) -> "tuple[NDArray[np.int8], NDArray[np.bool_]]":
    from ludex.core.documents import read_text
    from ludex.games.minesweeper.rules.errors import BadBoard
    from ludex.games.minesweeper.tools.formats import read_numbers

    text = sys.stdin.read() if source == STDIN else read_text(Path(source), BadBoard)
    try:
        return read_numbers(text)
    except BadBoard as error:
        raise BadBoard(f"{'standard input' if source == STDIN else source}: {error.message}") from error


def _document(found: "Hint") -> dict[str, Json]:
    import math

    from ludex.games.minesweeper.rules.notation import action_names

    view, decision = found.view, found.decision
    names = action_names(view.rows, view.cols)
    return {
        "game": found.game.info.id,
        "rows": view.rows,
        "cols": view.cols,
        "mines": view.mines,
        "log_solutions": found.log_solutions,
        "action": decision.action,
        "text": names[decision.action],
        "note": decision.note,
        "value": decision.value,
        "candidates": [
            {"action": one.action, "text": names[one.action], "score": one.score, "terms": dict(one.terms)}
            for one in decision.candidates
        ],
        "stats": dict(decision.stats),
        "proofs": [
            {"kind": kind, "text": names[cell], "because": [names[number] for number in because]}
            for kind, cell, because in found.proofs
        ],
        "probabilities": [[None if math.isnan(one) else one for one in row] for row in found.probabilities.tolist()],
    }


def _render(found: "Hint") -> "RenderableType":
    from math import exp, log

    from rich.console import Group
    from rich.text import Text

    from ludex.games.minesweeper.screen.terminal import draw
    from ludex.games.minesweeper.tools.pictures import ascii_board
    from ludex.games.minesweeper.tools.verb_output import Fitting

    view, decision = found.view, found.decision
    text = ascii_board(view, decision=decision, probabilities=found.probabilities)
    few = found.log_solutions < log(1e6)
    count = f"{round(exp(found.log_solutions)):,}" if few else f"about 10^{found.log_solutions / log(10):.1f}"
    return Group(
        Fitting(text, draw(found.game, view, decision)),
        Text(decision.note, "bold green"),
        Text("one layout of the mines fits" if count == "1" else f"{count} layouts of the mines fit", "dim"),
    )
