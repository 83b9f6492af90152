"""The picture of where units are placed."""

from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray

from ludex.games.skirmish.rules.hexes import corners
from ludex.games.skirmish.tools.verbs import (
    OBJECTIVE_COLOUR,
    SIZE,
    WALL_COLOUR,
    ZONE_COLOUR,
    heat_svg,
)
from tests.games.skirmish.support import shipped

SVG = "{http://www.w3.org/2000/svg}"


def drawn(
    name: str, heat: NDArray[np.float64], caption: str = "heat"
) -> tuple[ElementTree.Element, dict[int, ElementTree.Element]]:
    """The picture, and its polygons by the number of their hex, in the order in which they are drawn."""
    scenario = shipped(name).scenario
    root = ElementTree.fromstring(heat_svg(scenario, heat, caption))
    hexes = np.flatnonzero(scenario.grid.exists).tolist()
    middles = np.array([np.mean(corners(*scenario.grid.col_row(where), SIZE), axis=0) for where in hexes])
    return root, {
        hexes[int(np.linalg.norm(middles - points(polygon).mean(axis=0), axis=1).argmin())]: polygon
        for polygon in root.findall(f"{SVG}polygon")
    }


def points(polygon: ElementTree.Element) -> NDArray[np.float64]:
    """float64[6, 2]"""
    return np.array([[float(number) for number in pair.split(",")] for pair in polygon.get("points", "").split()])


def brightness(colour: str) -> int:
    return sum(int(colour[at : at + 2], 16) for at in (1, 3, 5))


@pytest.mark.parametrize("name", ["small", "default"])
def test_there_is_a_polygon_for_every_hex_where_the_hex_is(name: str) -> None:
    grid = shipped(name).scenario.grid
    root, polygons = drawn(name, np.zeros(grid.size))
    assert root.tag == f"{SVG}svg"
    left, top, width, height = map(float, root.get("viewBox", "").split())
    seen = set()
    for where, polygon in polygons.items():
        assert points(polygon) == pytest.approx(np.array(corners(*grid.col_row(where), SIZE)), abs=0.051)
        assert all(left <= x <= left + width and top <= y <= top + height for x, y in points(polygon))
        seen.add(polygon.get("points"))
    assert len(seen) == len(polygons) == grid.exists.sum()


def test_warm_hexes_have_a_title_and_a_colour_and_cold_ones_have_neither() -> None:
    scenario = shipped("small").scenario
    grid, heat = scenario.grid, np.zeros(scenario.grid.size)
    first, second, third = scenario.pools[0][:3]
    heat[[first, second, third]] = (0.5, 0.25, 0.125)
    _, polygons = drawn("small", heat)
    titles = {
        where: title.text for where, polygon in polygons.items() if (title := polygon.find(f"{SVG}title")) is not None
    }
    assert titles == {
        first: f"{grid.name(first)}: 50.0%",
        second: f"{grid.name(second)}: 25.0%",
        third: f"{grid.name(third)}: 12.5%",
    }
    open_hexes = [where for where in polygons if not scenario.walls[where] and where not in titles]
    cold = {polygons[where].get("fill") for where in open_hexes}
    assert len(cold) == 1
    shades = [brightness(polygons[where].get("fill", "")) for where in (first, second, third)]
    assert shades == sorted(shades)
    assert shades[-1] < brightness(cold.pop() or "")


def test_walls_zones_and_objectives_are_drawn_differently() -> None:
    scenario = shipped("small").scenario
    _, polygons = drawn("small", np.zeros(scenario.grid.size))
    walls = {where for where, polygon in polygons.items() if polygon.get("fill") == WALL_COLOUR}
    zone = {where for where, polygon in polygons.items() if polygon.get("stroke") == ZONE_COLOUR}
    ringed = {where for where, polygon in polygons.items() if polygon.get("stroke") == OBJECTIVE_COLOUR}
    assert walls == set(np.flatnonzero(scenario.walls).tolist())
    assert ringed == set(scenario.objectives)
    assert zone == set(scenario.pools[0]) - ringed
    assert ringed == {where for where, polygon in polygons.items() if polygon.get("class") == "objective"}


def test_a_caption_is_escaped_and_said_twice() -> None:
    caption = """hard:deployment=<"first"> & 'the rest'"""
    root, _ = drawn("small", np.zeros(shipped("small").scenario.grid.size), caption)
    assert root.get("aria-label") == caption
    lines = root.findall(f"{SVG}text")
    assert " ".join(text.text or "" for text in lines) == caption
    assert len(lines) > 1, "a small board is narrower than these words"
