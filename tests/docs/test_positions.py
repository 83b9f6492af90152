"""The page of every game describes its position and its observation planes, all of them."""

import re
from pathlib import Path

import pytest

from ludex.core.compiled import compiled_rules
from ludex.core.registry import available, make
from ludex.core.seeding import Rng

ROOT = Path(__file__).parents[2]
GAMES = [game.id for game in available()[0]]


def cells_below(text: str, heading: str) -> list[str]:
    """The first cell of each row of the table with this heading."""
    table = re.search(rf"^\| {heading} \|.*\n\|---\|---\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert table is not None, f"there is no table of {heading}"
    return [row.split(" | ")[0].strip("| ") for row in table[1].splitlines()]


def planes_of(cells: list[str]) -> list[int]:
    """The numbers that rows such as `2 - 5` name."""
    ends = [[int(end) for end in cell.split(" - ")] for cell in cells]
    return [plane for first, *last in ends for plane in range(first, (last or [first])[0] + 1)]


@pytest.mark.parametrize("name", GAMES)
def test_the_page_names_every_key_and_every_plane(name: str) -> None:
    text = (ROOT / "src" / "ludex" / "games" / name / "README.md").read_text().split("## Position and observations")[1]
    game = make(name)
    state = game.initial(Rng(0))
    dump = game.dump(state)
    assert isinstance(dump, dict)
    keys = re.findall(r"`(\w+)`", " ".join(cells_below(text, "key")))
    # One key is there on some boards only.
    assert [key for key in keys if key in dump] == [*dump]
    assert {*keys} - {*dump} <= {"start"}
    observed = game.observe(game.view(state, 0))["planes"]
    assert planes_of(cells_below(text, "plane")) == [*range(len(observed))]
    assert f"[{len(observed)}, " in text
    rules = compiled_rules(game)
    if rules is not None and rules.observation_shape[0] != len(observed):
        assert planes_of(cells_below(text, "compiled plane")) == [*range(rules.observation_shape[0])]
