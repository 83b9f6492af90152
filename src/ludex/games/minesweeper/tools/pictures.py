"""Pictures of one board: text for terminals and logs, Matplotlib for pages and papers."""

import math
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.decision import Candidate, Decision
from ludex.core.packages import require_packages
from ludex.core.text import column_label
from ludex.games.minesweeper.rules.layout import HIDDEN, Numbers
from ludex.games.minesweeper.rules.notation import action_names
from ludex.games.minesweeper.rules.position import View
from ludex.games.minesweeper.tools.formats import FLAG_MARK, HIDDEN_MARK, MINE_MARK, ZERO_MARK

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EXPLODED_MARK: Final = "@"
TOP: Final = 3
"""The number of the agent's moves that are marked on the board."""


def percent(probability: float) -> str:
    """Whole per cent, where 0 and 100 mean certainty and nothing less; ? where it is unknown.

    >>> percent(0.0), percent(0.001), percent(0.28), percent(0.999), percent(1.0), percent(math.nan)
    ('0', '<1', '28', '>99', '100', '?')
    """
    if math.isnan(probability):
        return "?"
    if 0.0 < probability < 0.005:
        return "<1"
    if 0.995 <= probability < 1.0:
        return ">99"
    return str(round(100 * probability))


def ascii_board(
    board: View | NDArray[np.int8],
    *,
    flags: NDArray[np.bool_] | None = None,
    decision: Decision | None = None,
    top: int = TOP,
    probabilities: NDArray[np.float64] | None = None,
) -> str:
    """A view, or an array of numbers with its flags: the first of the agent's moves in [], others in ().

    With `probabilities`, float64[H, W] such as the solver's, hidden cells show how likely they are mines, in per cent.

    >>> print(ascii_board(np.array([[1, -1], [1, -1]], np.int8), decision=Decision(1, candidates=(Candidate(1),))))
        a   b
     1  1  [#]
     2  1   #
    1. b1
    """
    numbers = board.numbers if isinstance(board, View) else board
    if flags is None:
        flags = board.flags if isinstance(board, View) else np.zeros(numbers.shape, np.bool_)
    rows, cols = numbers.shape
    marks = _marks(numbers, flags, probabilities)
    if isinstance(board, View):
        _uncover(marks, board)
    heads = [column_label(col) for col in range(cols)]
    width = max(len(mark) for row in (heads, *marks) for mark in row)
    moves = () if decision is None else decision.candidates[:top] or (Candidate(decision.action),)
    brackets = {move.action % (rows * cols): ("(", ")") for move in reversed(moves[1:])}
    brackets |= {move.action % (rows * cols): ("[", "]") for move in moves[:1]}
    margin = len(str(rows)) + 1
    lines = [" " * margin + "".join(f"  {head:>{width}} " for head in heads)]
    for row in range(rows):
        cells = (brackets.get(row * cols + col, (" ", " ")) for col in range(cols))
        columns = (f" {left}{mark:>{width}}{right}" for mark, (left, right) in zip(marks[row], cells, strict=True))
        lines.append(f"{row + 1:>{margin}}" + "".join(columns))
    names = action_names(rows, cols)
    lines += ["  ".join([f"{place}. {names[move.action]}", *_figures(move)]) for place, move in enumerate(moves, 1)]
    return "\n".join(line.rstrip() for line in lines)


def heat_map(probabilities: NDArray[np.float64], numbers: Numbers | None = None) -> "Figure":
    """The mine probabilities of hidden cells as a Matplotlib figure, with the numbers of the others if given."""
    require_packages("matplotlib")
    from matplotlib.figure import Figure

    rows, cols = probabilities.shape
    revealed = np.zeros((rows, cols), np.bool_) if numbers is None else numbers != HIDDEN
    # Without pyplot: no window, no global state, nothing to close.
    figure = Figure(figsize=(0.4 * cols + 1.5, 0.4 * rows + 0.5), layout="constrained")
    axes = figure.add_subplot()
    image = axes.imshow(np.ma.masked_where(revealed, probabilities), cmap="YlOrRd", vmin=0.0, vmax=1.0)
    figure.colorbar(image, label="probability of a mine")
    axes.set_xticks(range(cols), [column_label(col) for col in range(cols)])
    axes.set_yticks(range(rows), [str(row + 1) for row in range(rows)])
    if numbers is not None:
        for row, col in np.argwhere(revealed):
            axes.text(col, row, str(numbers[row, col]), ha="center", va="center")
    return figure


def _marks(numbers: Numbers, flags: NDArray[np.bool_], probabilities: NDArray[np.float64] | None) -> list[list[str]]:
    rows, cols = numbers.shape

    def mark(row: int, col: int) -> str:
        number = int(numbers[row, col])
        if number != HIDDEN:
            return str(number) if number else ZERO_MARK
        if probabilities is None:
            return FLAG_MARK if flags[row, col] else HIDDEN_MARK
        return (FLAG_MARK if flags[row, col] else "") + percent(float(probabilities[row, col]))

    return [[mark(row, col) for col in range(cols)] for row in range(rows)]


def _uncover(marks: list[list[str]], view: View) -> None:
    """Show the mines of a finished game; flags stay."""
    for cell in view.mine_cells or ():
        row, col = divmod(cell, view.cols)
        if not view.flags[row, col]:
            marks[row][col] = MINE_MARK
    if view.exploded is not None:
        row, col = divmod(view.exploded, view.cols)
        marks[row][col] = EXPLODED_MARK


def _figures(move: Candidate) -> list[str]:
    known = [] if move.score is None else [f"score {move.score:+.4g}"]
    if move.prob is not None:
        known.append(f"chance {move.prob:.1%}")
    return known + [f"{name} {value:.4g}" for name, value in move.terms.items()]
