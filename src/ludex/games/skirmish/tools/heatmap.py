"""A board in colours, as SVG: the warmer a hex, the more often it was chosen."""

from html import escape
from textwrap import wrap
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.hexes.coordinates import corners, extent
from ludex.games.skirmish.rules.scenario.scenario import Scenario

SIZE: Final = 10.0
MARGIN: Final = 6.0
LINE: Final = 14.0
FONT: Final = 11.0
LETTER: Final = 0.55 * FONT
"""A letter's width, on average and with some margin."""
COLD, WARM = np.array([244, 241, 233]), np.array([196, 63, 41])
WALL_COLOUR, ZONE_COLOUR, OBJECTIVE_COLOUR = "#57534e", "#1d4ed8", "#15803d"


def heat_svg(scenario: Scenario, heat: NDArray[np.float64], caption: str) -> str:
    """`heat: float64[hexes]`, seen from player 1's end; objectives are ringed, player 1's zone is outlined."""
    grid = scenario.grid
    width, height = extent(grid.cols, grid.rows, SIZE)
    most = float(heat.max(initial=0.0)) or 1.0
    zone = set(scenario.pools[0])
    shapes = []
    # The zone last, since a hex drawn later covers half of its neighbours' edges.
    for number in sorted(np.flatnonzero(grid.exists).tolist(), key=lambda h: h in zone):
        col, row = grid.col_row(number)
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners(col, row, SIZE))
        share = float(heat[number])
        fill = WALL_COLOUR if scenario.walls[number] else _colour(share / most)
        edge = ZONE_COLOUR if number in zone else "#d6d3d1"
        objective = f' class="objective" stroke-dasharray="3 2" stroke="{OBJECTIVE_COLOUR}" stroke-width="2"'
        line = objective if number in scenario.objectives else f' stroke="{edge}" stroke-width="0.8"'
        title = f"<title>{grid.name(number)}: {share:.1%}</title>" if share > 0 else ""
        shapes.append(f'<polygon points="{points}" fill="{fill}"{line}>{title}</polygon>')
    lines = wrap(caption, int(width / LETTER))
    box = f"{-MARGIN} {-MARGIN} {width + 2 * MARGIN:.1f} {height + 3 * MARGIN + LINE * len(lines):.1f}"
    font = f'font-family="sans-serif" font-size="{FONT:g}"'
    text = "".join(
        f'<text x="0" y="{height + LINE * number:.1f}" {font}>{escape(line)}</text>'
        for number, line in enumerate(lines, start=1)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img" aria-label="{escape(caption)}">'
        f'<rect x="{-MARGIN}" y="{-MARGIN}" width="100%" height="100%" fill="#ffffff"/>'
        f"{''.join(shapes)}{text}</svg>\n"
    )


def _colour(share: float) -> str:
    red, green, blue = (COLD + (WARM - COLD) * share**0.5).round().astype(int).tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"
