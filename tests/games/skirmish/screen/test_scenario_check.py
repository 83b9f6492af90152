"""`ludex skirmish check`."""

import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from ludex.core.verb import VerbResult
from ludex.games.skirmish.rules.scenario_files import BadScenario
from ludex.games.skirmish.screen.terminal import check
from tests.games.skirmish.rules.scenario.support import GAME, change, fixed_folder, whole_folder


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


def test_fixed_units_stand_on_the_map(tmp_path: Path) -> None:
    drawn = "\n".join(document_of(check(str(fixed_folder(tmp_path))))["map"])
    assert all(f"/{symbol}\\" in drawn for symbol in ("LG", "OR", "RV", "lg", "or", "rv"))


def test_an_invalid_folder_is_refused(tmp_path: Path) -> None:
    folder = whole_folder(tmp_path)
    change(folder, GAME, "turns", "five")
    with pytest.raises(BadScenario, match=r"game_config\.json: key 'turns'"):
        check(str(folder))
