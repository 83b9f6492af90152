"""Pictures of one board: text for terminals and logs, SVG for pages and papers, Matplotlib for notebooks."""

import math
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.decision import Candidate, Decision
from ludex.core.errors import MissingDependency
from ludex.games.minesweeper.rules.layout import HIDDEN, Numbers
from ludex.games.minesweeper.rules.notation import action_names, column_name
from ludex.games.minesweeper.rules.position import View
from ludex.games.minesweeper.tools.formats import FLAG_MARK, HIDDEN_MARK, MINE_MARK, ZERO_MARK

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EXPLODED_MARK: Final = "@"
TOP: Final = 3
"""The number of the agent's moves that are marked on the board."""
CELL: Final = 32
"""Units a side."""
MARGIN: Final = 24
"""For the names of rows and columns."""
PALEST, DEEPEST = 0.06, 0.85
"""How opaque the red of the least and of the greatest danger is: numbers stay readable on both."""

# Plain rules without variables, which not every viewer of SVG knows.
_STYLE: Final = """
  text { font: 13px system-ui, sans-serif; text-anchor: middle; dominant-baseline: central; fill: #1c2733 }
  .paper { fill: #ffffff }
  .cell { stroke: #8a99a8 }
  .open { fill: #8a99a8; fill-opacity: 0.2 }
  .unknown { fill: #8a99a8; fill-opacity: 0.6 }
  .safe { fill: #2f9e5b; fill-opacity: 0.6 }
  .danger { fill: #e04f26 }
  .number { font-weight: 600 }
  .name { font-size: 11px }
  @media (prefers-color-scheme: dark) {
    text { fill: #f4f7f9 }
    .paper { fill: #14191f }
  }
""".strip("\n")


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
    heads = [column_name(col) for col in range(cols)]
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
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingDependency("matplotlib is not installed: pip install 'ludex[train]'") from error
    rows, cols = probabilities.shape
    revealed = np.zeros((rows, cols), np.bool_) if numbers is None else numbers != HIDDEN
    # Without pyplot: no window, no global state, nothing to close.
    figure = Figure(figsize=(0.4 * cols + 1.5, 0.4 * rows + 0.5), layout="constrained")
    axes = figure.add_subplot()
    image = axes.imshow(np.ma.masked_where(revealed, probabilities), cmap="YlOrRd", vmin=0.0, vmax=1.0)
    figure.colorbar(image, label="probability of a mine")
    axes.set_xticks(range(cols), [column_name(col) for col in range(cols)])
    axes.set_yticks(range(rows), [str(row + 1) for row in range(rows)])
    if numbers is not None:
        for row, col in np.argwhere(revealed):
            axes.text(col, row, str(numbers[row, col]), ha="center", va="center")
    return figure


def heat_map_svg(probabilities: NDArray[np.float64], numbers: Numbers) -> str:
    """float64[H, W] probabilities of mines and int8[H, W] numbers with -1 for hidden cells, as the text of an SVG.

    Revealed cells show their numbers, hidden ones the per cent: certain safety is green, danger the deeper a red.
    """
    if probabilities.shape != numbers.shape:
        raise ValueError(f"probabilities are {list(probabilities.shape)} and numbers {list(numbers.shape)}")
    rows, cols = numbers.shape
    width, height = MARGIN + cols * CELL + 1, MARGIN + rows * CELL + 1
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" aria-label="Minesweeper board with the probability of a mine in every hidden cell">',
        f"<style>\n{_STYLE}\n</style>",
        f'<rect class="paper" width="{width}" height="{height}"/>',
    ]
    parts += [_text("name", _middle(col), MARGIN // 2, column_name(col)) for col in range(cols)]
    parts += [_text("name", MARGIN // 2, _middle(row), str(row + 1)) for row in range(rows)]
    for row, col in np.ndindex(rows, cols):
        parts.append(_cell(row, col, int(numbers[row, col]), float(probabilities[row, col])))
    return "\n".join([*parts, "</svg>\n"])


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


def _cell(row: int, col: int, number: int, probability: float) -> str:
    """A square with its text and tooltip."""
    name = f"{column_name(col)}{row + 1}"
    if number != HIDDEN:
        kind, shade, text, tooltip = "open", "", str(number) if number else "", f"{name}: {number}"
    elif math.isnan(probability):
        kind, shade, text, tooltip = "unknown", "", percent(probability), f"{name}: unknown"
    else:
        opacity = PALEST + (DEEPEST - PALEST) * probability
        kind, shade = ("safe", "") if probability == 0.0 else ("danger", f' fill-opacity="{opacity:.3f}"')
        text, tooltip = percent(probability), f"{name}: a mine with {100 * probability:.4g} %"
    place = f'x="{MARGIN + col * CELL}" y="{MARGIN + row * CELL}" width="{CELL}" height="{CELL}"'
    square = f'<rect class="cell {kind}" {place}{shade}/>'
    inside = _text("number" if kind == "open" else "chance", _middle(col), _middle(row), text) if text else ""
    return f"<g><title>{tooltip}</title>{square}{inside}</g>"


def _middle(index: int) -> int:
    return MARGIN + index * CELL + CELL // 2


def _text(kind: str, x: int, y: int, text: str) -> str:
    return f'<text class="{kind}" x="{x}" y="{y}">{text.replace("<", "&lt;").replace(">", "&gt;")}</text>'
