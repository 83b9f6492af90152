"""What is counted of every move, over all matches."""

from collections.abc import Mapping
from typing import Any

from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import ConfirmDeployment, DeployUnit, Meaning, PassDeployment, UndeployUnit
from ludex.games.skirmish.rules.position import Position

_CONTRACTS_NAMES: dict[type[Meaning], str] = {
    DeployUnit: "deploy_unit",
    PassDeployment: "deployment_pass",
    UndeployUnit: "undeploy_unit",
    ConfirmDeployment: "confirm_deployment",
}
"""Names of the deployment contract; every other action is counted under the word that its text begins with."""


def counters(game: Skirmish, state: Position, action: int, stats: Mapping[str, Any]) -> dict[str, int]:
    """One for the kind of action that was played."""
    meaning = game.table.decode(state, action)
    assert meaning is not None, f"action {action} was played and means nothing"
    return {_CONTRACTS_NAMES.get(type(meaning)) or game.table.text(meaning).split("/")[0]: 1}
