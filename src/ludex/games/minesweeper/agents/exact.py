"""The player that knows every probability, and takes the safest cell without looking further."""

import numpy as np
from numpy.typing import NDArray

from ludex.core.decision import Decision
from ludex.core.options import NoOptions
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.minesweeper.agents.decisions import guessed, percent
from ludex.games.minesweeper.agents.solver.assess import assess, safest
from ludex.games.minesweeper.agents.solver.probabilities import refuse
from ludex.games.minesweeper.agents.solving import SolvingAgent, safety_of
from ludex.games.minesweeper.game import Minesweeper


class ExactAgent(SolvingAgent):
    """Reveals a cell that is safe for certain, else the one that is a mine least probably."""

    def __init__(self, game: Minesweeper, name: str = "exact") -> None:
        super().__init__(game, name)

    def guess(self, numbers: NDArray[np.int8], rng: Rng) -> tuple[int, float]:
        sight = self.sight
        log_count = assess(numbers, *sight.counting, sight.probability)
        refuse(log_count, numbers.reshape(sight.rows, sight.cols), sight.mines)
        cell = safest(numbers, sight.probability)
        return cell, safety_of(sight.probability[cell])

    def tell(self, numbers: NDArray[np.int8], cell: int, safety: float) -> Decision:
        note = f"{self.sight.names[cell]} is the safest cell, {percent(safety)} safe"
        return guessed(self.sight, cell, self.sight.probability, note=note)


def exact(game: Minesweeper, options: NoOptions, services: Services, name: str) -> ExactAgent:
    """The factory of `exact`."""
    return ExactAgent(game, name)
