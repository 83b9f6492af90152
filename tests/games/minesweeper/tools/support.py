"""Boards of all sizes and densities."""

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ludex.core.seeding import generator
from ludex.games.minesweeper.rules.layout import mine_counts


def random_mines(seed: int, rows: int, cols: int, share: float) -> NDArray[np.bool_]:
    rng = generator(seed, 0)
    return np.array([[rng.uniform() < share for _ in range(cols)] for _ in range(rows)])


@st.composite
def mine_boards(draw: st.DrawFn, most: int = 64) -> NDArray[np.bool_]:
    rows, cols = draw(st.integers(1, most)), draw(st.integers(1, most))
    return random_mines(draw(st.integers(0, 2**64 - 1)), rows, cols, draw(st.sampled_from([0.0, 0.1, 0.2, 0.5, 1.0])))


@st.composite
def positions(draw: st.DrawFn) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Numbers and flags of a board some of which is revealed."""
    mines = draw(mine_boards(20))
    rows, cols = mines.shape
    seed = draw(st.integers(0, 2**64 - 1))
    revealed = random_mines(seed, rows, cols, 0.5) & ~mines
    flags = random_mines(seed ^ 1, rows, cols, 0.3) & ~revealed
    return np.where(revealed, mine_counts(mines), np.int8(-1)), flags
