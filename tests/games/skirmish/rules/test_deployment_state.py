"""The contract's `deployment_state` and every place a unit is shown: column and row, -1 and -1 for none."""

import json
from dataclasses import asdict
from typing import Any

from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.position import Position, UnitPlace, deployment_state
from ludex.games.skirmish.screen.scene import scene
from tests.games.skirmish.support import arranged, deployed, first, play, shipped


def shown(game: Skirmish, position: Position) -> dict[str, list[tuple[int, int]]]:
    """Where unit 01 and unit 04 stand, by everything that shows places outside the engine."""
    drawn = scene(game, game.view(position, 0), game.legal(position))
    dumped = json.loads(json.dumps(game.dump(position)))["units"]
    listed = {unit.id: (unit.col, unit.row) for unit in deployment_state(game.scenario, position).units}
    by_id = {unit.id: number for number, unit in enumerate(game.units)}

    def place(unit: str) -> list[tuple[int, int]]:
        units: list[dict[str, int]] = drawn["units"]  # type: ignore[assignment]
        col, row = dumped[by_id[unit]].split(" ")[1].rsplit(".", 1)
        state = units[by_id[unit]]
        return [listed[unit], (state["col"], state["row"]), (int(col), int(row))]

    return {unit: place(unit) for unit in ("01", "04")}


def test_a_unit_that_is_not_placed_has_column_and_row_minus_one() -> None:
    game = shipped("small")
    position = first(game)
    assert shown(game, position) == {"01": 3 * [(-1, -1)], "04": 3 * [(-1, -1)]}
    assert deployment_state(game.scenario, position).units[0] == UnitPlace("01", 1, -1, -1)
    placed = play(game, position, "deploy/01/0.3")
    assert shown(game, placed) == {"01": 3 * [(0, 3)], "04": 3 * [(-1, -1)]}


def test_a_destroyed_unit_stands_nowhere() -> None:
    game = shipped("small")
    position = arranged(game, layout.PHASES.index("move"), {"01": (3, 3), "05": (8, 8)}, ready=("01",))
    assert shown(game, position) == {"01": 3 * [(3, 3)], "04": 3 * [(-1, -1)]}


def test_a_deployment_state_is_json() -> None:
    game = shipped("people")
    for position in (first(game), deployed(shipped("small"))):
        board = game if position.phase == "deployment" else shipped("small")
        state = asdict(deployment_state(board.scenario, position))
        document = json.loads(json.dumps(state))
        assert document["deployment_complete"] is (position.phase != "deployment")
        assert document["units"][0].keys() == {"id", "player", "col", "row"}


def test_a_deployment_state_has_the_contracts_names_and_no_unit_is_active_between_placements() -> None:
    game = shipped("small")
    position = first(game)
    state = asdict(deployment_state(game.scenario, position))
    assert state.keys() == {
        *("current_deployer", "deployable_units_by_player", "deployed_units", "deployment_pools_by_player"),
        *("deployment_complete", "active_unit_id"),  # the contract's; active V1 has one more, the rest is ours
        *("deployment_order_mode", "units", "confirmed_players", "undeploys_left"),
    }
    placed = play(game, position, "deploy/01/0.3")
    assert state["active_unit_id"] is deployment_state(game.scenario, placed).active_unit_id is None
    drawn: Any = scene(game, game.view(placed, 0), game.legal(placed))
    assert drawn["events"][0]["parts"][0]["text"]["en"].startswith("01 ")


def test_the_first_event_is_deployment_start_with_the_sizes_of_the_pools() -> None:
    game = shipped("small")
    drawn: Any = scene(game, game.view(first(game), 0), game.legal(first(game)))
    assert drawn["event_names"] == ["deployment_start"]
    sizes = " and ".join(str(len(pool)) for pool in game.scenario.pools)
    [[part]] = [event["parts"] for event in drawn["events"]]
    assert part["text"]["en"] == f"the deployment starts with pools of {sizes} hexes"
    after = play(game, first(game), "deploy/01/0.3")
    assert scene(game, game.view(after, 0), game.legal(after))["event_names"] == ["deploy_unit"]
