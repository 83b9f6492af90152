"""Looking one guess ahead: how safe will the best move be, once this cell has shown its number?"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.geometry import DEGREE
from ludex.games.minesweeper.layout import HIDDEN
from ludex.games.minesweeper.solver.assess import assess
from ludex.games.minesweeper.solver.edge import NONE
from ludex.games.minesweeper.solver.thinking import (
    DEAD,
    DOMINATED,
    SHORTLISTED,
    TRIED,
    UNTRIED,
    Thinking,
)
from ludex.games.minesweeper.solver.workspace import Workspace
from ludex.kernels.jit import kernel, to_index

BEST_SHARE: Final = 0.8
"""The best move that follows counts four times as much as the second best: one safe cell may lead nowhere."""
PROGRESS_SHARE: Final = 0.001
"""Among equals, the guess that a certain move follows more often."""
_CERTAIN: Final = 1e-12
"""Rounding in a sum of probabilities."""


@kernel
def best_guess(
    numbers: NDArray[np.int8],
    cols: int,
    mines: int,
    near: NDArray[np.int16],
    bits: NDArray[np.int8],
    work: Workspace,
    thinking: Thinking,
    log_solutions: float,
) -> int:
    """The place in the shortlist of the cell that makes it most probable to live through this guess and the next."""
    count = to_index(thinking.figures[SHORTLISTED])
    best, best_score = NONE, -1.0
    for place in range(count):
        # Nobody lives through two guesses more often than through the first.
        if thinking.safety[place] + PROGRESS_SHARE <= best_score:
            break
        if thinking.fate[place] != UNTRIED:
            continue
        score = _try(numbers, cols, mines, near, bits, work, thinking, log_solutions, place, best_score)
        if thinking.fate[place] == TRIED and score > best_score:
            best, best_score = place, score
    # Where every cell is dead, the safest is as good as any.
    return 0 if best == NONE else best


@kernel
def _try(
    numbers: NDArray[np.int8],
    cols: int,
    mines: int,
    near: NDArray[np.int16],
    bits: NDArray[np.int8],
    work: Workspace,
    thinking: Thinking,
    log_solutions: float,
    place: int,
    enough: float,
) -> float:
    """Reveal a candidate for every number it may show; leaves it UNTRIED once it cannot reach `enough` any more."""
    cell, safety = to_index(thinking.cell[place]), thinking.safety[place]
    count = to_index(thinking.figures[SHORTLISTED])
    hidden = 0
    for i in range(near[cell, DEGREE]):
        hidden += numbers[near[cell, i]] == HIDDEN
    for other in range(count):
        thinking.implied[other] = 1
    expected, progress, covered, kinds = 0.0, 0.0, 0.0, 0
    for number in range(hidden + 1):
        numbers[cell] = number
        log_count = assess(numbers, cols, mines, near, bits, work, thinking.after)
        if log_count < 0.0:
            continue
        share = math.exp(log_count - log_solutions)
        best, second = _two_safest(numbers, thinking.after)
        expected += share * (BEST_SHARE * best + (1.0 - BEST_SHARE) * second)
        if best == 1.0:
            progress += share
        covered += share
        kinds += 1
        for other in range(count):
            if thinking.after[thinking.cell[other]] != 0.0:
                thinking.implied[other] = 0
        if covered > safety - _CERTAIN:
            break
        if expected + safety - covered + PROGRESS_SHARE <= enough:
            numbers[cell] = HIDDEN
            return 0.0
    numbers[cell] = HIDDEN
    thinking.fate[place] = TRIED if kinds > 1 else DEAD
    thinking.score[place] = expected
    thinking.secondary[place] = expected / safety
    thinking.progress[place] = progress / safety
    for other in range(count):
        # As safe as this one and free once it is revealed: whatever it tells comes anyway.
        if thinking.implied[other] and other != place and thinking.safety[other] <= safety and kinds > 1:
            thinking.fate[other] = DOMINATED
    return expected + PROGRESS_SHARE * progress


@kernel
def _two_safest(numbers: NDArray[np.int8], probability: NDArray[np.float64]) -> tuple[float, float]:
    """How safe the safest hidden cell is, and the next one; certainly safe where only mines are hidden: that wins."""
    best, second = 0.0, 0.0
    for cell in range(len(numbers)):
        if numbers[cell] == HIDDEN:
            safety = 1.0 - probability[cell]
            if safety > best:
                best, second = safety, best
            elif safety > second:
                second = safety
    return (best, second) if best > 0.0 else (1.0, 1.0)
