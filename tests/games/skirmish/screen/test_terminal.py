"""The terminal: the map, the position beside it, and the check of a scenario."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

from ludex.core.seeding import generator
from ludex.core.verb import VerbResult
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import events, layout
from ludex.games.skirmish.rules.position import Position
from ludex.games.skirmish.rules.scenario import load_scenario
from ludex.games.skirmish.screen.descriptions import choice_texts, event_texts
from ludex.games.skirmish.screen.terminal import check, draw, map_text, unit_mark
from tests.games.skirmish.support import (
    active,
    arranged,
    deploying,
    first,
    fixed_folder,
    play,
    random_play,
    shipped,
    whole_folder,
)

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


def drawn(game: Skirmish, position: Position) -> str:
    console = Console(file=io.StringIO(), width=200, color_system=None)
    console.print(draw(game, game.view(position, 0), None))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_deployment_shows_the_units_left_and_what_may_be_placed() -> None:
    game = shipped("small")
    position = play(game, first(game), "deploy/02/0.3")
    text = drawn(game, position)
    assert "deployment, player 2 to choose" in text
    assert "player 1, 0 points: 01 LG to deploy 5/5, 02 OR at 0.3 4/4, 03 RV to deploy 5/5" in text
    assert "player 2 may play: deploy/UNIT/HEX, 04 05 06 on 18 free hexes of the zone" in text
    assert "/OR\\" in text


def test_the_active_units_ways_are_dotted_and_counted() -> None:
    game = shipped("small")
    position = arranged(game, layout.MOVE, {"01": (3, 4), "04": (9, 4)}, ready=("02",), words=active(0))
    ways = int(game.legal(position)[game.table.begins[5] :][: game.table.sizes[5]].sum())
    text = drawn(game, position)
    assert "turn 1 of 5, player 1's move phase, player 1 to choose with 01" in text
    assert f"player 1 may play: move/HEX ({ways}) · advance · wait" in text
    assert text.count("/..\\") == ways


def test_choices_name_units_enemies_and_sides(tmp_path: Path) -> None:
    game = shipped("small")
    idle = arranged(game, layout.MOVE, {"01": (3, 4), "02": (2, 2), "04": (7, 4)}, ready=("01", "02"))
    assert choice_texts(game, idle) == ["activate/01 02"]
    fight = arranged(game, layout.FIGHT, {"01": (3, 4), "04": (3, 5), "05": (3, 3)}, words=active(0))
    assert choice_texts(game, fight) == ["fight/04 05", "wait"]
    over = arranged(game, layout.OVER, {"01": (3, 4)}, words={layout.RESULT: layout.ANNIHILATION})
    assert choice_texts(game, over) == []
    assert "over after turn 1" in drawn(game, over)
    people = deploying(tmp_path, "player_by_player", "per_player")
    placed = play(people, first(people), "deploy/01/0.0", "deploy/02/0.1", "deploy/03/0.2")
    assert choice_texts(people, placed) == ["undeploy/01 02 03", "confirm"]


def test_every_attack_is_described_with_its_weapon_and_its_rolls() -> None:
    game = shipped("small")
    position = arranged(game, layout.SHOOT, {"01": (3, 5), "04": (6, 5)}, words=active(0))
    after = play(game, position, "shoot/04", seed=4)
    head, *attacks = event_texts(game, after)[: 1 + game.units[0].ranged[0].attacks]
    assert head == f"01 (Line Guard) attacks 04 (Line Guard): {game.units[0].ranged[0].name}"
    assert attacks
    for line in attacks:
        assert re.match(r"^  hit [1-6] \([2-6]\+\)( fails$| · wound [1-6] \([2-6]\+\))", line), line
    rolls = [
        kind for kind, *_ in after.events.tolist() if kind in (events.HIT_ROLL, events.WOUND_ROLL, events.SAVE_ROLL)
    ]
    assert sum(line.count("+)") for line in attacks) == len(rolls)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "plies"),
    [("small", 150), ("people", 40), ("cramped", 150), pytest.param("people", 150, marks=pytest.mark.full)],
)
def test_whole_games_are_drawn_and_described(name: str, plies: int) -> None:
    """Every position can be drawn, and every event has its words."""
    game = shipped(name)
    texts: set[str] = set()
    for match in random_play(game, 2, plies=plies):
        assert "player 1, " in drawn(game, match.state)
        lines = event_texts(game, match.state)
        assert len(lines) <= len(match.state.events)
        texts |= {re.sub(r"\d+", "N", line) for line in lines}
    assert any("is placed on" in line for line in texts)
    if name == "small":
        assert {"turn N, player N: move phase", "turn N, player N: fight phase"} <= texts


def test_a_fall_ends_the_line_of_the_attack_that_caused_it() -> None:
    game = shipped("small")
    for seed in range(40):
        position = arranged(game, layout.FIGHT, {"03": (3, 5), "04": (3, 4)}, wounds={"04": 1}, words=active(2))
        after = game.apply(position, game.parse_action(position, "fight/04"), generator(seed, 0))
        lines = event_texts(game, after)
        fallen = [line for line in lines if "04 is destroyed on 3.4" in line]
        if fallen:
            assert fallen[0].startswith("  hit ")
            assert "· 04 loses 1, 0 left · 04 is destroyed on 3.4" in fallen[0]
            assert lines[-1] == "the game ends by annihilation"
            return
    raise AssertionError("no fight of forty ended in a fall")


def rendered(result: VerbResult) -> str:
    console = Console(width=200, color_system=None)
    with console.capture() as capture:
        console.print(result.render())
    return capture.get()


def document_of(result: VerbResult) -> Any:
    return json.loads(json.dumps(result.document))


def test_a_valid_folder_is_drawn_and_listed(tmp_path: Path) -> None:
    result = check(str(whole_folder(tmp_path)))
    document = document_of(result)
    assert (document["game"], document["scenario"]) == ("skirmish", "small")
    assert (document["cols"], document["rows"], document["hexes"], document["walls"]) == (11, 10, 105, 8)
    assert document["objectives"] == [[3, 6], [5, 4], [7, 2]]
    assert document["symmetric"] is True
    assert document["warnings"] == []
    assert [(row["player"], row["value"], row["pool"]) for row in document["players"]] == [(1, 155, 18), (2, 155, 18)]
    assert document["players"][0]["units"][1] == {"id": "02", "type": "outrider", "name": "Outrider", "value": 55}
    text = rendered(result)
    assert all(line.rstrip() in text for line in document["map"])
    assert "player 2: 3 units worth 155, 18 hexes to deploy on" in text
    assert "the files are valid" in text


def test_warnings_are_printed() -> None:
    result = check("cramped")
    (warning,) = document_of(result)["warnings"]
    assert f"warning: {warning}" in rendered(result).replace("\n", "")


def test_saves_are_printed_as_players_write_them() -> None:
    lines = [line.split() for line in rendered(check("default")).splitlines()]
    saves = {line[2]: line[5] for line in lines if line[1:2] in (["MA"], ["sc"], ["ha"])}
    assert saves == {"Marshal": "3+/4+", "Stormcaller": "6+/4+", "Harrier": "-"}
