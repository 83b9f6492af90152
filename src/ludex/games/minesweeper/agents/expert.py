"""The strongest solver agent: an exact search of the end of the game, one guess ahead before it."""

from collections.abc import Sequence

from ludex.core.decision import Candidate, Decision
from ludex.core.game import Json
from ludex.core.messages import Message, Parameter
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.minesweeper.agents.decisions import SAFETY, decide_guess, percent
from ludex.games.minesweeper.agents.search.guessing import (
    ENDGAME,
    FAILED,
    FORESIGHT,
    NODES,
    SHORTLISTED,
    SOLUTIONS,
    TRIED,
    UNAVOIDABLE,
    WON,
    GuessRecord,
    expert_cell,
)
from ludex.games.minesweeper.agents.search.solutions import Solutions
from ludex.games.minesweeper.agents.search.tree import Tree
from ludex.games.minesweeper.agents.solving import SolvingAgent, safety_of
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.options import ExpertOptions
from ludex.games.minesweeper.rules.inference.probabilities import refuse
from ludex.games.minesweeper.rules.inference.workspace import field
from ludex.games.minesweeper.rules.layout import Numbers
from ludex.kernels.records import new_record

NAMES = {ENDGAME: "endgame", UNAVOIDABLE: "unavoidable", FORESIGHT: "foresight"}


class ExpertAgent(SolvingAgent):
    """Certain moves first; then the exact endgame, unavoidable guesses, and the best guess by one guess ahead."""

    def __init__(self, game: Minesweeper, options: ExpertOptions, name: str = "expert") -> None:
        super().__init__(game, name)
        self._record = new_record(GuessRecord)
        self._memory = (new_record(Solutions), new_record(Tree), self._record)
        self._bounds = (options.solutions, options.nodes)
        self._how, self._log_count = FAILED, 0.0
        """How the last guess was found, and among how many solutions."""

    def guess(self, numbers: Numbers, rng: Rng) -> tuple[int, float]:
        context = self.context
        cell, self._how, self._log_count = expert_cell(
            numbers, context.mines, context.work, *self._memory, *self._bounds
        )
        refuse(self._log_count, numbers.reshape(context.rows, context.cols), context.mines)
        return cell, safety_of(field(self._record, "probability")[cell])

    def explain(self, numbers: Numbers, cell: int, safety: float) -> Decision:
        context, how = self.context, self._how
        probability = field(self._record, "probability")[: context.cells].copy()
        figures = field(self._record, "figures")
        count, won = int(figures[SOLUTIONS]), int(figures[WON])
        stats: dict[str, Json] = {"how": NAMES[how], "log_solutions": self._log_count}
        parameters: dict[str, Parameter] = {"cell": context.names[cell], "safety": percent(safety)}
        if how == FORESIGHT:
            ranked = self._rank(cell)
            reason = Message("minesweeper.expert_last", parameters, (cell,))
            if ranked:
                following = percent(ranked[0].terms["secondary"])
                reason = Message("minesweeper.expert_next", {**parameters, "next": following}, (cell,))
            return decide_guess(context, cell, probability, explanation=reason, stats=stats, ranked=ranked)
        stats |= {"solutions": count, "won": won, "nodes": int(figures[NODES])}
        if how == ENDGAME:
            share = won / count
            layouts: dict[str, Parameter] = {"won": won, "count": count, "share": percent(share)}
            reason = Message("minesweeper.expert_end", {**parameters, **layouts}, (cell,))
            return decide_guess(context, cell, probability, explanation=reason, value=share, stats=stats)
        reason = Message("minesweeper.expert_now", parameters, (cell,))
        return decide_guess(context, cell, probability, explanation=reason, stats=stats)

    def _rank(self, cell: int) -> Sequence[Candidate]:
        """The fully evaluated candidates, the chosen one first."""
        names = ("cell", "fate", "score", "safety", "secondary", "progress")
        length = int(field(self._record, "figures")[SHORTLISTED])
        rows = zip(*(field(self._record, name)[:length].tolist() for name in names), strict=True)
        tried = [
            Candidate(
                one, score=score, line=(one,), terms={SAFETY: safety, "secondary": secondary, "progress": progress}
            )
            for one, fate, score, safety, secondary, progress in rows
            if fate == TRIED
        ]
        return sorted(tried, key=lambda candidate: (candidate.action != cell, -(candidate.score or 0.0)))


def expert(game: Minesweeper, options: ExpertOptions, services: Services, name: str) -> ExpertAgent:
    """The factory of `expert`."""
    return ExpertAgent(game, options, name)
