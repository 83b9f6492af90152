"""The map as a terminal shows it."""

from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text

from ludex.games.skirmish.rules.scenario import load_scenario
from ludex.games.skirmish.screen.terminal import map_text, unit_mark
from tests.games.skirmish.rules.scenario.support import fixed_folder

SMALL = r"""
     0  1  2  3  4  5  6  7  8  9 10
    __    __    __    __    __    __
 0 /1 \__/  \__/  \__/  \__/  \__/2 \
   \__/1 \__/  \__/  \__/  \__/2 \__/
 1 /1 \__/  \__/  \__/  \__/  \__/2 \
   \__/1 \__/  \__/  \__/  \__/2 \__/
 2 /1 \__/  \__/##\__/##\__/  \__/2 \
   \__/1 \__/  \##/  \##/  \__/2 \__/
 3 /1 \__/  \__/##\__/  \**/  \__/2 \
   \__/1 \__/  \##/  \__/  \__/2 \__/
 4 /1 \__/  \__/  \__/  \__/  \__/2 \
   \__/##\__/  \__/  \__/  \__/##\__/
 5 /1 \##/  \__/  \**/  \__/  \##/2 \
   \__/1 \__/  \__/  \__/  \__/2 \__/
 6 /1 \__/  \__/  \__/##\__/  \__/2 \
   \__/1 \__/  \__/  \##/  \__/2 \__/
 7 /1 \__/  \**/##\__/##\__/  \__/2 \
   \__/1 \__/  \##/  \##/  \__/2 \__/
 8 /1 \__/  \__/  \__/  \__/  \__/2 \
   \__/1 \__/  \__/  \__/  \__/2 \__/
 9 /1 \__/  \__/  \__/  \__/  \__/2 \
   \__/  \__/  \__/  \__/  \__/  \__/
    ## wall  ** objective  1 zone of player 1  2 zone of player 2"""


def shown(text: Text, width: int = 80, colour: bool = False) -> str:
    console = Console(width=width, force_terminal=colour, color_system="truecolor" if colour else None)
    with console.capture() as capture:
        console.print(text)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def test_the_small_map() -> None:
    assert shown(map_text(load_scenario("small"))) == SMALL.removeprefix("\n")


def test_units_stand_on_the_map_and_do_not_hide_objectives(tmp_path: Path) -> None:
    scenario = load_scenario(fixed_folder(tmp_path))
    marks = {unit.hex: unit_mark(unit) for force in scenario.forces for unit in force if unit.hex is not None}
    marks[scenario.grid.index(5, 4)] = ("X", "bold")
    lines = shown(map_text(scenario, marks, zones=False)).splitlines()
    assert lines[2] == r" 0 /LG\__/  \__/  \__/  \__/  \__/  \ "[:-1]
    assert lines[4] == r" 1 /OR\__/  \__/  \__/  \__/  \__/  \ "[:-1]
    assert lines[7] == r"   \__/RV\__/  \##/  \##/  \__/  \__/"
    assert lines[11] == r"   \__/##\__/  \__/X \__/  \__/##\__/"
    assert lines[12] == r" 5 /  \##/  \__/  \**/  \__/  \##/  \ "[:-1]
    assert lines[20] == r" 9 /  \__/  \__/  \__/  \__/  \__/lg\ "[:-1]
    assert lines[-1].split() == ["##", "wall", "**", "objective"]
    coloured = shown(map_text(scenario, marks), colour=True)
    assert "\x1b[1;36mLG" in coloured
    assert "\x1b[1;33mlg" in coloured


def test_forbidden_hexes_show() -> None:
    lines = shown(map_text(load_scenario("cramped"))).splitlines()
    assert lines[8] == r" 3 /xx\##/  \__/  \__/  \##/2 \ "[:-1]
    assert "xx forbidden" in lines[-1]


@pytest.mark.parametrize("name", ["default", "small", "cramped"])
def test_the_map_fits_a_terminal_of_80_columns(name: str) -> None:
    scenario = load_scenario(name)
    text = map_text(scenario)
    assert max(map(len, text.plain.splitlines())) <= 80
    assert len(text.plain.splitlines()) == 2 * scenario.grid.rows + 3


def test_a_mark_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 2 letters, found 'LG1'"):
        map_text(load_scenario("small"), {0: ("LG1", "")})
