"""The eight rules of `deploy_unit`, and that the mask is what `apply` accepts, action by action, in every phase."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ludex.core.errors import IllegalAction, MalformedAction
from ludex.core.match import Match
from ludex.core.seeding import generator
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules import illegal_actions as errors
from ludex.games.skirmish.rules.illegal_actions import DeploymentDeadlockError, DeploymentRefused
from ludex.games.skirmish.rules.position import Position, deployment_state
from tests.games.skirmish.support import (
    MODES,
    SCENARIO,
    change,
    deployed,
    deploying,
    first,
    of_folder,
    play,
    random_play,
    shipped,
    texts,
    variant,
    whole_folder,
)
from tests.sizes import sampled

CASES = {
    # what: class, code, number of the rule, text, what else the message must contain
    "off the board": (errors.OutOfBounds, "deploy_out_of_bounds", 4, "deploy/02/40.2", ("11 x 10", "0.0")),
    "far off the board": (errors.OutOfBounds, "deploy_out_of_bounds", 4, "deploy/02/-1.1000", ("11 x 10", "0.0")),
    "the row an odd column lacks": (errors.OutOfBounds, "deploy_out_of_bounds", 4, "deploy/02/1.9", ("0.0",)),
    "on a wall": (errors.OnAWall, "deploy_on_wall", 5, "deploy/02/1.4", ("wall", "0.0")),
    "outside the zone": (errors.OutsideThePool, "deploy_outside_pool", 6, "deploy/02/5.5", ("zone of player 1", "0.0")),
    "in the enemy's zone": (errors.OutsideThePool, "deploy_outside_pool", 6, "deploy/02/9.0", ("player 1", "0.0")),
    "occupied": (errors.Occupied, "deploy_occupied", 7, "deploy/02/0.1", ("01", "0.0")),
    "forbidden": (errors.ForbiddenHex, "deploy_forbidden_hex", 8, "deploy/02/0.3", ("forbids", "0.0")),
    "the other player's unit": (errors.NotTheDeployersUnit, "deploy_not_your_unit", 2, "deploy/05/0.0", ("02, 03",)),
    "placed already": (errors.AlreadyDeployed, "deploy_already_deployed", 3, "deploy/01/0.0", ("02, 03",)),
}


@pytest.fixture
def game(tmp_path: Path) -> Skirmish:
    return variant(tmp_path, {(SCENARIO, "forbidden_hexes"): [[0, 3]], (SCENARIO, "max_undeploys"): 0})


@pytest.fixture
def match(game: Skirmish) -> Match[Any, Any]:
    """Unit 01 stands on 0.1, 04 on 9.1; player 1 is to place 02 or 03."""
    match = Match(game, seed=0)
    match.play_text("deploy/01/0.1")
    match.play_text("deploy/04/9.1")
    return match


def check_message(error: DeploymentRefused, what: str) -> None:
    kind, code, rule, text, besides = CASES[what]
    assert type(error) is kind
    assert error.code == code
    unit, place = text.split("/")[1:]
    col, row = place.split(".")
    assert error.message.startswith(f"deploy_unit {unit} at column {col}, row {row}: rule {rule}: ")
    for word in besides:
        assert word in error.message.split("rule")[1]


@pytest.mark.parametrize("what", CASES)
def test_invalid_placement_is_refused_by_its_rule(what: str, game: Skirmish, match: Match[Any, Any]) -> None:
    before = match.state
    text = CASES[what][3]
    with pytest.raises(DeploymentRefused) as error:
        match.play_text(text)
    check_message(error.value, what)
    assert match.state is before
    assert match.ply == 2


@pytest.mark.parametrize("text", ["deploy/02/a.2", "deploy/02/01.2", "deploy/02", "deploy/99/0.0", "place/02/0.0"])
def test_a_text_that_names_no_placement_is_malformed(text: str, match: Match[Any, Any]) -> None:
    before = match.state.packed
    with pytest.raises(MalformedAction) as error:
        match.play_text(text)
    assert not isinstance(error.value, DeploymentRefused)
    assert match.state.packed == before


def test_wrong_phase_is_refused_by_text_and_by_index(game: Skirmish) -> None:
    position = deployed(game)
    for text in ("deploy/01/0.1", "deploy/01/5.5", "deploy/05/9.1"):
        with pytest.raises(errors.WrongPhase) as error:
            play(game, position, text)
        assert error.value.code == "deploy_wrong_phase"
        assert "rule 1" in error.value.message
        assert "phase is move" in error.value.message
    with pytest.raises(errors.WrongPhase):
        game.apply(position, 0, generator(0, 0))


def test_unused_slots_are_refused() -> None:
    game = shipped("default")
    position = first(game)
    slot = len(game.scenario.pools[0])
    assert slot < game.table.hex_slots
    for action in (slot, len(game.scenario.forces[0]) * game.table.hex_slots):
        with pytest.raises(IllegalAction, match="unused slot"):
            game.apply(position, action, generator(0, 0))


def test_a_valid_placement_is_accepted(game: Skirmish, match: Match[Any, Any]) -> None:
    assert {"deploy/02/0.0", "deploy/03/1.8"} <= texts(game, match.state)
    match.play_text("deploy/02/0.0")
    assert match.state.events.tolist() == [[0, 1, 0, 0]]
    assert match.to_move == 1


def accepted(game: Skirmish, position: Position) -> list[bool]:
    """Each action tried; a deadlock is an action that was accepted and could not be carried out."""
    result = []
    for action in range(game.info.num_actions):
        try:
            game.apply(position, action, generator(0, 0))
        except IllegalAction:
            result.append(False)
        except DeploymentDeadlockError:
            result.append(True)
        else:
            result.append(True)
    return result


def check_every_action(game: Skirmish, seeds: int, every: int) -> Counter[str]:
    phases: Counter[str] = Counter()
    for seed in range(seeds):
        for match in random_play(game, seed):
            if match.ply % every == seed % every or match.over:
                packed = match.state.packed
                assert accepted(game, match.state) == match.legal().tolist()
                assert match.state.packed == packed
                phases[match.state.phase] += 1
    return phases


@pytest.mark.slow
@pytest.mark.parametrize("every", sampled(9, 4))
@pytest.mark.parametrize(("order", "confirmation"), MODES)
def test_mask_is_true_only_for_legal_actions(order: str, confirmation: str, every: int, tmp_path: Path) -> None:
    game = deploying(tmp_path, order, confirmation)
    phases = check_every_action(game, seeds=2, every=every)
    assert set(phases) >= {"deployment", "move", "shoot", "over"}
    assert phases["move"] >= 10


def cramped(parent: Path, order: str, confirmation: str) -> Skirmish:
    folder = whole_folder(parent, "cramped")
    change(folder, SCENARIO, "deployment_order_mode", order)
    change(folder, SCENARIO, "deployment_confirmation", confirmation)
    change(folder, SCENARIO, "max_undeploys", 2 if confirmation == "per_player" else 0)
    return of_folder(folder)


@pytest.mark.parametrize(("order", "confirmation"), MODES)
def test_pass_is_legal_only_without_any_legal_deployment(order: str, confirmation: str, tmp_path: Path) -> None:
    """Whether or not a unit may be taken back then."""
    game = cramped(tmp_path, order, confirmation)
    pass_index = game.table.deployment_action_dim - 1
    passes = undeploys_beside = 0
    for seed in range(15):
        for match in random_play(game, seed):
            if match.over:
                break
            mask = match.legal()
            state = deployment_state(game.scenario, match.state)
            player = state.current_deployer
            mine = [unit.id for unit in game.units if unit.player == player]
            may_undeploy = (
                confirmation == "per_player"
                and state.undeploys_left[player] > 0
                and any(unit in state.deployed_units for unit in mine)
            )
            left = bool(state.deployable_units_by_player[player])
            no_place = not mask[:pass_index].any()
            assert mask[pass_index] == (left and no_place)
            passes += bool(mask[pass_index])
            undeploys_beside += left and no_place and may_undeploy
        assert match.aborted == "deployment_deadlock"
    assert passes >= 15
    assert (undeploys_beside > 0) == (confirmation == "per_player")
