"""The mask is what `apply` accepts, action by action, in every phase."""

from collections import Counter
from pathlib import Path

import pytest

from ludex.core.errors import IllegalAction
from ludex.core.seeding import generator
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.illegal_actions import DeploymentDeadlockError
from ludex.games.skirmish.rules.position import Position, deployment_state
from tests.games.skirmish.rules.scenario.support import SCENARIO, change, whole_folder
from tests.games.skirmish.support import MODES, deploying, of_folder, random_play, shipped
from tests.sizes import sampled


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


@pytest.mark.slow
def test_mask_is_true_only_for_legal_actions_on_the_cramped_board() -> None:
    assert check_every_action(shipped("cramped"), seeds=3, every=1)["deployment"] > 10


def cramped(parent: Path, order: str, confirmation: str) -> Skirmish:
    folder = whole_folder(parent, "cramped")
    change(folder, SCENARIO, "deployment_order_mode", order)
    change(folder, SCENARIO, "deployment_confirmation", confirmation)
    change(folder, SCENARIO, "max_undeploys", 2 if confirmation == "per_player" else 0)
    return of_folder(folder)


@pytest.mark.parametrize(("order", "confirmation"), MODES)
def test_pass_is_legal_only_without_any_legal_deployment(order: str, confirmation: str, tmp_path: Path) -> None:
    """And, where units may be taken back, with none left to take back."""
    game = cramped(tmp_path, order, confirmation)
    pass_index = game.table.deployment_action_dim - 1
    passes = undeploys_instead = 0
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
            assert mask[pass_index] == (left and no_place and not may_undeploy)
            passes += bool(mask[pass_index])
            undeploys_instead += left and no_place and may_undeploy
        assert match.aborted == "deployment_deadlock"
    assert passes >= 15
    assert (undeploys_instead > 0) == (confirmation == "per_player")
