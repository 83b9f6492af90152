"""The agent that guesses as people do: by the number next to a cell. The original document's third baseline."""

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
from ludex.games.minesweeper.rules.geometry import DEGREE
from ludex.games.minesweeper.rules.inference.assess import safest
from ludex.games.minesweeper.rules.inference.deduce import MINE, UNKNOWN
from ludex.games.minesweeper.rules.inference.workspace import Workspace
from ludex.games.minesweeper.rules.layout import HIDDEN
from ludex.kernels.jit import kernel, to_index


class HeuristicAgent(SolvingAgent):
    """Reveals what the rules prove safe, else the cell whose worst neighbouring number leaves it the safest."""

    def __init__(self, game: Minesweeper, name: str = "heuristic") -> None:
        super().__init__(game, name)

    def guess(self, numbers: NDArray[np.int8], rng: Rng) -> tuple[int, float]:
        context = self.context
        guess_locally(numbers, context.mines, context.near, context.work, context.probability)
        cell = safest(numbers, context.probability)
        return cell, safety_of(context.probability[cell])

    def explain(self, numbers: NDArray[np.int8], cell: int, safety: float) -> Decision:
        parameters: dict[str, Parameter] = {"cell": self.context.names[cell], "safety": percent(safety)}
        reason = Message("minesweeper.heuristic", parameters, (cell,))
        return guessed(self.context, cell, self.context.probability, explanation=reason)


def heuristic(game: Minesweeper, options: NoOptions, services: Services, name: str) -> HeuristicAgent:
    """The factory of `heuristic`."""
    return HeuristicAgent(game, name)


@kernel
def guess_locally(
    numbers: NDArray[np.int8], mines: int, near: NDArray[np.int16], work: Workspace, probability: NDArray[np.float64]
) -> None:
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
        for i in range(near[cell, DEGREE]):
            other = near[cell, i]
            if numbers[other] == HIDDEN:
                need -= work.known[other] == MINE
                around += work.known[other] == UNKNOWN
        for i in range(near[cell, DEGREE]):
            other = near[cell, i]
            if numbers[other] == HIDDEN and work.known[other] == UNKNOWN:
                probability[other] = max(probability[other], need / around)
    for cell in range(len(numbers)):
        if probability[cell] == -1.0:
            probability[cell] = min(1.0, max(0.0, left / unknown))
