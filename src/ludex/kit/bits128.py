"""Sets of up to 128 cells as two 64-bit words, low and high, for kernels: enough for a board of 11 x 11."""

from ludex.kernels.jit import kernel, to_word, trailing_zeros

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
def shift(low: int, high: int, by: int, movable_low: int, movable_high: int) -> Words:
    """The members that are movable, each `by` further, -63..63 without 0, as `Grid.shifts` has it."""
    from_low, from_high = to_word(low) & to_word(movable_low), to_word(high) & to_word(movable_high)
    return up(from_low, from_high, by) if by > 0 else down(from_low, from_high, -by)


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
