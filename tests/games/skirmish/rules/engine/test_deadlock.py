"""Where units are left and no player can place any, the deployment ends in that error, and in nothing else."""

import re
from pathlib import Path

import pytest

from ludex.core.errors import GameOver
from ludex.core.match import Match
from ludex.core.seeding import generator
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.illegal_actions import DeploymentDeadlockError, deadlock
from ludex.games.skirmish.rules.position import Position, deployment_state
from ludex.games.skirmish.rules.scenario import load_scenario
from tests.games.skirmish.support import (
    BOARD,
    SCENARIO,
    ZONES,
    change,
    of_folder,
    random_play,
    shipped,
    texts,
    variant,
    whole_folder,
)


def stuck(game: Skirmish) -> Position:
    """Player 1 has filled its pool, one unit is left, and it is on turn."""
    match = Match(game, seed=0)
    while match.to_move != 0 or texts(game, match.state) != {"pass"}:
        match.play(int(match.legal().argmax()))
    return match.state


def test_pass_hands_on_once_then_the_deadlock_is_raised() -> None:
    game = shipped("cramped")
    position = stuck(game)
    pass_index = game.parse_action(position, "pass")
    state = deployment_state(game.scenario, position)
    assert state.deployable_units_by_player == {1: ["04"], 2: ["08"]}
    handed = game.apply(position, pass_index, generator(0, 1))
    assert handed.to_move == 1
    assert handed.phase == "deployment"
    assert handed.words[layout.PASSES] == 1
    assert all(text.startswith("deploy/08/") for text in texts(game, handed))
    after = game.apply(handed, int(game.legal(handed).argmax()), generator(0, 2))
    assert after.to_move == 0
    assert texts(game, after) == {"pass"}
    packed = after.packed
    with pytest.raises(DeploymentDeadlockError) as error:
        game.apply(after, pass_index, generator(0, 3))
    assert after.packed == packed
    message = error.value.message
    assert error.value.code == "deployment_deadlock"
    assert game.info.aborts == ("deployment_deadlock",)
    # Active player, remaining units, pool sizes, occupation.
    for part in ("player 1", "{1: ['04'], 2: []}", "pool sizes {1: 3, 2: 4}", "free hexes {1: 0, 2: 0}", "7 hexes"):
        assert part in message, part


@pytest.mark.parametrize("order", ["alternated_p1_start", "player_by_player"])
def test_deadlock_with_a_zone_that_is_too_small(order: str, tmp_path: Path) -> None:
    zone = {"col_min": 0, "col_max": 0, "row_min": 0, "row_max": 1}
    game = variant(tmp_path, {(ZONES, "p1"): zone, (SCENARIO, "deployment_order_mode"): order})
    for seed in range(10):
        *_, match = random_play(game, seed)
        assert match.aborted == "deployment_deadlock"
        assert deployment_state(game.scenario, match.state).deployable_units_by_player[1] != []


def test_deadlock_with_a_zone_blocked_by_walls(tmp_path: Path) -> None:
    folder = whole_folder(tmp_path)
    change(folder, ZONES, "p2", {"col_min": 10, "col_max": 10, "row_min": 0, "row_max": 4})
    for row in (0, 2, 4):
        change(folder, BOARD, "wall_hexes.+", [10, row])
    scenario = load_scenario(folder)
    assert scenario.doomed
    assert "deadlock" in scenario.warnings[0]
    game = of_folder(folder)
    for seed in range(10):
        *_, match = random_play(game, seed)
        assert match.aborted == "deployment_deadlock"


def test_player_by_player_deadlocks_at_the_first_pass(tmp_path: Path) -> None:
    game = variant(tmp_path, {(SCENARIO, "deployment_order_mode"): "player_by_player"}, "cramped")
    position = stuck(game)
    assert deployment_state(game.scenario, position).deployable_units_by_player[2] == ["05", "06", "07", "08"]
    cause = "player 1 cannot place any unit, and player 2 deploys only after it: "
    with pytest.raises(DeploymentDeadlockError, match=cause) as error:
        game.apply(position, game.parse_action(position, "pass"), generator(0, 1))
    assert "free hexes {1: 0, 2: 4}" in error.value.message, "what is said of the other player must be true"


@pytest.mark.parametrize(
    ("zone", "order", "said"),
    [
        ("p1", "alternated_p1_start", "player 1 cannot place any unit, and player 2 has placed all its own: "),
        ("both", "alternated_p1_start", r"player (1|2) cannot place any unit, and neither can player (2|1): "),
        ("p2", "player_by_player", "player 2 cannot place any unit, and player 1 has placed all its own: "),
        ("both", "player_by_player", "player 1 cannot place any unit, and player 2 deploys only after it: "),
    ],
)
def test_the_message_says_why_the_other_player_cannot_help(zone: str, order: str, said: str, tmp_path: Path) -> None:
    """Of the zones of `small`, those named are too small for three units."""
    zones = {"p1": {"col_min": 0, "col_max": 0}, "p2": {"col_min": 10, "col_max": 10}}
    changes = {
        (ZONES, name): {**columns, "row_min": 0, "row_max": 1}
        for name, columns in zones.items()
        if zone in (name, "both")
    }
    game = variant(tmp_path, {**changes, (SCENARIO, "deployment_order_mode"): order})
    *_, match = random_play(game, 0)
    assert match.aborted == "deployment_deadlock"
    assert re.match(said, deadlock(game.scenario, match.state).message)


def test_no_fallback_hides_the_failure() -> None:
    """Nothing is placed by itself, no unit disappears, the phase does not end, and the match has no score."""
    game = shipped("cramped")
    for seed in range(20):
        *_, match = random_play(game, seed)
        assert (match.aborted, match.outcome, game.outcome(match.state)) == ("deployment_deadlock", None, None)
        assert match.positions[-1] == match.positions[-2]
        with pytest.raises(GameOver):
            match.play_text("pass")
        state = deployment_state(game.scenario, match.state)
        assert match.state.phase == "deployment"
        assert not state.deployment_complete
        placements = [move for move in match.moves if move.text.startswith("deploy/")]
        assert sorted(move.text.split("/")[1] for move in placements) == state.deployed_units
        assert len(state.deployed_units) == 7
        assert len(state.deployable_units_by_player[1]) == 1


def test_a_stuck_player_may_pass_or_take_back(tmp_path: Path) -> None:
    changes = {(SCENARIO, "deployment_confirmation"): "per_player", (SCENARIO, "max_undeploys"): 1}
    game = variant(tmp_path, {**changes, (SCENARIO, "deployment_order_mode"): "player_by_player"}, "cramped")
    match = Match(game, seed=0)
    for _ in range(3):
        match.play(int(match.legal().argmax()))
    assert texts(game, match.state) == {"undeploy/01", "undeploy/02", "undeploy/03", "pass"}
    match.play_text("undeploy/01")
    match.play(int(match.legal().argmax()))
    assert texts(game, match.state) == {"pass"}
    match.play_text("pass")
    assert match.aborted == "deployment_deadlock"
