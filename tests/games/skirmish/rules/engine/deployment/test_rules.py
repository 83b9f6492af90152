"""The eight rules of `deploy_unit`: each has its class, its code, and a message that says what would be legal."""

from pathlib import Path
from typing import Any

import pytest

from ludex.core.errors import IllegalAction, MalformedAction
from ludex.core.match import Match
from ludex.core.seeding import generator
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules import illegal_actions as errors
from ludex.games.skirmish.rules.illegal_actions import DeploymentRefused
from tests.games.skirmish.rules.scenario.support import SCENARIO
from tests.games.skirmish.support import deployed, first, play, shipped, texts, variant

CASES = {
    # what: class, code, number of the rule, text, what else the message must contain
    "off the board": (errors.OutOfBounds, "deploy_out_of_bounds", 4, "deploy/02/40.2", ("11 x 10", "0.0")),
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
    with pytest.raises(DeploymentRefused) as caught:
        match.play_text(text)
    check_message(caught.value, what)
    assert match.state is before
    assert match.ply == 2


@pytest.mark.parametrize("text", ["deploy/02/a.2", "deploy/02/01.2", "deploy/02", "deploy/99/0.0", "place/02/0.0"])
def test_a_text_that_names_no_placement_is_malformed(text: str, match: Match[Any, Any]) -> None:
    before = match.state.packed
    with pytest.raises(MalformedAction) as caught:
        match.play_text(text)
    assert not isinstance(caught.value, DeploymentRefused)
    assert match.state.packed == before


def test_wrong_phase_is_refused_by_text_and_by_index(game: Skirmish) -> None:
    position = deployed(game)
    for text in ("deploy/01/0.1", "deploy/01/5.5", "deploy/05/9.1"):
        with pytest.raises(errors.WrongPhase) as caught:
            play(game, position, text)
        assert caught.value.code == "deploy_wrong_phase"
        assert "rule 1" in caught.value.message
        assert "phase is move" in caught.value.message
    with pytest.raises(errors.WrongPhase):
        game.apply(position, 0, generator(0, 0))


def test_placed_units_and_occupied_hexes_are_refused_by_index(game: Skirmish, match: Match[Any, Any]) -> None:
    hexes = game.table.hex_slots
    before = match.state.packed
    for unit in range(3):
        for slot, where in enumerate(game.scenario.pools[0]):
            name = game.scenario.grid.name(where)
            action = unit * hexes + slot
            if unit == 0:
                expected: type[DeploymentRefused] = errors.AlreadyDeployed
            elif name == "0.1":
                expected = errors.Occupied
            else:
                assert match.legal()[action]
                continue
            with pytest.raises(expected):
                match.play(action)
            assert match.state.packed == before


def test_a_refusal_is_illegal_and_its_own_code_is_unique() -> None:
    kinds = DeploymentRefused.__subclasses__()
    assert len(kinds) == 8
    assert len({kind.code for kind in kinds}) == 8
    assert all(issubclass(kind, IllegalAction) for kind in kinds)


def test_unused_slots_are_refused() -> None:
    game = shipped("default")
    position = first(game)
    slot = len(game.scenario.pools[0])
    assert slot < game.table.hex_slots
    for action in (slot, len(game.scenario.forces[0]) * game.table.hex_slots):
        with pytest.raises(IllegalAction, match="unused slot"):
            game.apply(position, action, generator(0, 0))


@pytest.mark.parametrize("action", [-1, 195, 10**9])
def test_indices_out_of_range_are_refused(action: int, game: Skirmish) -> None:
    with pytest.raises(IllegalAction, match=r"does not exist: expected 0\.\.194"):
        game.apply(first(game), action, generator(0, 0))


def test_a_valid_placement_is_accepted(game: Skirmish, match: Match[Any, Any]) -> None:
    assert {"deploy/02/0.0", "deploy/03/1.8"} <= texts(game, match.state)
    match.play_text("deploy/02/0.0")
    assert match.state.events.tolist() == [[0, 1, 0, 0]]
    assert match.to_move == 1
