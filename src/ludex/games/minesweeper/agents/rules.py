"""The agent that only makes moves it can prove: the original document's solver without guesses."""

import numpy as np

from ludex.core.decision import Candidate, Decision
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.minesweeper.agents.options import RulesOptions
from ludex.games.minesweeper.agents.solving import SolvingAgent
from ludex.games.minesweeper.env.buffers import REST
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.inference.forced_moves import proofs
from ludex.games.minesweeper.rules.layout import HIDDEN, Numbers


class RulesAgent(SolvingAgent):
    """Reveals what the rules prove safe. Where nothing is, it gives up, or guesses any cell that is no proven mine.

    The rules are the original document's two; with `pairs` numbers are also compared two by two.
    """

    def __init__(self, game: Minesweeper, guesses: bool = False, pairs: bool = False, name: str = "rules") -> None:
        super().__init__(game, name, pairs=pairs)
        self._guesses = guesses

    def guess(self, numbers: Numbers, rng: Rng) -> tuple[int, float]:
        return (rng.choice(self._open(numbers)) if self._guesses else REST), np.nan

    def explain(self, numbers: Numbers, cell: int, safety: float) -> Decision:
        cells = self._open(numbers)
        if cell == REST:
            reason = Message("minesweeper.no_proof")
            return Decision(action=cells[0], stats={"how": "stuck"}, explanation=(reason,), resigns=True)
        share = 1.0 / len(cells)
        return Decision(
            action=cell,
            candidates=tuple(Candidate(one, prob=share, line=(one,)) for one in cells),
            stats={"how": "guess"},
            explanation=(Message("minesweeper.no_proof_guess", {"cell": self.context.names[cell]}, (cell,)),),
        )

    def _open(self, numbers: Numbers) -> list[int]:
        """The hidden cells that are no proven mines."""
        forced = proofs(numbers.reshape(self.context.rows, self.context.cols), self.pairs)
        mines = {move.cell for move in forced if move.kind == "flag"}
        return [cell for cell in np.flatnonzero(numbers == HIDDEN).tolist() if cell not in mines]


def rules(game: Minesweeper, options: RulesOptions, services: Services, name: str) -> RulesAgent:
    """The factory of `rules`."""
    return RulesAgent(game, options.guess == "uniform", options.pairs, name)
