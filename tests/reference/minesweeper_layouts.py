"""Every layout of the mines that fits what is seen, one by one, and the best play among them. Slow, plain Python.

A field is seen as rows of numbers, -1 where a square is hidden. Nothing is merged, counted or left out.
"""

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from math import comb

Square = tuple[int, int]
Rows = Sequence[Sequence[int]]
Layout = frozenset[Square]
"""The squares with mines."""
Showing = tuple[int | None, ...]
"""What every square would show, row by row; None is a mine that goes off."""


def near(rows: int, cols: int, square: Square) -> list[Square]:
    row, col = square
    return [
        (r, c)
        for r in range(row - 1, row + 2)
        for c in range(col - 1, col + 2)
        if (r, c) != square and 0 <= r < rows and 0 <= c < cols
    ]


def hidden(numbers: Rows) -> list[Square]:
    return [(r, c) for r, row in enumerate(numbers) for c, number in enumerate(row) if number < 0]


def touched(numbers: Rows) -> list[Square]:
    """Hidden squares beside a number."""
    rows, cols = len(numbers), len(numbers[0])
    return [square for square in hidden(numbers) if any(numbers[r][c] >= 0 for r, c in near(rows, cols, square))]


def layouts(numbers: Rows, mines: int) -> list[Layout]:
    """All layouts of so many mines."""
    return _filled(numbers, hidden(numbers), mines, mines)


def layouts_beside_numbers(numbers: Rows) -> list[Layout]:
    """What may lie beside the numbers, whatever the number of mines."""
    squares = touched(numbers)
    return _filled(numbers, squares, 0, len(squares))


def _filled(numbers: Rows, squares: list[Square], least: int, most: int) -> list[Layout]:
    """All ways to lay so many mines on these squares that fit the numbers."""
    rows, cols = len(numbers), len(numbers[0])
    needs = {(r, c): number for r, row in enumerate(numbers) for c, number in enumerate(row) if number >= 0}
    open_squares = dict.fromkeys(needs, 0)
    beside = {square: [other for other in near(rows, cols, square) if other in needs] for square in squares}
    for others in beside.values():
        for other in others:
            open_squares[other] += 1
    if any(need > open_squares[number] for number, need in needs.items()):
        return []
    results: list[Layout] = []
    chosen: list[Square] = []

    def decide(at: int) -> None:
        if len(chosen) + len(squares) - at < least:
            return
        if at == len(squares):
            results.append(frozenset(chosen))
            return
        others = beside[squares[at]]
        for other in others:
            open_squares[other] -= 1
        if all(needs[other] <= open_squares[other] for other in others):
            decide(at + 1)
        if len(chosen) < most and all(0 < needs[other] <= open_squares[other] + 1 for other in others):
            for other in others:
                needs[other] -= 1
            chosen.append(squares[at])
            decide(at + 1)
            chosen.pop()
            for other in others:
                needs[other] += 1
        for other in others:
            open_squares[other] += 1

    decide(0)
    return results


def probabilities(numbers: Rows, fitting: Collection[Layout]) -> dict[Square, Fraction]:
    """In which share of the layouts each hidden square is a mine."""
    return {square: Fraction(sum(square in layout for layout in fitting), len(fitting)) for square in hidden(numbers)}


def weighed_probabilities(numbers: Rows, mines: int) -> tuple[dict[Square, Fraction], int]:
    """The same and the number of layouts for large boards with few numbers: squares beside none are only counted."""
    beside = touched(numbers)
    rest = [square for square in hidden(numbers) if square not in set(beside)]
    ways = [(layout, comb(len(rest), mines - len(layout))) for layout in _filled(numbers, beside, 0, mines)]
    total = sum(count for _, count in ways)
    chances = {square: Fraction(sum(count for one, count in ways if square in one), total) for square in beside}
    in_rest = sum(count * (mines - len(one)) for one, count in ways)
    return chances | {square: Fraction(in_rest, total * len(rest)) for square in rest}, total


def showing(rows: int, cols: int, mines: Layout) -> Showing:
    return tuple(
        None if (row, col) in mines else sum(other in mines for other in near(rows, cols, (row, col)))
        for row in range(rows)
        for col in range(cols)
    )


class BestPlay:
    """In how many of some layouts the best play wins. Every square is tried, and every set is remembered.

    What a player knows is which layouts are still possible. Who knows the only one has won. A square that shows the
    same number in all of them tells nothing, and one that is a mine in all of them loses.
    """

    def __init__(self) -> None:
        self._known: dict[frozenset[Showing], int] = {}

    def won(self, possible: Iterable[Showing]) -> int:
        return self._won(frozenset(possible))

    def won_after(self, possible: Iterable[Showing], square: int) -> int:
        """The same, if this square is revealed first."""
        return sum(self._won(part) for part in _parts(frozenset(possible), square))

    def _won(self, possible: frozenset[Showing]) -> int:
        if len(possible) == 1:
            return 1
        if possible not in self._known:
            self._known[possible] = max(
                sum(self._won(part) for part in _parts(possible, square))
                for square in range(len(next(iter(possible))))
                if len({layout[square] for layout in possible}) > 1
            )
        return self._known[possible]


def _parts(possible: frozenset[Showing], square: int) -> list[frozenset[Showing]]:
    """The layouts in which a square is safe, sorted by what it shows."""
    parts: dict[int, set[Showing]] = {}
    for layout in possible:
        shown = layout[square]
        if shown is not None:
            parts.setdefault(shown, set()).add(layout)
    return [frozenset(part) for part in parts.values()]
