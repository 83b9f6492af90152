"""One position in, the exact mine probability of every hidden cell out: the kernel, and its Python callers."""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import Unsupported
from ludex.games.minesweeper.rules.inference.counting import (
    IMPOSSIBLE,
    TOO_MANY,
    fill_layers,
    fits,
    log_solutions,
    weigh_boxes,
    weigh_components,
    weigh_ends,
    weigh_rest,
)
from ludex.games.minesweeper.rules.inference.forced_moves import CONTRADICTION, MINE, SAFE, UNKNOWN, deduce
from ludex.games.minesweeper.rules.inference.frontier import NONE, arrange, find_boxes
from ludex.games.minesweeper.rules.inference.workspace import Workspace, borrowed_workspace, flat_numbers
from ludex.games.minesweeper.rules.layout import HIDDEN, InconsistentPosition, Numbers
from ludex.kernels.jit import kernel, to_index

TOO_COMPLEX: Final = -2.0
"""The logarithm of a number of solutions that could not be counted."""

_LEAST: Final = 5e-324
_MOST: Final = 1.0 - 2.0**-53
"""Next to 0 and 1, which are certain."""


@kernel
def assess(numbers: Numbers, mines: int, work: Workspace, probability: NDArray[np.float64]) -> float:
    """Write `probability: float64[HW]`, NaN for revealed cells; returns the logarithm of the number of solutions.

    IMPOSSIBLE if no layout of mines fits, TOO_COMPLEX if the workspace is too small to count them. 0 and 1 are certain.
    """
    finds = deduce(numbers, work, True, False)
    if finds == CONTRADICTION:
        return IMPOSSIBLE
    left = mines
    for cell in range(len(numbers)):
        if numbers[cell] == HIDDEN and work.known[cell] == MINE:
            left -= 1
    if left < 0:
        return IMPOSSIBLE
    witnesses, boxes, elsewhere = find_boxes(numbers, work)
    components = arrange(work, witnesses, boxes)
    work.figures[0] = components
    if not fits(components, left) or fill_layers(work, components, left) == TOO_MANY:
        return TOO_COMPLEX
    log_scale = weigh_rest(work, components, left, elsewhere)
    log_scale += weigh_components(work, components, left)
    log_count = log_solutions(work, log_scale)
    if log_count == IMPOSSIBLE:
        return IMPOSSIBLE
    weigh_ends(work, components, left)
    weigh_boxes(work, components)
    _write_probabilities(numbers, work, _outside(work, components, left, elsewhere), probability)
    return log_count


@kernel
def _write_probabilities(numbers: Numbers, work: Workspace, outside: float, probability: NDArray[np.float64]) -> None:
    """Write the probability of every cell from the weights."""
    for cell in range(len(numbers)):
        if numbers[cell] != HIDDEN:
            probability[cell] = math.nan
        elif work.known[cell] != UNKNOWN:
            probability[cell] = 1.0 if work.known[cell] == MINE else 0.0
        elif work.box_of[cell] == NONE:
            probability[cell] = outside
        else:
            box = to_index(work.box_of[cell])
            if not work.can_be_mine[box]:
                probability[cell] = 0.0
            elif not work.can_be_safe[box]:
                probability[cell] = 1.0
            else:
                probability[cell] = _uncertain(work.mine_weight[box], work.safe_weight[box])


@kernel
def _outside(work: Workspace, components: int, mines: int, elsewhere: int) -> float:
    """The mine probability of a cell that no number touches; `before` still holds the ways of all components."""
    if elsewhere == 0:
        return 0.0
    base = components * (mines + 1)
    mined, safe, can_mine, can_safe = 0.0, 0.0, False, False
    for j in range(mines + 1):
        if work.before_can[j] and work.after_can[base + j]:
            weight = work.before[j] * work.after[base + j]
            mined += weight * (mines - j)
            safe += weight * (elsewhere - mines + j)
            can_mine |= mines > j
            can_safe |= mines - j < elsewhere
    if not can_mine:
        return 0.0
    return _uncertain(mined, safe) if can_safe else 1.0


@kernel
def _uncertain(mined: float, safe: float) -> float:
    """A probability that is not rounded to a certainty."""
    return min(max(mined / (mined + safe), _LEAST), _MOST)


@kernel
def untouched(numbers: Numbers) -> bool:
    """Whether nothing is revealed."""
    for cell in range(len(numbers)):
        if numbers[cell] != HIDDEN:
            return False
    return True


@kernel
def safe_by_rule(numbers: Numbers, work: Workspace, pairs: bool) -> int:
    """A hidden cell that the rules of `deduce` prove safe, or -1; then `work.known` holds all that they prove."""
    finds = deduce(numbers, work, pairs, True)
    for i in range(finds):
        if work.known[work.found[i]] == SAFE:
            return to_index(work.found[i])
    return NONE


@kernel
def safest(numbers: Numbers, probability: NDArray[np.float64]) -> int:
    """The hidden cell that is a mine least probably, the first of equals."""
    best = NONE
    for cell in range(len(numbers)):
        if numbers[cell] == HIDDEN and (best == NONE or probability[cell] < probability[best]):
            best = cell
    return best


def mine_probabilities(numbers: Numbers, mines: int) -> NDArray[np.float64]:
    """The exact probability, float64[H, W], that each hidden cell of int8[H, W] is a mine; NaN where it is revealed.

    A hidden cell is -1. 0.0 and 1.0 mean certainty. Raises `InconsistentPosition` if no layout of so many mines fits.

    >>> mine_probabilities(np.array([[1, -1, -1]], np.int8), 1)
    array([[nan,  1.,  0.]])
    """
    return assess_position(numbers, mines)[0]


def assess_position(numbers: Numbers, mines: int) -> tuple[NDArray[np.float64], float]:
    """The probabilities, and the natural logarithm of the number of layouts that fit."""
    flat, probability = flat_numbers(numbers, mines), np.empty(numbers.size)
    with borrowed_workspace(*numbers.shape) as work:
        log_solutions = assess(flat, mines, work, probability)
    refuse(log_solutions, numbers, mines)
    return probability.reshape(numbers.shape), log_solutions


def refuse(log_solutions: float, numbers: Numbers, mines: int) -> None:
    """Raise the error that the kernel's result encodes, if it is not a number of solutions."""
    if log_solutions == IMPOSSIBLE:
        raise InconsistentPosition(f"no layout of {mines} mines fits these numbers:\n{_draw_text(numbers)}")
    if log_solutions == TOO_COMPLEX:
        raise Unsupported("too many numbers depend on each other here to count the layouts that fit them")


def _draw_text(numbers: Numbers) -> str:
    return "\n".join("".join("#" if number < 0 else str(number) for number in row) for row in numbers.tolist())
