"""What is counted of every move, over all matches."""

from collections.abc import Mapping
from typing import Any

from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import PassDeployment
from ludex.games.skirmish.rules.position import Position


def counters(game: Skirmish, state: Position, action: int, stats: Mapping[str, Any]) -> dict[str, int]:
    """One for the action that was played, under its name in the deployment contract or the word of its text."""
    meaning = game.table.decode(state, action)
    assert meaning is not None, f"action {action} was played and means nothing"
    return {"deployment_pass" if isinstance(meaning, PassDeployment) else meaning.contract_name or meaning.word: 1}
