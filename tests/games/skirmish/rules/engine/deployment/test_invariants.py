"""The five invariants of the contract, section 3.2, after every action of many random deployments."""

from pathlib import Path

import pytest

from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.position import Position, deployment_state
from tests.games.skirmish.support import MODES, deploying, places, random_deployment, shipped
from tests.sizes import sampled

pytestmark = pytest.mark.slow


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


@pytest.mark.parametrize("deployments", sampled(60, 300))
@pytest.mark.parametrize(("order", "confirmation"), MODES)
def test_invariants_hold_after_every_action(order: str, confirmation: str, deployments: int, tmp_path: Path) -> None:
    game = deploying(tmp_path, order, confirmation)
    seen = 0
    for seed in range(deployments):
        for position in random_deployment(game, seed):
            check_invariants(game, position)
            seen += 1
        assert position.phase != "deployment"
    assert seen >= deployments * (len(game.units) + 1)


@pytest.mark.parametrize("name", ["default", "mirror", "people"])
def test_invariants_hold_in_what_ships(name: str) -> None:
    game = shipped(name)
    for seed in range(12):
        for position in random_deployment(game, seed):
            check_invariants(game, position)
