"""The agent that computes every exact probability and reveals the safest cell, without lookahead."""

import numpy as np
from numpy.typing import NDArray

from ludex.core.decision import Decision
from ludex.core.messages import Message, Parameter
from ludex.core.options import NoOptions
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.minesweeper.agents.decisions import guessed, percent
from ludex.games.minesweeper.agents.solving import SolvingAgent, safety_of
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.inference.assess import assess, safest
from ludex.games.minesweeper.rules.inference.probabilities import refuse


class ExactAgent(SolvingAgent):
    """Reveals a cell that is safe for certain, else the one that is a mine least probably."""

    def __init__(self, game: Minesweeper, name: str = "exact") -> None:
        super().__init__(game, name)

    def guess(self, numbers: NDArray[np.int8], rng: Rng) -> tuple[int, float]:
        context = self.context
        log_count = assess(numbers, *context.counting_args, context.probability)
        refuse(log_count, numbers.reshape(context.rows, context.cols), context.mines)
        cell = safest(numbers, context.probability)
        return cell, safety_of(context.probability[cell])

    def explain(self, numbers: NDArray[np.int8], cell: int, safety: float) -> Decision:
        parameters: dict[str, Parameter] = {"cell": self.context.names[cell], "safety": percent(safety)}
        reason = Message("minesweeper.exact", parameters, (cell,))
        return guessed(self.context, cell, self.context.probability, explanation=reason)


def exact(game: Minesweeper, options: NoOptions, services: Services, name: str) -> ExactAgent:
    """The factory of `exact`."""
    return ExactAgent(game, name)
