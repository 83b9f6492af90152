"""The exact solver of Connect Four against plain minimax, on small boards and on positions with few cells left."""

import random
from functools import cache

import pytest

from benchmarks.connect_four_solver import DRAWN, LOST, WON, Solver


def minimax(solver: Solver, mover: int, stones: int) -> int:
    """The value by the definition."""

    @cache
    def value(own: int, both: int) -> int:
        columns = solver.playable(both)
        if not columns:
            return DRAWN
        if any(solver.wins(own, both, col) for col in columns):
            return WON
        return max(-value(own ^ both, both | solver.cell(both, col)) for col in columns)

    return value(mover, stones)


@pytest.mark.full
@pytest.mark.parametrize(("cols", "rows", "least"), [(4, 4, 6), (5, 4, 8), (7, 6, 31)])
def test_values_are_those_of_minimax(cols: int, rows: int, least: int) -> None:
    solver, rng = Solver(cols, rows, bits=16), random.Random(5)
    seen: list[int] = []
    while len(seen) < 25:
        mover = stones = 0
        for _ in range(least):
            columns = [col for col in solver.playable(stones) if not solver.wins(mover, stones, col)]
            if not columns:
                break
            mover, stones = mover ^ stones, stones | solver.cell(stones, rng.choice(columns))
        else:
            expected = minimax(solver, mover, stones)
            assert solver.value(mover, stones) == expected
            columns_that_keep = [col for col in solver.playable(stones) if solver.keeps(mover, stones, expected, col)]
            assert columns_that_keep
            seen.append(expected)
    assert {WON, LOST} <= set(seen)
