"""Agents that reveal the safest cell, by exact probabilities or by the numbers next to a cell, without lookahead."""

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from ludex.core.decision import Decision
from ludex.core.messages import Message, Parameter
from ludex.core.options import NoOptions
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.minesweeper.agents.decisions import decide_guess, percent
from ludex.games.minesweeper.agents.solving import SolvingAgent, safety_of
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.geometry import DEGREE
from ludex.games.minesweeper.rules.inference.assess import assess, safest
from ludex.games.minesweeper.rules.inference.deduce import MINE, UNKNOWN
from ludex.games.minesweeper.rules.inference.probabilities import refuse
from ludex.games.minesweeper.rules.inference.workspace import Workspace
from ludex.games.minesweeper.rules.layout import HIDDEN, Numbers
from ludex.kernels.jit import kernel, to_index


class SafestAgent(SolvingAgent):
    """Guesses the cell that is a mine least probably, by some estimate."""

    reason: str
    """The message that explains a guess."""

    @abstractmethod
    def estimate(self, numbers: Numbers) -> None:
        """Fill `context.probability` with how probably each hidden cell of int8[HW] is a mine."""

    def guess(self, numbers: Numbers, rng: Rng) -> tuple[int, float]:
        self.estimate(numbers)
        cell = safest(numbers, self.context.probability)
        return cell, safety_of(self.context.probability[cell])

    def explain(self, numbers: Numbers, cell: int, safety: float) -> Decision:
        parameters: dict[str, Parameter] = {"cell": self.context.names[cell], "safety": percent(safety)}
        explanation = Message(self.reason, parameters, (cell,))
        return decide_guess(self.context, cell, self.context.probability, explanation=explanation)


class ExactAgent(SafestAgent):
    """Reveals a cell that is safe for certain, else the one that is a mine least probably."""

    reason = "minesweeper.exact"

    def __init__(self, game: Minesweeper, name: str = "exact") -> None:
        super().__init__(game, name)

    def estimate(self, numbers: Numbers) -> None:
        context = self.context
        log_count = assess(numbers, context.mines, context.work, context.probability)
        refuse(log_count, numbers.reshape(context.rows, context.cols), context.mines)


def exact(game: Minesweeper, options: NoOptions, services: Services, name: str) -> ExactAgent:
    """The factory of `exact`."""
    return ExactAgent(game, name)


class HeuristicAgent(SafestAgent):
    """Reveals what the rules prove safe, else the cell whose worst neighbouring number leaves it the safest.

    So people guess: it is the original document's third baseline.
    """

    reason = "minesweeper.heuristic"

    def __init__(self, game: Minesweeper, name: str = "heuristic") -> None:
        super().__init__(game, name)

    def estimate(self, numbers: Numbers) -> None:
        guess_locally(numbers, self.context.mines, self.context.work, self.context.probability)


def heuristic(game: Minesweeper, options: NoOptions, services: Services, name: str) -> HeuristicAgent:
    """The factory of `heuristic`."""
    return HeuristicAgent(game, name)


@kernel
def guess_locally(numbers: Numbers, mines: int, work: Workspace, probability: NDArray[np.float64]) -> None:
    """Estimate every hidden cell by its worst neighbouring number alone, after the rules; elsewhere by what is left."""
    left, unknown = mines, 0
    for cell in range(len(numbers)):
        probability[cell] = np.nan
        if numbers[cell] == HIDDEN:
            left -= work.known[cell] == MINE
            unknown += work.known[cell] == UNKNOWN
            probability[cell] = 1.0 if work.known[cell] == MINE else -1.0
    for cell in range(len(numbers)):
        if numbers[cell] == HIDDEN:
            continue
        need, around = to_index(numbers[cell]), 0
        for i in range(work.near[cell, DEGREE]):
            other = work.near[cell, i]
            if numbers[other] == HIDDEN:
                need -= work.known[other] == MINE
                around += work.known[other] == UNKNOWN
        for i in range(work.near[cell, DEGREE]):
            other = work.near[cell, i]
            if numbers[other] == HIDDEN and work.known[other] == UNKNOWN:
                probability[other] = max(probability[other], need / around)
    for cell in range(len(numbers)):
        if probability[cell] == -1.0:
            probability[cell] = min(1.0, max(0.0, left / unknown))
