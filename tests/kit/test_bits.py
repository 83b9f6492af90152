"""Bit boards of 64 and 128 cells against sets of cells."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.core.compiled import Vector
from ludex.kernels.jit import kernel, to_word
from ludex.kit import bits64, bits128
from ludex.kit.geometry import groups, hex_grid, reach, signed, square_grid

GRID = square_grid(8, 8)
WORDS = st.integers(0, (1 << 64) - 1)


def members(word: int) -> set[int]:
    return {cell for cell in range(64) if word >> cell & 1}


@given(WORDS, st.integers(0, 7))
def test_a_shift_moves_what_has_a_neighbour(word: int, direction: int) -> None:
    by, movable = GRID.shifts[direction].tolist()
    near = GRID.neighbours[:, direction]
    expected = {int(near[cell]) for cell in members(word) if near[cell] >= 0}
    assert members(bits64.shift(signed(word), by, movable)) == expected


@given(WORDS, st.integers(0, 63), st.integers(0, 7))
def test_a_ray_ends_at_the_first_gap(through: int, cell: int, direction: int) -> None:
    by, movable = GRID.shifts[direction].tolist()
    expected: set[int] = set()
    here = int(GRID.neighbours[cell, direction])
    while here >= 0 and through >> here & 1:
        expected.add(here)
        here = int(GRID.neighbours[here, direction])
    assert members(bits64.ray(cell, by, movable, signed(through))) == expected


@given(WORDS)
def test_lines_are_those_of_the_grid(word: int) -> None:
    stones = members(word)
    by_rows = any(stones.issuperset(line) for line in GRID.lines(4))
    shifts = GRID.shifts[:4].tolist()
    assert by_rows == any(bits64.has_line(signed(word), by, movable, 4) for by, movable in shifts)


@given(WORDS.filter(bool))
def test_members(word: int) -> None:
    assert {cell for cell in range(64) if bits64.has(signed(word), cell)} == members(word)
    assert bits64.first(signed(word)) == min(members(word))
    assert bits64.single(min(members(word))) == word & -word


@kernel
def _step(cell: int) -> tuple[int, int, bool]:
    """The first cell after a step up, that after a step back, and whether it is alone."""
    low, high = bits128.single(cell)
    low, high = bits128.up(low, high, 1)
    further = bits128.first(low, high)
    low, high = bits128.down(low, high, 1)
    first = bits128.first(low, high)
    has = bits128.has(low, high, cell)
    low, high = bits128.without_first(low, high)
    return further, first, has and low | high == to_word(0)


@pytest.mark.parametrize("cell", [0, 62, 63, 64, 126])
def test_two_words_are_one_board(cell: int) -> None:
    assert _step(cell) == (cell + 1, cell, True)


@kernel
def _spread(board: Vector) -> tuple[int, int]:
    """Spread the set of the first two numbers through that of the next two; how many cells it has, and lacks."""
    through = bits128.read(board, 2)
    reached = bits128.spread(board, 4, len(board), bits128.read(board, 0), through)
    bits128.write(board, 0, reached)
    return bits128.count(reached), bits128.count(bits128.without(through, reached))


CELLS = st.integers(0, 120)


@given(CELLS, st.sets(CELLS, min_size=40))
def test_sets_spread_over_two_words_as_over_the_grid(cell: int, through: set[int]) -> None:
    grid = hex_grid(11, 11)
    words = [sum(1 << other for other in cells) for cells in ({cell}, through)]
    board = np.array([*(signed(word >> by) for word in words for by in (0, 64)), *grid.shifts_of(2)[:3].flat], np.int64)
    expected = reach(grid.neighbours, {cell}, through)
    assert _spread(board) == (len(expected), len(through - expected))
    assert members(board[0]) | {64 + other for other in members(board[1])} == expected
    assert expected in groups(grid.neighbours, through | {cell})
