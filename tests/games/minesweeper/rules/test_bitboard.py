"""Boards as bits: they say what the cells say, up to the widest board."""

import numpy as np
import pytest

from ludex.games.minesweeper.rules.layout import FLAG, MINE, MOST_CELLS, NUMBER, REVEALED
from ludex.games.minesweeper.rules.revealing import empty_lines, read_lines, reveal, row_of
from tests.games.minesweeper.support import squares_of
from tests.reference.minesweeper import Field
from tests.sizes import sampled

BOARDS = [(1, 1), (1, 64), (64, 1), (3, 63), (5, 64), (12, 33), (20, 20)]


def test_every_cell_of_every_width_is_in_its_row() -> None:
    for cols in range(1, 65):
        for cell in range(min(MOST_CELLS, 64 * cols)):
            assert row_of(cell, cols) == cell // cols


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols"), BOARDS)
@pytest.mark.parametrize("density", [0.02, 0.1, 0.3])
@pytest.mark.parametrize("boards", sampled(1, 3))
def test_a_flood_opens_what_it_opens_on_a_plain_board(rows: int, cols: int, density: float, boards: int) -> None:
    rng = np.random.default_rng(rows * 100 + cols)
    for _ in range(boards):
        cells = np.where(rng.random((rows, cols)) < density, MINE, 0).astype(np.uint8)
        cells |= np.where(rng.random((rows, cols)) < 0.05, FLAG, 0).astype(np.uint8)
        board = Field(rows, cols, squares_of(cells & MINE), flags=squares_of(cells & FLAG))
        flat, lines = cells.reshape(1, -1), empty_lines(1, rows)
        read_lines(flat, 0, cols, lines)
        opened, count = np.zeros((1, rows * cols), np.int16), 0
        for cell in rng.permutation(rows * cols)[:12].tolist():
            square = divmod(cell, cols)
            if square in board.revealed or board.lost:
                continue
            new = board.reveal(square)
            after = reveal(flat, 0, cols, cell, opened, count, lines)
            assert {divmod(one, cols) for one in opened[0, count:after].tolist()} == new
            count = after
            assert squares_of(cells & REVEALED) == board.revealed
            assert squares_of(cells & FLAG) == board.flags
            assert {one: int(cells[one] & NUMBER) for one in board.shown} == board.shown
            read = lines.copy()
            read_lines(flat, 0, cols, read)
            assert (read[:, :3] == lines[:, :3]).all()
