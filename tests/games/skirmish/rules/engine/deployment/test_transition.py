"""From the deployment to the battle, and the games that begin there."""

from pathlib import Path

import pytest

from ludex.games.skirmish.rules.engine import events, layout
from ludex.games.skirmish.rules.position import deployment_state
from tests.games.skirmish.rules.scenario.support import FIXED, fixed_folder
from tests.games.skirmish.support import (
    MODES,
    deployed,
    deploying,
    first,
    of_folder,
    places,
    random_play,
    shipped,
    texts,
)


@pytest.mark.parametrize("name", ["default", "mirror", "people", "small", "cramped"])
def test_reset_starts_in_deployment_if_active(name: str) -> None:
    game = shipped(name)
    assert game.scenario.config.deployment_type == "active"
    position = first(game)
    assert position.phase == "deployment"
    assert game.to_move(position) == 0


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
