"""A board with mine probabilities as an SVG of its own: no library, no font file, light and dark."""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.rules.layout import HIDDEN
from ludex.games.minesweeper.rules.notation import column_name


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


def heat_map_svg(probabilities: NDArray[np.float64], numbers: NDArray[np.int8]) -> str:
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
