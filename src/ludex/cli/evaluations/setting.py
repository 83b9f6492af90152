"""The parameters of both kinds of evaluation."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludex.core.executor import Executor
    from ludex.core.game import AnyGame
    from ludex.core.limit import Limit


@dataclass(frozen=True)
class Setting:
    """One agent to evaluate on one board."""

    board: "AnyGame"
    agent: str
    games: int
    seed: int
    limit: "Limit"
    executor: "Executor"
