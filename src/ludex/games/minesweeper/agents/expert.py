"""The player that guesses as well as it can: exact to the end where it may, one guess ahead where it must."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludex.core.agent import Candidate, Decision
from ludex.core.game import Json, Mask
from ludex.core.jit import kernel
from ludex.core.limit import Limit
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.minesweeper.agents.sight import Sight
from ludex.games.minesweeper.agents.telling import SAFETY, guessed, opened, percent, proven
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.options import ExpertOptions
from ludex.games.minesweeper.position import View
from ludex.games.minesweeper.rules import proofs
from ludex.games.minesweeper.solver.assess import assess
from ludex.games.minesweeper.solver.expert import COUNT, ENDGAME, FORESIGHT, RULE, UNAVOIDABLE, expert_cell
from ludex.games.minesweeper.solver.probabilities import refuse
from ludex.games.minesweeper.solver.quick import untouched
from ludex.games.minesweeper.solver.records import field
from ludex.games.minesweeper.solver.solutions import Solutions, solutions_record
from ludex.games.minesweeper.solver.thinking import NODES, SHORTLISTED, SOLUTIONS, TRIED, WON, Thinking, thinking_record
from ludex.games.minesweeper.solver.tree import Tree, tree_record
from ludex.games.minesweeper.solver.workspace import Workspace

NAMES = {ENDGAME: "endgame", UNAVOIDABLE: "unavoidable", FORESIGHT: "foresight"}


class ExpertAgent:
    """Certain moves first; then the exact end of the game, guesses that nothing spares, and the best two guesses."""

    def __init__(self, game: Minesweeper, options: ExpertOptions, name: str = "expert") -> None:
        self.name = name
        self._sight = Sight(game)
        self._thinking = thinking_record()
        self._memory = (self._sight.work, solutions_record(), tree_record(), self._thinking)
        self._bounds = (options.solutions, options.nodes)

    def decide(self, view: View, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        sight, numbers = self._sight, self._sight.numbers(view)
        if untouched(numbers):
            return opened(sight)
        cell, how, log_count = expert_cell(numbers, *sight.tables[:-1], *self._memory, *self._bounds)
        refuse(log_count, view.numbers, sight.mines)
        if how in (RULE, COUNT):
            return proven(sight, view.numbers, cell, proofs(view.numbers))
        return self._told(cell, how, log_count)

    def choose(
        self,
        numbers: NDArray[np.int8],
        live: NDArray[np.bool_],
        states: NDArray[np.uint64],
        actions: NDArray[np.int64],
        safety: NDArray[np.float64],
    ) -> None:
        """The same on many boards, see `lane_agent`."""
        sight, rows = self._sight, numbers.reshape(len(numbers), -1)
        lane = _choose(rows, live, *sight.tables[:-1], *self._memory, *self._bounds, *sight.beginning, actions, safety)
        if lane >= 0:
            refuse(assess(rows[lane].copy(), *sight.tables, sight.probability), numbers[lane], sight.mines)

    def _told(self, cell: int, how: int, log_count: float) -> Decision:
        sight = self._sight
        probability = field(self._thinking, "probability")[: sight.cells].copy()
        figures = field(self._thinking, "figures")
        safety, count, won = 1.0 - float(probability[cell]), int(figures[SOLUTIONS]), int(figures[WON])
        stats: dict[str, Json] = {"how": NAMES[how], "log_solutions": log_count}
        name = sight.names[cell]
        if how == FORESIGHT:
            ranked = self._ranked(cell)
            note = f"{name} is {percent(safety)} safe, and no guess tells more"
            if ranked:
                secondary = percent(ranked[0].terms["secondary"])
                note = f"{name} is {percent(safety)} safe, and what follows {secondary} on average"
            return guessed(sight, cell, probability, note=note, stats=stats, ranked=ranked)
        stats |= {"solutions": count, "won": won, "nodes": int(figures[NODES])}
        if how == ENDGAME:
            note = f"{name} is {percent(safety)} safe; best play wins {won} of {count} layouts, {percent(won / count)}"
            return guessed(sight, cell, probability, note=note, value=won / count, stats=stats)
        note = f"{name} is {percent(safety)} safe: nothing else will tell more about these cells, so now is the time"
        return guessed(sight, cell, probability, note=note, stats=stats)

    def _ranked(self, cell: int) -> Sequence[Candidate]:
        """The candidates that were looked at to the end, the chosen one first."""
        names = ("cell", "fate", "score", "safety", "secondary", "progress")
        length = int(field(self._thinking, "figures")[SHORTLISTED])
        rows = zip(*(field(self._thinking, name)[:length].tolist() for name in names), strict=True)
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


@kernel
def _choose(
    numbers: NDArray[np.int8],
    live: NDArray[np.bool_],
    cols: int,
    mines: int,
    near: NDArray[np.int16],
    bits: NDArray[np.int8],
    work: Workspace,
    solutions: Solutions,
    tree: Tree,
    thinking: Thinking,
    most_solutions: int,
    most_nodes: int,
    opening: int,
    opening_safety: float,
    actions: NDArray[np.int64],
    safety: NDArray[np.float64],
) -> int:
    """Choose in every live lane; returns the first lane whose position cannot be counted, or -1."""
    for lane in range(len(numbers)):
        if not live[lane]:
            continue
        if untouched(numbers[lane]):
            actions[lane], safety[lane] = opening, opening_safety
            continue
        cell, how, _ = expert_cell(
            numbers[lane], cols, mines, near, bits, work, solutions, tree, thinking, most_solutions, most_nodes
        )
        if cell < 0:
            return lane
        actions[lane] = cell
        safety[lane] = 1.0 if how in (RULE, COUNT) else 1.0 - thinking.probability[cell]
    return -1
