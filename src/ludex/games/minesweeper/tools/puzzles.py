"""Puzzles of Minesweeper: the cell that is safe, and the least risk where none is.

The solver makes them from games that it plays itself; `layouts` counts again, in exact fractions, what proves them.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.messages import Message, Parameter
from ludex.core.puzzle import Candidate, Proof, Reason, reasons_of
from ludex.core.seeding import Rng
from ludex.games.minesweeper.agents.decisions import SolverContext, proof
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.inference.forced_moves import proof_chain, proofs, smallest_proof
from ludex.games.minesweeper.rules.inference.probabilities import mine_probabilities
from ludex.games.minesweeper.rules.layout import DEGREE, HIDDEN, Numbers, neighbours
from ludex.games.minesweeper.rules.position import Position

MOST_SAFE: Final = 3
"""Safe cells of a puzzle: with more it is no search."""
LEAST_DOUBTFUL: Final = 3
"""Cells of a puzzle that stay uncertain: else every cell that is no mine is the answer."""
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
    candidates = [
        (state, frozenset(safe.tolist()))
        for state, risks in _positions(game, rng)
        if 1 <= len(safe := np.flatnonzero(risks == 0.0)) <= MOST_SAFE
        and int(((risks > 0.0) & (risks < 1.0)).sum()) >= LEAST_DOUBTFUL
        and _fits(game, state)
    ]
    if not candidates:
        return None
    if rng.below(3) == 0:
        return Candidate(*rng.choice(candidates))
    return Candidate(*max(candidates, key=lambda one: _easiest(game, one[0], [*one[1]])[1]))


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
    explanation = [Message("minesweeper.puzzle_risk_least", words, (*best, second))]
    if away:
        explanation.append(Message("minesweeper.puzzle_risk_away", {"cells": words["cells"], "count": len(best)}))
    return Proof(
        accept=tuple(names[cell] for cell in best),
        difficulty=round(max(800.0, 1900.0 - 3500.0 * margin)) + (150 if away else 0),
        explanation=tuple(explanation),
        reasons=_reasons(names, {cell: risk for cell, risk in risks.items() if risk > least}),
    )


def _positions(game: Minesweeper, rng: Rng) -> list[tuple[Position, NDArray[np.float64]]]:
    """The positions of a game that is played as safely as can be, with the solver's risks; the last ones first."""
    state = game.initial(rng)
    state = game.apply(state, rng.below(game.cells), rng)
    positions = []
    while game.outcome(state) is None:
        risks = mine_probabilities(_numbers(game, state), game.mines).reshape(-1)
        positions.append((state, risks))
        best = np.flatnonzero(risks <= np.nanmin(risks) + _SAME).tolist()
        state = game.apply(state, rng.choice(best), rng)
    rng.shuffle(positions)
    return positions


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
    if not any(move.cell == cell for move in forced):
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


def _explanation(game: Minesweeper, numbers: Numbers, cell: int) -> tuple[Message, ...]:
    context, forced = SolverContext(game), proofs(numbers)
    if any(move.cell == cell for move in forced):
        return proof(context, numbers, cell, smallest_proof(numbers, forced, cell))
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


def _touches_number(numbers: Numbers, cell: int) -> bool:
    row, col = divmod(cell, numbers.shape[1])
    return bool((numbers[max(0, row - 1) : row + 2, max(0, col - 1) : col + 2] >= 0).any())


Groups = dict[frozenset[int], list[int]]
"""Hidden cells by the revealed cells beside them: cells of a group are alike."""


def exact_risks(numbers: Numbers, mines: int) -> dict[int, Fraction]:
    """By hidden cell of int8[H, W], the share of the layouts that fit in which it is a mine.

    >>> {cell: str(risk) for cell, risk in exact_risks(np.array([[1, -1, -1]], np.int8), 1).items()}
    {1: '1', 2: '0'}
    """
    groups = _groups(numbers)
    away = groups.pop(frozenset(), [])
    order = [group for component in _components(groups) for group in component]
    ends = {number: place for place, group in enumerate(order) for number in group}
    # By mines so far and what each number still misses: the layouts, then the mines of each group in all of them.
    layouts = np.zeros(len(order) + 1, object)
    layouts[0] = 1
    counts = {(0, tuple(int(numbers.flat[number]) for number in ends)): layouts}
    for place, group in enumerate(order):
        size, beside = len(groups[group]), [number in group for number in ends]
        closed = [index for index, end in enumerate(ends.values()) if end == place]
        following: dict[tuple[int, tuple[int, ...]], NDArray[Any]] = {}
        for (taken, missing), layouts in counts.items():
            for placed in range(min(size, *(missing[index] for index in np.flatnonzero(beside))) + 1):
                left = tuple(need - placed * touched for need, touched in zip(missing, beside, strict=True))
                # A number whose groups are all filled must have all its mines.
                if any(left[index] for index in closed):
                    continue
                grown = layouts * comb(size, placed)
                grown[place + 1] = grown[0] * placed
                key = taken + placed, left
                following[key] = following[key] + grown if key in following else grown
        counts = following
    whole = [
        (mines - taken, layouts * comb(len(away), mines - taken))
        for (taken, _), layouts in counts.items()
        if taken <= mines
    ]
    total, *mined = sum((layouts for _, layouts in whole), np.zeros(len(order) + 1, object))
    if total == 0:
        raise ValueError(f"no layout of {mines} mines fits")
    risks: dict[int, Fraction] = {}
    for group, share in zip(order, mined, strict=True):
        risks |= dict.fromkeys(groups[group], Fraction(share, total * len(groups[group])))
    if away:
        rest = sum(left * layouts[0] for left, layouts in whole)
        risks |= dict.fromkeys(away, Fraction(rest, total * len(away)))
    return risks


def largest_component(numbers: Numbers) -> int:
    """How many groups of hidden cells depend on each other at most: what counting costs grows with it."""
    groups = _groups(numbers)
    groups.pop(frozenset(), None)
    return max((len(component) for component in _components(groups)), default=0)


def _groups(numbers: Numbers) -> Groups:
    near, flat = neighbours(*numbers.shape), numbers.reshape(-1)
    groups: Groups = {}
    for cell in np.flatnonzero(flat == HIDDEN).tolist():
        beside = near[cell, : near[cell, DEGREE]]
        groups.setdefault(frozenset(beside[flat[beside] != HIDDEN].tolist()), []).append(cell)
    return groups


def _components(groups: Groups) -> Iterator[list[frozenset[int]]]:
    """Groups that share numbers, directly or through others; neighbours stand next to each other."""
    waiting = [*groups]
    while waiting:
        component, reached = [waiting.pop(0)], 0
        while reached < len(component):
            touching = [group for group in waiting if group & component[reached]]
            component += touching
            waiting = [group for group in waiting if group not in touching]
            reached += 1
        yield component
