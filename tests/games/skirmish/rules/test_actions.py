"""One action space: what an index means, for the whole episode, and back."""

from pathlib import Path

import pytest

from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import DeployUnit
from tests.games.skirmish.support import MODES, deploying, first, random_play, shipped


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
