"""Sets of up to 128 cells as two 64-bit words, low and high, for kernels: enough for a board of 11 x 11.

Rules of games read and write sets as pairs, and unpack them where a function asks for two words:

    stones = read(state, STONES)
    while some(stones):
        cell = first(*stones)
        group = spread(board, SHIFTS, END, single(cell), stones)
        stones = without(stones, group)
"""

from ludex.core.compiled import Vector
from ludex.kernels.jit import bit_count, inline_kernel, kernel, to_word, trailing_zeros

Words = tuple[int, int]
"""(low, high)"""


@kernel
def up(low: int, high: int, by: int) -> Words:
    """Every cell's index grows by `by`, 1..63."""
    k = to_word(by)
    rest = to_word(64 - by)
    return low << k, (high << k) | (low >> rest)


@kernel
def down(low: int, high: int, by: int) -> Words:
    """Every cell's index shrinks by `by`, 1..63."""
    k = to_word(by)
    rest = to_word(64 - by)
    return (low >> k) | (high << rest), high >> k


@kernel
def single(cell: int) -> Words:
    """The set of one cell."""
    bit = to_word(1)
    zero = to_word(0)
    if cell < 64:
        return bit << to_word(cell), zero
    return zero, bit << to_word(cell - 64)


@kernel
def has(low: int, high: int, cell: int) -> bool:
    """Whether the cell is in the set."""
    if cell < 64:
        return (low >> to_word(cell)) & to_word(1) != 0
    return (high >> to_word(cell - 64)) & to_word(1) != 0


@kernel
def add(low: int, high: int, cell: int) -> Words:
    """The set with a cell."""
    bit_low, bit_high = single(cell)
    return low | bit_low, high | bit_high


@kernel
def first(low: int, high: int) -> int:
    """The lowest member of a set that is not empty."""
    return trailing_zeros(low) if low != to_word(0) else 64 + trailing_zeros(high)


@kernel
def without_first(low: int, high: int) -> Words:
    """The set without its lowest member."""
    if low != to_word(0):
        return low & (low - to_word(1)), high
    return low, high & (high - to_word(1))


@inline_kernel
def read(numbers: Vector, at: int) -> Words:
    """The set that two numbers of a position or a board hold."""
    return to_word(numbers[at]), to_word(numbers[at + 1])


@inline_kernel
def write(numbers: Vector, at: int, cells: Words) -> None:
    """Store a set as two numbers."""
    numbers[at], numbers[at + 1] = cells


@kernel
def both(one: Words, other: Words) -> Words:
    """The members of both sets."""
    return one[0] & other[0], one[1] & other[1]


@kernel
def either(one: Words, other: Words) -> Words:
    """The members of one of the sets, or of both."""
    return one[0] | other[0], one[1] | other[1]


@kernel
def without(one: Words, other: Words) -> Words:
    """The members of the first set that the other one lacks."""
    return one[0] & ~other[0], one[1] & ~other[1]


@kernel
def some(cells: Words) -> bool:
    """Whether a set has members."""
    return cells[0] | cells[1] != to_word(0)


@kernel
def count(cells: Words) -> int:
    """How many members a set has."""
    return bit_count(cells[0]) + bit_count(cells[1])


@inline_kernel
def beside(board: Vector, begin: int, end: int, cells: Words) -> Words:
    """The cells beside those of a set, forth and back by the rows of `Grid.shifts_of(2)` in a board's `begin`..`end`.

    They are those of lines, the first half of the directions, or some of them.
    """
    near = to_word(0), to_word(0)
    for step in range(begin, end, 3):
        movable = read(board, step + 1)
        near = either(near, either(up(*both(cells, movable), board[step]), both(down(*cells, board[step]), movable)))
    return near


@inline_kernel
def spread(board: Vector, begin: int, end: int, cells: Words, through: Words) -> Words:
    """A set with all that it reaches through members of another one, by the same steps as `beside`."""
    grown = either(cells, both(beside(board, begin, end, cells), through))
    while grown != cells:
        cells = grown
        grown = either(cells, both(beside(board, begin, end, cells), through))
    return cells
