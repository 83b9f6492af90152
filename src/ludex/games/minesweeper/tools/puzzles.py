"""Puzzles of Minesweeper: the cell that is safe, and the least risk where none is.

The solver makes them from games that it plays itself; `layouts` counts again, in exact fractions, what proves them.
"""

from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.messages import Message, Parameter
from ludex.core.puzzle import Candidate, Proof, Reason, reasons_of
from ludex.core.seeding import Rng
from ludex.games.minesweeper.agents.decisions import proof
from ludex.games.minesweeper.agents.solver_context import SolverContext
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.inference.forced_moves import proofs
from ludex.games.minesweeper.rules.inference.probabilities import mine_probabilities
from ludex.games.minesweeper.rules.inference.proof_chain import proof_chain
from ludex.games.minesweeper.rules.layout import HIDDEN
from ludex.games.minesweeper.rules.position import Position
from ludex.games.minesweeper.tools.layouts import exact_risks, largest_component

MOST_SAFE: Final = 3
"""Safe cells of a puzzle: with more it is no search."""
LEAST_DOUBTFUL: Final = 3
"""Cells of a puzzle of which nobody can tell: else every cell that is no mine is the answer."""
LEAST_HIDDEN: Final = 8
MOST_GROUPS: Final = 24
"""Groups of cells that depend on each other; more are slow to count, and hard to see."""
MOST_EQUAL: Final = 6
"""Cells that may share the least risk."""
CLEAR: Final = 0.04
"""The margin by which the least risk is less than the next."""
_SAME: Final = 1e-9
"""Probabilities of the solver that differ less are the same."""


def make_safe(game: Minesweeper, rng: Rng) -> Candidate | None:
    """A position of a random game in which a few cells are safe: any such one, or the hardest of the game."""
    found = [
        (state, frozenset(safe.tolist()))
        for state, risks in _positions(game, rng)
        if 1 <= len(safe := np.flatnonzero(risks == 0.0)) <= MOST_SAFE
        and int(((risks > 0.0) & (risks < 1.0)).sum()) >= LEAST_DOUBTFUL
        and _fits(game, state)
    ]
    if not found:
        return None
    if rng.below(3) == 0:
        return Candidate(*rng.choice(found))
    return Candidate(*max(found, key=lambda one: _easiest(game, one[0], [*one[1]])[1]))


def prove_safe(game: Minesweeper, state: Position) -> Proof | None:
    """Count all layouts: a cell is safe if it is a mine in none of them."""
    if not _fits(game, state):
        return None
    numbers, names = _numbers(game, state), SolverContext(game).names
    risks = exact_risks(numbers, game.mines)
    safe = [cell for cell, risk in sorted(risks.items()) if risk == 0]
    doubtful = [cell for cell, risk in risks.items() if 0 < risk < 1]
    if not 1 <= len(safe) <= MOST_SAFE or len(doubtful) < LEAST_DOUBTFUL:
        return None
    easiest, difficulty = _easiest(game, state, safe)
    others = tuple(cell for cell in safe if cell != easiest)
    also = Message(
        "minesweeper.puzzle_safe_also", {"cells": tuple(names[cell] for cell in others), "count": len(others)}, others
    )
    return Proof(
        accept=tuple(names[cell] for cell in safe),
        difficulty=difficulty,
        explanation=(*_explanation(game, numbers, easiest), *((also,) if others else ())),
        reasons=_reasons(names, {cell: risk for cell, risk in risks.items() if risk}),
    )


def make_risk(game: Minesweeper, rng: Rng) -> Candidate | None:
    """A position of a random game in which nothing is safe, and one risk is clearly the least."""
    for state, risks in _positions(game, rng):
        known = np.sort(risks[~np.isnan(risks)])
        least = np.flatnonzero(risks <= known[0] + _SAME)
        if known[0] > 0 and len(least) <= MOST_EQUAL and _fits(game, state):
            others = known[(known > known[0] + _SAME) & (known < 1.0)]
            if len(others) and others[0] - known[0] >= CLEAR:
                return Candidate(state, frozenset(least.tolist()))
    return None


def prove_risk(game: Minesweeper, state: Position) -> Proof | None:
    """Count all layouts: the least share with a mine, by a clear margin."""
    if not _fits(game, state):
        return None
    numbers, names = _numbers(game, state), SolverContext(game).names
    risks = exact_risks(numbers, game.mines)
    least = min(risks.values())
    best = [cell for cell, risk in sorted(risks.items()) if risk == least]
    others = [risk for risk in risks.values() if least < risk < 1]
    if least == 0 or len(best) > MOST_EQUAL or not others or min(others) - least < CLEAR:
        return None
    margin = float(min(others) - least)
    second = min(cell for cell, risk in risks.items() if risk == min(others))
    words: dict[str, Parameter] = {
        "cells": tuple(names[cell] for cell in best),
        "risk": float(least),
        "second": names[second],
        "second_risk": float(risks[second]),
        "count": len(best),
    }
    away = not any(_touches_number(numbers, cell) for cell in best)
    found = [Message("minesweeper.puzzle_risk_least", words, (*best, second))]
    if away:
        found.append(Message("minesweeper.puzzle_risk_away", {"cells": words["cells"], "count": len(best)}))
    return Proof(
        accept=tuple(names[cell] for cell in best),
        difficulty=round(max(800.0, 1900.0 - 3500.0 * margin)) + (150 if away else 0),
        explanation=tuple(found),
        reasons=_reasons(names, {cell: risk for cell, risk in risks.items() if risk > least}),
    )


def _positions(game: Minesweeper, rng: Rng) -> list[tuple[Position, NDArray[np.float64]]]:
    """The positions of a game that is played as safely as can be, with the solver's risks; the last ones first."""
    state = game.initial(rng)
    state = game.apply(state, rng.below(game.cells), rng)
    found = []
    while game.outcome(state) is None:
        risks = mine_probabilities(_numbers(game, state), game.mines).reshape(-1)
        found.append((state, risks))
        best = np.flatnonzero(risks <= np.nanmin(risks) + _SAME).tolist()
        state = game.apply(state, rng.choice(best), rng)
    rng.shuffle(found)
    return found


def _fits(game: Minesweeper, state: Position) -> bool:
    """Whether a live position has enough to look at, and little enough to count."""
    if game.outcome(state) is not None or not state.opened:
        return False
    numbers = _numbers(game, state)
    return int((numbers == HIDDEN).sum()) >= LEAST_HIDDEN and largest_component(numbers) <= MOST_GROUPS


def _numbers(game: Minesweeper, state: Position) -> NDArray[np.int8]:
    return game.view(state, 0).numbers


def _steps(game: Minesweeper, state: Position, cell: int) -> int | None:
    """How many steps of the rules prove a safe cell; None: only counting all layouts does."""
    numbers = _numbers(game, state)
    forced = proofs(numbers)
    if not any(one.cell == cell for one in forced):
        return None
    chain = proof_chain(numbers, forced, cell)
    # A pair of numbers is harder to see than one.
    return sum(len(step.numbers) for step in chain)


def _easiest(game: Minesweeper, state: Position, safe: list[int]) -> tuple[int, int]:
    """The safe cell that is easiest to prove, and how difficult that is."""
    steps = {cell: _steps(game, state, cell) for cell in sorted(safe)}
    points = {cell: 2000 if count is None else min(1900, 550 + 150 * count) for cell, count in steps.items()}
    easiest = min(points, key=lambda cell: points[cell])
    return easiest, points[easiest] - 60 * (len(safe) - 1)


def _explanation(game: Minesweeper, numbers: NDArray[np.int8], cell: int) -> tuple[Message, ...]:
    context, forced = SolverContext(game), proofs(numbers)
    if any(one.cell == cell for one in forced):
        return proof(context, numbers, cell, proof_chain(numbers, forced, cell))
    return (Message("minesweeper.safe_always", {"cell": context.names[cell]}, (cell,)),)


def _reasons(names: tuple[str, ...], risks: dict[int, Fraction]) -> tuple[Reason, ...]:
    return reasons_of(
        [
            (
                Message("minesweeper.puzzle_mine")
                if risk == 1
                else Message("minesweeper.puzzle_may_be_mine", {"risk": round(float(risk), 3)}),
                names[cell],
            )
            for cell, risk in sorted(risks.items())
        ]
    )


def _touches_number(numbers: NDArray[np.int8], cell: int) -> bool:
    row, col = divmod(cell, numbers.shape[1])
    return bool((numbers[max(0, row - 1) : row + 2, max(0, col - 1) : col + 2] >= 0).any())
