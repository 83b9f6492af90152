"""A choice as a `Decision`: probabilities as an overlay, proofs step by step, candidates with their numbers."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ludex.core.decision import Candidate, Decision
from ludex.core.game import Json
from ludex.core.messages import ListOf, Message, Parameter
from ludex.games.minesweeper.agents.search.start import opening
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.inference.forced_moves import Forced, Step, smallest_proof
from ludex.games.minesweeper.rules.inference.probabilities import mine_probabilities
from ludex.games.minesweeper.rules.inference.workspace import workspace
from ludex.games.minesweeper.rules.layout import Numbers, surroundings
from ludex.games.minesweeper.rules.notation import action_names
from ludex.games.minesweeper.rules.position import View


def beginning_of(game: Minesweeper) -> tuple[int, float]:
    """The first cell, and how safe it is."""
    start = game.options.start
    return opening(game.rows, game.cols, game.mines, start), 1.0 if start != "none" else 1.0 - game.mines / game.cells


class SolverContext:
    """Belongs to one agent: kernels release the GIL, so two agents must not share it."""

    def __init__(self, game: Minesweeper) -> None:
        options = game.options
        self.rows, self.cols, self.cells, self.mines = game.rows, game.cols, game.cells, game.mines
        self.start = options.start
        self.names = action_names(game.rows, game.cols)
        self.beginning = beginning_of(game)
        self.work = workspace(game.rows, game.cols)
        self.probability: NDArray[np.float64] = np.empty(game.cells)

    def numbers(self, view: View) -> NDArray[np.int8]:
        """int8[HW], a copy that kernels may write to."""
        return np.frombuffer(view.shown, np.int8).copy()


MOST_CANDIDATES = 24
SAFETY = "safety"
"""The term of a candidate that says how probable it is that the reveal is safe."""


def decide_proven(context: SolverContext, numbers: Numbers, cell: int, forced: Sequence[Forced]) -> Decision:
    """A cell that is safe for certain, by rules or because no layout of the mines has one there."""
    by_rules = any(move.cell == cell and move.kind == "reveal" for move in forced)
    probability = mine_probabilities(numbers, context.mines).reshape(-1)
    safe = [cell, *(other for other in np.flatnonzero(probability == 0.0).tolist() if other != cell)]
    stats: dict[str, Json] = {"how": "rule" if by_rules else "count", "safe": len(safe)}
    explanation: tuple[Message, ...] = (Message("minesweeper.safe_always", {"cell": context.names[cell]}, (cell,)),)
    if by_rules:
        steps = smallest_proof(numbers, forced, cell)
        stats["because"] = [context.names[number] for number in _numbers(steps)]
        explanation = proof(context, numbers, cell, steps)
    return Decision(
        action=cell,
        candidates=tuple(
            Candidate(safe_cell, score=1.0, line=(safe_cell,), terms={SAFETY: 1.0})
            for safe_cell in safe[:MOST_CANDIDATES]
        ),
        stats=stats,
        explanation=explanation,
        overlay={"mine": overlay(probability)},
    )


def proof(context: SolverContext, numbers: Numbers, cell: int, steps: Sequence[Step]) -> tuple[Message, ...]:
    """A proof in one sentence that names every number it rests on, and its steps where there are several."""
    needed = _numbers(steps)
    many = "many" if len(needed) > 1 else "one"
    kind = "proof" if steps[-1].kind == "reveal" else "proof_mine"
    parameters: dict[str, Parameter] = {
        "cell": context.names[cell],
        "numbers": named_numbers(context, numbers, needed),
    }
    whole = Message(f"minesweeper.{kind}_{many}", parameters, (*needed, cell))
    if len(steps) == 1:
        return (whole,)
    return whole, *(
        Message(
            f"minesweeper.step_{'safe' if step.kind == 'reveal' else 'mines'}",
            {
                "numbers": named_numbers(context, numbers, step.numbers),
                "cells": tuple(context.names[place] for place in step.cells),
                "count": len(step.cells),
            },
            (*step.numbers, *step.cells),
        )
        for step in steps
    )


def named_numbers(context: SolverContext, numbers: Numbers, cells: Sequence[int]) -> ListOf:
    """Revealed cells in words, such as "the 2 at c4 and the 1 at d4"."""
    flat = numbers.reshape(-1)
    return ListOf(
        tuple(Message("minesweeper.number", {"number": int(flat[cell]), "cell": context.names[cell]}) for cell in cells)
    )


def _numbers(steps: Sequence[Step]) -> list[int]:
    """Every number of a proof, each once, in the order of the steps."""
    return [*dict.fromkeys(number for step in steps for number in step.numbers)]


def decide_opening(context: SolverContext, view: View) -> Decision:
    """The first reveal of a game."""
    cell, safety = context.beginning if view.start_cell is None else (view.start_cell, 1.0)
    rule = context.start if view.start_cell is None else "given"
    return Decision(
        action=cell,
        candidates=(Candidate(cell, score=safety, line=(cell,), terms={SAFETY: safety}),),
        stats={"how": "opening"},
        explanation=(Message(f"minesweeper.begin_{rule}", {"cell": context.names[cell]}, (cell,)),),
        overlay={"mine": _first_probabilities(context, view)},
    )


def _first_probabilities(context: SolverContext, view: View) -> tuple[float, ...]:
    """Mine probabilities before the first reveal: none at a given start cell, nor around it where it opens a region."""
    safe = set() if view.start_cell is None else {view.start_cell}
    if view.start_cell is not None and context.start == "zero":
        safe |= {*surroundings(context.rows, context.cols)[view.start_cell].tolist()}
    risk = context.mines / (context.cells - len(safe))
    return tuple(0.0 if cell in safe else risk for cell in range(context.cells))


def decide_guess(
    context: SolverContext,
    cell: int,
    probability: NDArray[np.float64],
    *,
    explanation: Message,
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
        explanation=(explanation,),
        overlay={"mine": overlay(probability)},
    )


def overlay(probability: NDArray[np.float64]) -> tuple[float | None, ...]:
    """Mine probabilities cell by cell, None where the cell is revealed."""
    return tuple(None if np.isnan(chance) else chance for chance in probability.tolist())


def percent(share: float) -> Message:
    """A probability for people, never rounded to a certainty that it is not.

    >>> percent(0.9996).text(), percent(0.5).text()
    ('> 99.9%', '50.0%')
    """
    if 0.9995 <= share < 1.0:
        return Message("minesweeper.nearly_certain")
    if 0.0 < share < 0.0005:
        return Message("minesweeper.nearly_excluded")
    return Message("minesweeper.percent", {"share": share})


def _safest(cell: int, probability: NDArray[np.float64]) -> tuple[Candidate, ...]:
    order = sorted(
        np.flatnonzero(~np.isnan(probability)).tolist(), key=lambda other: (other != cell, probability[other], other)
    )
    safety = {other: 1.0 - float(probability[other]) for other in order[:MOST_CANDIDATES]}
    return tuple(Candidate(other, score=safe, line=(other,), terms={SAFETY: safe}) for other, safe in safety.items())
