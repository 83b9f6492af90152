"""A choice as a `Decision`: probabilities as an overlay, proofs in words, candidates with their numbers."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ludex.core.decision import Candidate, Decision
from ludex.core.game import Json
from ludex.games.minesweeper.agents.solver.forced_moves import Forced
from ludex.games.minesweeper.agents.solver.probabilities import mine_probabilities
from ludex.games.minesweeper.agents.solver_context import SolverContext

MOST_CANDIDATES = 24
SAFETY = "safety"
"""The term of a candidate that says how probable it is that the reveal is safe."""


def proven(context: SolverContext, numbers: NDArray[np.int8], cell: int, forced: Sequence[Forced]) -> Decision:
    """A cell that is safe for certain, by a rule or because no layout of the mines has one there."""
    rule = next((one for one in forced if one.cell == cell and one.kind == "reveal"), None)
    probability = mine_probabilities(numbers, context.mines).reshape(-1)
    safe = [cell, *(other for other in np.flatnonzero(probability == 0.0).tolist() if other != cell)]
    stats: dict[str, Json] = {"how": "rule" if rule else "count", "safe": len(safe)}
    if rule:
        stats["because"] = [context.names[number] for number in rule.because]
    return Decision(
        action=cell,
        candidates=tuple(Candidate(one, score=1.0, line=(one,), terms={SAFETY: 1.0}) for one in safe[:MOST_CANDIDATES]),
        stats=stats,
        note=because(context, numbers, rule) if rule else f"{context.names[cell]} is safe in every layout that fits",
        overlay={"mine": overlay(probability)},
    )


def because(context: SolverContext, numbers: NDArray[np.int8], rule: Forced) -> str:
    """A proof in one sentence."""
    reasons = [f"the {numbers.reshape(-1)[number]} at {context.names[number]}" for number in rule.because]
    what = "is safe" if rule.kind == "reveal" else "is a mine"
    return f"{context.names[rule.cell]} {what}: {' and '.join(reasons)} {'prove' if len(reasons) > 1 else 'proves'} it"


def opened(context: SolverContext) -> Decision:
    """The first reveal of a game."""
    cell, safety = context.opening, context.opening_safety
    promise = {"zero": "the first reveal opens a region", "safe": "the first reveal is safe", "none": "a first guess"}
    return Decision(
        action=cell,
        candidates=(Candidate(cell, score=safety, line=(cell,), terms={SAFETY: safety}),),
        stats={"how": "opening"},
        note=f"{context.names[cell]} to begin with: {promise[context.start]}",
        overlay={"mine": (context.mines / context.cells,) * context.cells},
    )


def guessed(
    context: SolverContext,
    cell: int,
    probability: NDArray[np.float64],
    *,
    note: str,
    value: float | None = None,
    stats: Mapping[str, Json] | None = None,
    ranked: Sequence[Candidate] = (),
) -> Decision:
    """A cell that may be a mine. Where no candidates are ranked, the safest cells are."""
    return Decision(
        action=cell,
        value=value,
        candidates=tuple(ranked) or _safest(cell, probability),
        stats={"how": "guess", **(stats or {})},
        note=note,
        overlay={"mine": overlay(probability)},
    )


def overlay(probability: NDArray[np.float64]) -> tuple[float | None, ...]:
    """Mine probabilities cell by cell, None where the cell is revealed."""
    return tuple(None if np.isnan(one) else one for one in probability.tolist())


def percent(share: float) -> str:
    """A probability for people, never rounded to a certainty that it is not.

    >>> percent(0.9996), percent(0.5)
    ('> 99.9 %', '50.0 %')
    """
    if 0.9995 <= share < 1.0:
        return "> 99.9 %"
    return f"{share:.1%}".replace("%", " %")


def _safest(cell: int, probability: NDArray[np.float64]) -> tuple[Candidate, ...]:
    order = sorted(
        np.flatnonzero(~np.isnan(probability)).tolist(), key=lambda one: (one != cell, probability[one], one)
    )
    return tuple(
        Candidate(one, score=1.0 - float(probability[one]), line=(one,), terms={SAFETY: 1.0 - float(probability[one])})
        for one in order[:MOST_CANDIDATES]
    )
