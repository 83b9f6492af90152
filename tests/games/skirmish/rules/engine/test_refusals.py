"""An action that cannot be played says so, with what could be, and changes nothing."""

import re
from pathlib import Path

import pytest

from ludex.core.errors import IllegalAction, MalformedAction
from ludex.games.skirmish.rules.engine import layout
from tests.games.skirmish.support import active, arranged, deploying, first, play, shipped, texts


def test_a_refused_action_names_the_phase_and_all_that_is_legal() -> None:
    game = shipped("small")
    position = arranged(game, layout.MOVE, {"01": (3, 4), "04": (7, 4)}, words=active(0))
    packed = position.packed
    reason = "shoot/04 cannot be played: that is for the shoot phase, and this is the move phase; legal: "
    with pytest.raises(IllegalAction, match=reason) as error:
        play(game, position, "shoot/04")
    assert position.packed == packed
    match_of_text = re.search(r"legal: (.*) and (\d+) more", error.value.message)
    assert match_of_text is not None
    examples = match_of_text[1].split(", ")
    known = texts(game, position)
    assert set(examples) <= known
    assert len(examples) + int(match_of_text[2]) == len(known)


def test_activating_a_unit_that_is_not_in_the_pool_is_refused() -> None:
    game = shipped("small")
    position = arranged(game, layout.MOVE, {"01": (3, 4), "02": (2, 2), "04": (7, 4)}, ready=("01",))
    with pytest.raises(IllegalAction, match=r"activate/02 cannot be played: 02 has acted .*; legal: activate/01"):
        play(game, position, "activate/02")
    with pytest.raises(MalformedAction, match="names no action of player 1"):
        play(game, position, "activate/04")


def test_a_target_that_cannot_be_shot_charged_or_fought_is_explained() -> None:
    game = shipped("small")
    grid, walls = game.scenario.grid, game.scenario.walls
    line_guard = {"01": (0, 0)}
    sees = [grid.col_row(h) for h in range(grid.size) if grid.exists[h] and not walls[h] and not game.sees[0, h]]

    def refused(phase: int, hexes: dict[str, tuple[int, int]], action: str, marks: int = 0) -> str:
        position = arranged(game, phase, hexes, words=active(0), marks={"01": marks})
        with pytest.raises(IllegalAction) as error:
            play(game, position, action)
        return error.value.message.removeprefix(f"{action} cannot be played: ").split("; legal: ")[0]

    assert refused(layout.SHOOT, {**line_guard, "04": sees[-1]}, "shoot/04") == "01 does not see 04"
    assert refused(layout.SHOOT, {**line_guard, "04": (0, 3)}, "shoot/05") == "05 is destroyed"
    assert refused(layout.SHOOT, {**line_guard, "04": (0, 3)}, "shoot/04", layout.FLED) == "01 has fled this turn"
    friend = {**line_guard, "02": (0, 4), "04": (0, 3)}
    assert refused(layout.SHOOT, friend, "shoot/04").startswith("04 is next to a friend of 01")
    assert refused(layout.CHARGE, {**line_guard, "04": (0, 3)}, "charge/04", layout.ADVANCED) == (
        "01 has advanced this turn"
    )
    assert refused(layout.CHARGE, {**line_guard, "04": (0, 1)}, "charge/04") == "01 is next to an enemy already"
    assert (
        refused(layout.FIGHT, {**line_guard, "04": (0, 3)}, "fight/04") == "04 is 3 hexes away: only neighbours fight"
    )
    assert refused(layout.FIGHT, {**line_guard, "04": (0, 1)}, "activate/01") == (
        "01 is active, and has to act or wait first"
    )


def test_a_hex_that_cannot_be_walked_to_is_explained() -> None:
    game = shipped("small")
    wall = game.scenario.grid.name(int(game.scenario.walls.argmax()))
    hexes = {"01": (0, 0), "02": (0, 1), "04": (2, 2)}
    position = arranged(game, layout.MOVE, hexes, words=active(0))
    for where, reason in {
        wall: f"{wall} is a wall",
        "0.1": "02 stands on 0.1",
        "2.1": "2.1 is next to an enemy: only a charge leads there",
        "10.9": "01 has no way to 10.9 that is short enough",
    }.items():
        with pytest.raises(IllegalAction, match=rf"^move/{where} cannot be played: {reason}; legal: "):
            play(game, position, f"move/{where}")
    idle = arranged(game, layout.MOVE, hexes, ready=("01",))
    with pytest.raises(IllegalAction, match="no unit is active: activate one first"):
        play(game, idle, "move/0.2")


def test_what_cannot_be_done_in_a_deployment_is_explained(tmp_path: Path) -> None:
    final = shipped("small")
    for action, reason in {
        "pass": "player 1 can still go on: to be placed 01, 02, 03",
        "confirm": "a placement is final",
        "undeploy/01": "a placement is final",
        "wait": "that is for the move or shoot or charge or fight phase, and this is the deployment phase",
    }.items():
        with pytest.raises(IllegalAction, match=reason):
            play(final, first(final), action)
    game = deploying(tmp_path, "player_by_player", "per_player", undeploys=1)
    for action, reason in {"confirm": "has still to place 01, 02, 03", "undeploy/01": "01 is not placed"}.items():
        with pytest.raises(IllegalAction, match=reason):
            play(game, first(game), action)
    again = play(game, first(game), "deploy/01/0.0", "undeploy/01", "deploy/01/0.0")
    with pytest.raises(IllegalAction, match="has taken back as many units as the scenario allows"):
        play(game, again, "undeploy/01")
