"""Why a hidden cell is safe, a mine, or as risky as it is: the numbers that prove it, or that speak of it."""

import numpy as np
from numpy.typing import NDArray

from ludex.core.decision import Decision
from ludex.core.errors import IllegalAction
from ludex.core.messages import Message, Parameter
from ludex.games.minesweeper.agents.decisions import (
    SolverContext,
    decide_opening,
    named_numbers,
    overlay,
    percent,
    proof,
)
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.inference.forced_moves import proofs, smallest_proof
from ludex.games.minesweeper.rules.inference.probabilities import assess_position
from ludex.games.minesweeper.rules.layout import DEGREE, HIDDEN, neighbours
from ludex.games.minesweeper.rules.notation import action_of
from ludex.games.minesweeper.rules.position import View


def explain(game: Minesweeper, view: View, text: str) -> Decision:
    """What is known of a hidden cell, in the words of a hint. Raises `IllegalAction` for an open one."""
    cell = action_of(text, view.rows, view.cols) % game.cells
    context, numbers = SolverContext(game), view.numbers
    flat, name = numbers.reshape(-1), context.names[cell]
    if flat[cell] != HIDDEN:
        raise IllegalAction.of(Message("minesweeper.refused_explained", {"cell": name}))
    if (flat == HIDDEN).all():
        begin = decide_opening(context, view)
        if cell == begin.action:
            return begin
        untouched = begin.overlay["mine"]
        among = sum(bool(risk) for risk in untouched)
        risk = Message("minesweeper.risk_untouched", {"cell": name, "count": view.mines, "cells": among}, (cell,))
        known = risk if untouched[cell] else Message("minesweeper.safe_always", {"cell": name}, (cell,))
        return Decision(action=cell, explanation=(known,), stats={"how": "opening"}, overlay=begin.overlay)
    probability, _ = assess_position(numbers, view.mines)
    risks = probability.reshape(-1)
    heat = {"mine": overlay(risks)}
    forced = proofs(numbers)
    if any(move.cell == cell for move in forced):
        steps = smallest_proof(numbers, forced, cell)
        reasons = proof(context, numbers, cell, steps)
        return Decision(action=cell, explanation=reasons, stats={"how": "rule"}, overlay=heat)
    touching = [number for number in _around(view, cell) if flat[number] != HIDDEN]
    parameters: dict[str, Parameter] = {"cell": name, "risk": percent(float(risks[cell]))}
    certain = {0.0: "safe_always", 1.0: "mine_always"}.get(float(risks[cell]))
    if certain is not None:
        whole = Message(f"minesweeper.{certain}", parameters, (*touching, cell))
    elif touching:
        parameters |= {"numbers": named_numbers(context, numbers, touching), "count": len(touching)}
        whole = Message("minesweeper.risk_beside", parameters, (*touching, cell))
    else:
        whole = Message("minesweeper.risk_apart", parameters, (cell,))
    shares = (_share(context, view, risks, number) for number in touching)
    how = "guess" if certain is None else "count"
    explanation = (whole, *(share for share in shares if share is not None))
    return Decision(action=cell, explanation=explanation, stats={"how": how}, overlay=heat)


def _around(view: View, cell: int) -> list[int]:
    near = neighbours(view.rows, view.cols)[cell]
    around: list[int] = near[: near[DEGREE]].tolist()
    return around


def _share(context: SolverContext, view: View, risk: NDArray[np.float64], number: int) -> Message | None:
    """How many mines a number still misses, and among how many cells; None where each of its cells is certain."""
    flat = view.numbers.reshape(-1)
    hidden = [cell for cell in _around(view, number) if flat[cell] == HIDDEN]
    known = sum(bool(risk[cell] == 1.0) for cell in hidden)
    left = [cell for cell in hidden if 0.0 < risk[cell] < 1.0]
    if not left:
        return None
    return Message(
        "minesweeper.step_share",
        {
            "numbers": named_numbers(context, view.numbers, [number]),
            "count": int(flat[number]) - known,
            "cells": len(left),
        },
        (number, *left),
    )
