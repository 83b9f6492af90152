"""The expert's evaluation of a position where it must guess: one record that kernels fill and Python reads."""

from typing import Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.rules.geometry import MOST_CELLS

MOST_SHORTLISTED: Final = 64
NODES: Final = 0
SOLUTIONS: Final = 1
WON: Final = 2
SHORTLISTED: Final = 3
FIGURES: Final = 4
"""Indices of `figures`: nodes of the tree, solutions listed, solutions won, and the length of the shortlist."""
UNTRIED: Final = 0
TRIED: Final = 1
DEAD: Final = 2
DOMINATED: Final = 3
"""The fate of a candidate."""


class GuessRecord(Protocol):
    """The record's fields; K counts the candidates of the shortlist."""

    probability: NDArray[np.float64]
    """[cells]: how probably each is a mine."""
    after: NDArray[np.float64]
    """[cells]: the same after a guess that has shown a number."""
    cell: NDArray[np.int16]
    safety: NDArray[np.float64]
    """[K]: safest first."""
    score: NDArray[np.float64]
    """[K]: the probability to live through this guess and the next."""
    secondary: NDArray[np.float64]
    """[K]: the expected safety of what follows, if it is safe: four parts the best move, one part the next best."""
    progress: NDArray[np.float64]
    """[K]: the probability that a certain move follows, if it is safe."""
    fate: NDArray[np.int8]
    """[K]"""
    implied: NDArray[np.uint8]
    """[K]: 1 if the candidate is safe whatever the one being tried shows."""
    figures: NDArray[np.int64]
    """[FIGURES]"""


LAYOUT = np.dtype(
    [
        ("probability", np.float64, (MOST_CELLS,)),
        ("after", np.float64, (MOST_CELLS,)),
        ("cell", np.int16, (MOST_SHORTLISTED,)),
        ("safety", np.float64, (MOST_SHORTLISTED,)),
        ("score", np.float64, (MOST_SHORTLISTED,)),
        ("secondary", np.float64, (MOST_SHORTLISTED,)),
        ("progress", np.float64, (MOST_SHORTLISTED,)),
        ("fate", np.int8, (MOST_SHORTLISTED,)),
        ("implied", np.uint8, (MOST_SHORTLISTED,)),
        ("figures", np.int64, (FIGURES,)),
    ],
    align=True,
)


def guess_record() -> GuessRecord:
    """A new record for kernels."""
    return cast(GuessRecord, np.zeros(1, LAYOUT)[0])
