"""`ludex minesweeper hint`: advice on a position from a file or standard input."""

import math
import sys
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Group
from rich.text import Text

from ludex.core.decision import Decision
from ludex.core.documents import read_text
from ludex.core.errors import GameOver
from ludex.core.game import Json
from ludex.core.limit import Limit
from ludex.core.registry import make, make_agent
from ludex.core.rendering import view_picture
from ludex.core.seeding import generator
from ludex.core.verb import VerbResult
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.options import Start
from ludex.games.minesweeper.rules.inference.forced_moves import Forced, proofs
from ludex.games.minesweeper.rules.inference.probabilities import assess_position
from ludex.games.minesweeper.rules.layout import HIDDEN, BadBoard, Numbers
from ludex.games.minesweeper.rules.notation import action_names
from ludex.games.minesweeper.rules.position import View
from ludex.games.minesweeper.tools.board_verbs import Fitting
from ludex.games.minesweeper.tools.formats import read_numbers
from ludex.games.minesweeper.tools.pictures import ascii_board

STDIN = "-"


class Hint(NamedTuple):
    """The analysis of a position."""

    game: Minesweeper
    view: View
    probabilities: NDArray[np.float64]
    """float64[H, W]: how probably each hidden cell is a mine, NaN where it is revealed."""
    log_solutions: float
    """The natural logarithm of the number of layouts that fit."""
    decision: Decision
    """The expert's, with its explanation."""
    proofs: list[Forced]
    """Everything that rules prove."""


def advise(numbers: Numbers, flags: NDArray[np.bool_], mines: int, start: Start) -> Hint:
    """Advice on int8[H, W] with -1 where hidden; `start` is the rule for the first reveal of an untouched board.

    Raises `InconsistentPosition` if no layout fits, and `GameOver` if no safe cell is hidden.

    >>> advise(np.array([[1, -1, -1]], np.int8), np.zeros((1, 3), np.bool_), 1, "safe").decision.note
    'c1 is safe in every layout that fits'
    """
    probabilities, log_solutions = assess_position(numbers, mines)
    hidden = numbers == HIDDEN
    if hidden.sum() == mines:
        raise GameOver(f"there is nothing to reveal: all {mines} hidden cells are mines")
    rows, cols = numbers.shape
    # The start rule no longer matters after the first reveal, and may not fit this number of mines.
    rule = start if hidden.all() else "none"
    game = make("minesweeper", rows=rows, cols=cols, mines=mines, start=rule)
    assert isinstance(game, Minesweeper)
    view = View(rows, cols, mines, game.options.start, numbers.tobytes(), flags.tobytes(), plies=0)
    legal = np.concatenate([hidden.reshape(-1)] * 2)
    decision = make_agent(game, "expert").decide(view, legal, rng=generator(0, 0), limit=Limit())
    return Hint(game, view, probabilities, log_solutions, decision, proofs(numbers))


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
    advice = advise(*_position(source), mines, start)
    return VerbResult(_document(advice), lambda: _render(advice))


def _position(source: str) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    text = sys.stdin.read() if source == STDIN else read_text(Path(source), BadBoard)
    try:
        return read_numbers(text)
    except BadBoard as error:
        raise BadBoard(f"{'standard input' if source == STDIN else source}: {error.message}") from error


def _document(advice: Hint) -> dict[str, Json]:
    view, decision = advice.view, advice.decision
    names = action_names(view.rows, view.cols)
    risks = advice.probabilities.tolist()
    return {
        "game": advice.game.info.id,
        "rows": view.rows,
        "cols": view.cols,
        "mines": view.mines,
        "log_solutions": advice.log_solutions,
        "action": decision.action,
        "text": names[decision.action],
        "note": decision.note,
        "value": decision.value,
        "candidates": [
            {"action": move.action, "text": names[move.action], "score": move.score, "terms": dict(move.terms)}
            for move in decision.candidates
        ],
        "stats": dict(decision.stats),
        "proofs": [
            {"kind": kind, "text": names[cell], "because": [names[number] for number in because]}
            for kind, cell, because in advice.proofs
        ],
        "probabilities": [[None if math.isnan(risk) else risk for risk in row] for row in risks],
    }


def _render(advice: Hint) -> Group:
    view, decision = advice.view, advice.decision
    text = ascii_board(view, decision=decision, probabilities=advice.probabilities)
    few = advice.log_solutions < math.log(1e6)
    count = (
        f"{round(math.exp(advice.log_solutions)):,}" if few else f"about 10^{advice.log_solutions / math.log(10):.1f}"
    )
    return Group(
        Fitting(text, view_picture(advice.game, view, decision)),
        Text(decision.note, "bold green"),
        Text("one layout of the mines fits" if count == "1" else f"{count} layouts of the mines fit", "dim"),
    )
