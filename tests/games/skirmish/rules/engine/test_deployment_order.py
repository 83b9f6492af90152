"""The deployment: its order in both modes, its invariants after every action, and the battle that follows."""

from pathlib import Path

import pytest

from ludex.core.errors import IllegalAction
from ludex.core.match import Match
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import events, layout
from ludex.games.skirmish.rules.position import Position, deployment_state
from tests.games.skirmish.support import (
    FIXED,
    MODES,
    ORDERS,
    SCENARIO,
    change,
    deployed,
    deploying,
    first,
    fixed_folder,
    of_folder,
    places,
    random_deployment,
    random_play,
    shipped,
    texts,
    whole_folder,
)
from tests.sizes import sampled


def deployers(game: Skirmish, seed: int) -> list[int]:
    """The player that placed each unit, in order."""
    order = []
    for match in random_play(game, seed):
        if match.state.phase != "deployment":
            break
        order.append(match.to_move + 1)
    return order


def lopsided(parent: Path, order: str, first: int, second: int) -> Skirmish:
    """The small scenario with other numbers of units."""
    folder = whole_folder(parent)
    change(folder, SCENARIO, "deployment_order_mode", order)
    change(folder, "config/game_config.json", "deployment_max_unit_slots", max(first, second))
    owners = [1] * first + [2] * second
    units = [{"id": f"{i:02}", "player": owner, "type": "reaver"} for i, owner in enumerate(owners)]
    change(folder, SCENARIO, "units", units)
    return of_folder(folder)


@pytest.mark.parametrize(
    ("order", "expected"), [("player_by_player", [1, 1, 1, 2, 2, 2]), ("alternated_p1_start", [1, 2, 1, 2, 1, 2])]
)
def test_player_1_begins_and_places_everything_or_alternates(order: str, expected: list[int], tmp_path: Path) -> None:
    game = deploying(tmp_path, order, "none")
    for seed in range(20):
        assert deployers(game, seed) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [(2, 5, [1, 2, 1, 2, 2, 2, 2]), (4, 1, [1, 2, 1, 1, 1]), (1, 1, [1, 2]), (1, 3, [1, 2, 2, 2])],
)
def test_a_player_continues_alone_when_the_other_has_no_units_left(
    first: int, second: int, expected: list[int], tmp_path: Path
) -> None:
    game = lopsided(tmp_path, "alternated_p1_start", first, second)
    for seed in range(10):
        assert deployers(game, seed) == expected


def test_player_by_player_with_unequal_forces(tmp_path: Path) -> None:
    assert deployers(lopsided(tmp_path, "player_by_player", 2, 4), 0) == [1, 1, 2, 2, 2, 2]


def test_undeploy_stays_on_turn_and_is_bounded(tmp_path: Path) -> None:
    game = deploying(tmp_path, "player_by_player", "per_player", undeploys=2)
    match = Match(game, seed=0)
    for left in (1, 0):
        match.play_text("deploy/01/0.0")
        assert "undeploy/01" in texts(game, match.state)
        match.play_text("undeploy/01")
        assert match.to_move == 0
        state = deployment_state(game.scenario, match.state)
        assert state.undeploys_left == {1: left, 2: 2}
        assert state.deployed_units == []
        assert state.deployable_units_by_player[1] == ["01", "02", "03"]
        assert "deploy/01/0.0" in texts(game, match.state)
    match.play_text("deploy/01/0.0")
    assert not any(text.startswith("undeploy") for text in texts(game, match.state))
    with pytest.raises(IllegalAction, match="undeploy/01 cannot be played"):
        match.play_text("undeploy/01")


def test_undeploy_stays_on_turn_under_alternation(tmp_path: Path) -> None:
    game = deploying(tmp_path, "alternated_p1_start", "per_player")
    match = Match(game, seed=0)
    for text in ("deploy/01/0.0", "deploy/04/9.0", "undeploy/01"):
        match.play_text(text)
    assert match.to_move == 0
    assert "undeploy/04" not in texts(game, match.state)
    with pytest.raises(IllegalAction):
        match.play_text("undeploy/02")
    match.play_text("deploy/01/0.5")
    assert match.to_move == 1


@pytest.mark.slow
@pytest.mark.parametrize("order", ORDERS)
def test_confirm_only_with_nothing_left_to_place(order: str, tmp_path: Path) -> None:
    game = deploying(tmp_path, order, "per_player")
    confirms = 0
    for seed in range(60):
        for match in random_play(game, seed):
            if match.state.phase != "deployment":
                break
            state = deployment_state(game.scenario, match.state)
            mine = state.deployable_units_by_player[state.current_deployer]
            assert ("confirm" in texts(game, match.state)) == (not mine)
            assert state.current_deployer not in state.confirmed_players
            confirms += not mine
    assert confirms >= 120


def test_only_confirm_ends_a_players_part(tmp_path: Path) -> None:
    game = deploying(tmp_path, "player_by_player", "per_player")
    match = Match(game, seed=0)
    for text in ("deploy/01/0.0", "deploy/02/0.1", "deploy/03/0.2"):
        match.play_text(text)
        assert match.to_move == 0
    match.play_text("confirm")
    assert match.to_move == 1
    assert deployment_state(game.scenario, match.state).confirmed_players == [1]
    for text in ("deploy/04/9.0", "deploy/05/9.1", "deploy/06/9.2"):
        match.play_text(text)
        assert match.state.phase == "deployment"
        assert match.to_move == 1
    assert not deployment_state(game.scenario, match.state).deployment_complete
    match.play_text("confirm")
    state = deployment_state(game.scenario, match.state)
    assert state.deployment_complete
    assert state.confirmed_players == [1, 2]
    assert match.state.phase == "move"


def test_confirmed_players_are_skipped(tmp_path: Path) -> None:
    game = deploying(tmp_path, "alternated_p1_start", "per_player")
    match = Match(game, seed=0)
    for text in ("deploy/01/0.0", "deploy/04/9.0", "deploy/02/0.1", "deploy/05/9.1", "deploy/03/0.2"):
        match.play_text(text)
    # Player 2 has one unit left and takes another back; player 1, with nothing left, still has to confirm.
    for text in ("undeploy/04", "deploy/04/9.5"):
        match.play_text(text)
    assert match.to_move == 0
    assert texts(game, match.state) == {
        "confirm",
        *(f"undeploy/{unit}" for unit in ("01", "02", "03")),
    }
    match.play_text("confirm")
    match.play_text("deploy/06/9.7")
    assert match.to_move == 1
    assert match.state.phase == "deployment"
    match.play_text("undeploy/06")
    match.play_text("deploy/06/9.8")
    assert match.to_move == 1
    match.play_text("confirm")
    assert match.state.phase == "move"


def check_invariants(game: Skirmish, position: Position) -> None:
    state = deployment_state(game.scenario, position)
    owners = {unit.id: unit.player for unit in game.units}
    standing = {unit: place for unit, place in places(game, position).items() if place is not None}
    waiting = {player: set(units) for player, units in state.deployable_units_by_player.items()}
    # 1: a unit is placed if and only if it is in deployed_units.
    assert set(standing) == set(state.deployed_units)
    # 2: a unit that is not placed has the sentinel for a hex.
    for number, unit in enumerate(game.units):
        where = position.words[layout.UNITS + number * layout.UNIT_WORDS + layout.HEX]
        assert (where == layout.NOWHERE == -1) == (unit.id in waiting[unit.player])
    # 3: no unit is both placed and still to be placed, and none is lost.
    assert waiting[1] | waiting[2] == set(owners) - set(state.deployed_units)
    assert all(owners[unit] == player for player, units in waiting.items() for unit in units)
    # 4: the deployment is complete if and only if all are placed, and confirmed where that is required.
    confirmed = game.scenario.config.deployment_confirmation == "none" or state.confirmed_players == [1, 2]
    assert state.deployment_complete == (not waiting[1] and not waiting[2] and confirmed)
    # 5: a complete deployment is over.
    assert state.deployment_complete == (position.phase != "deployment")
    # And the effects of every placement: in the own pool, one unit a hex.
    assert len(set(standing.values())) == len(standing)
    for name, place in standing.items():
        assert place in state.deployment_pools_by_player[owners[name]]
    assert state.active_unit_id is None
    assert state.current_deployer == position.to_move + 1
    assert state.deployment_order_mode == game.scenario.config.deployment_order_mode


@pytest.mark.slow
@pytest.mark.parametrize("deployments", sampled(60, 300))
@pytest.mark.parametrize(("order", "confirmation"), MODES)
def test_invariants_hold_after_every_action(order: str, confirmation: str, deployments: int, tmp_path: Path) -> None:
    game = deploying(tmp_path, order, confirmation)
    count = 0
    for seed in range(deployments):
        for position in random_deployment(game, seed):
            check_invariants(game, position)
            count += 1
        assert position.phase != "deployment"
    assert count >= deployments * (len(game.units) + 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["default", "mirror", "people"])
def test_invariants_hold_in_what_ships(name: str) -> None:
    game = shipped(name)
    for seed in range(12):
        for position in random_deployment(game, seed):
            check_invariants(game, position)


@pytest.mark.parametrize("start", ["command", "move"])
@pytest.mark.parametrize(("order", "confirmation"), MODES)
def test_deployment_ends_in_the_post_deployment_start_phase(
    order: str, confirmation: str, start: str, tmp_path: Path
) -> None:
    game = deploying(tmp_path, order, confirmation, start=start)
    for seed in range(20):
        position = deployed(game, seed)
        began = [row[1:] for row in position.events.tolist() if row[0] == events.PHASE_BEGAN]
        expected = [[layout.COMMAND, 0, 1], [layout.MOVE, 0, 1]] if start == "command" else [[layout.MOVE, 0, 1]]
        assert began == expected
        # The command phase has nothing to choose: the first choice is player 1's, in the move phase.
        assert position.phase == "move"
        assert position.to_move == 0
        assert position.active is None
        assert texts(game, position) == {"activate/01", "activate/02", "activate/03"}
        assert deployment_state(game.scenario, position).deployment_complete


def test_move_skips_only_the_first_command_phase(tmp_path: Path) -> None:
    game = deploying(tmp_path, "alternated_p1_start", "none", start="move")
    began = []
    for match in random_play(game, 3):
        began += [tuple(row[1:]) for row in match.state.events.tolist() if row[0] == events.PHASE_BEGAN]
    assert (layout.COMMAND, 0, 1) not in began
    assert (layout.COMMAND, 1, 1) in began


def test_a_fixed_deployment_starts_in_the_battle(tmp_path: Path) -> None:
    game = of_folder(fixed_folder(tmp_path))
    position = first(game)
    assert events.DEPLOYMENT_START not in position.events[:, 0].tolist()
    assert (position.phase, position.active, position.to_move) == ("move", None, 0)
    assert tuple(places(game, position).values()) == FIXED
    state = deployment_state(game.scenario, position)
    assert state.deployment_complete
    assert len(state.deployed_units) == 6
    for match in random_play(game, 1):
        assert match.state.phase != "deployment"
    assert match.outcome is not None
