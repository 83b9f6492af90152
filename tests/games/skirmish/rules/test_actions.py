"""One action space: what an index means, for the whole episode, and back; and the contract's `deployment_state`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from ludex.core.errors import MalformedAction
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import DeployUnit
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.illegal_actions import WrongDeployer
from ludex.games.skirmish.rules.position import Position, UnitPlace, deployment_state
from ludex.games.skirmish.screen.scene import scene
from tests.games.skirmish.support import MODES, arranged, deployed, deploying, first, play, random_play, shipped, texts


def meanings(game: Skirmish, player: int) -> dict[int, DeployUnit]:
    """The deployment branch by the contract: unit_slot * deployment_max_hex_slots + hex_slot."""
    scenario = game.scenario
    units = sorted(unit.id for unit in game.units if unit.player == player + 1)
    pool = sorted(scenario.grid.col_row(where) for where in scenario.pools[player])
    return {
        unit_slot * scenario.game.deployment_max_hex_slots + hex_slot: DeployUnit(unit, col, row)
        for unit_slot, unit in enumerate(units)
        for hex_slot, (col, row) in enumerate(pool)
    }


@pytest.mark.parametrize("name", ["small", "default", "cramped"])
def test_mapping_index_to_unit_slot_and_hex_slot_is_stable(name: str) -> None:
    """Stable for the whole episode: used units and hexes are masked, not renumbered."""
    game = shipped(name)
    dim = game.scenario.game.deployment_max_unit_slots * game.scenario.game.deployment_max_hex_slots
    expected = {player: meanings(game, player) for player in (0, 1)}
    for match in random_play(game, 1):
        if match.over:
            break
        wanted = expected[match.to_move]
        for action in range(dim):
            assert game.table.decode(match.state, action) == wanted.get(action)
        if name != "small" and match.ply > 20:
            break


@pytest.mark.parametrize("name", ["small", "default", "people", "cramped"])
def test_pass_follows_the_deployment_branch(name: str) -> None:
    game = shipped(name)
    config = game.scenario.game
    position = first(game)
    branch = config.deployment_max_unit_slots * config.deployment_max_hex_slots
    assert game.table.deployment_action_dim == branch + 1
    assert game.parse_action(position, "pass") == branch
    assert game.action_text(position, branch) == "pass"
    assert game.parse_action(position, "confirm") == branch + 1 + config.deployment_max_unit_slots


def test_confirm_deployment_takes_the_player_and_refuses_the_other(tmp_path: Path) -> None:
    game = deploying(tmp_path, "player_by_player", "per_player")
    position = play(game, first(game), "deploy_unit/01/0.3", "deploy/02/0.4", "deploy/03/0.5")
    assert {text for text in texts(game, position) if "confirm" in text} == {"confirm"}
    expected = game.parse_action(position, "confirm")
    assert game.parse_action(position, "confirm/1") == game.parse_action(position, "confirm_deployment/1") == expected
    for text in ("confirm/2", "confirm_deployment/2"):
        with pytest.raises(WrongDeployer, match="confirm_deployment of player 2: player 1 is to move"):
            game.parse_action(position, text)
    confirmed = play(game, position, "confirm_deployment/1")
    assert deployment_state(game.scenario, confirmed).confirmed_players == [1]
    with pytest.raises(WrongDeployer):
        game.parse_action(confirmed, "confirm/1")
    for text in ("confirm/3", "confirm/one", "confirm/1/1"):
        with pytest.raises(MalformedAction, match="names no action"):
            game.parse_action(confirmed, text)


@pytest.mark.parametrize(
    ("name", "word"),
    [("deploy_unit/01/0.3", "deploy/01/0.3"), ("undeploy_unit/01", "undeploy/01"), ("pass_deployment", "pass")],
)
def test_the_contracts_names_of_actions_are_read(name: str, word: str) -> None:
    game = shipped("small")
    assert game.parse_action(first(game), name) == game.parse_action(first(game), word)


def test_deployment_start_is_the_engines_own_action() -> None:
    game = shipped("small")
    with pytest.raises(
        MalformedAction, match="deployment_start is the engine's own action: the match has begun with it"
    ):
        game.parse_action(first(game), "deployment_start")


@pytest.mark.slow
@pytest.mark.parametrize(("order", "confirmation"), MODES)
def test_decode_and_encode_are_inverse(order: str, confirmation: str, tmp_path: Path) -> None:
    game = deploying(tmp_path, order, confirmation)
    phases = set()
    for seed in range(4):
        for match in random_play(game, seed):
            position = match.state
            phases.add(position.phase)
            seen = set()
            for action in match.legal().nonzero()[0].tolist():
                meaning = game.table.decode(position, action)
                assert meaning is not None
                assert game.table.encode(position, meaning) == action
                text = game.action_text(position, action)
                assert game.table.parse(text) == meaning
                assert game.parse_action(position, text) == action
                assert text.isascii()
                assert " " not in text
                seen.add(text)
            assert len(seen) == match.legal().sum()
    assert phases >= {"deployment", "move", "shoot", "charge", "fight", "over"}


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
    one, other = (len(pool) for pool in game.scenario.pools)
    assert one == other
    [[part]] = [event["parts"] for event in drawn["events"]]
    assert part["text"]["en"] == f"the deployment starts with zones of {one} hexes each"
    after = play(game, first(game), "deploy/01/0.3")
    assert scene(game, game.view(after, 0), game.legal(after))["event_names"] == ["deploy_unit"]
