"""Sets of squares as two 64-bit words, low and high: enough for a board of 11 x 11."""

from ludex.kernels.jit import kernel, to_word

Words = tuple[int, int]
"""(low, high)"""


@kernel
def up(low: int, high: int, by: int) -> Words:
    """Every square's index grows by `by`, 1..63."""
    k = to_word(by)
    rest = to_word(64 - by)
    return low << k, (high << k) | (low >> rest)


@kernel
def down(low: int, high: int, by: int) -> Words:
    """Every square's index shrinks by `by`, 1..63."""
    k = to_word(by)
    rest = to_word(64 - by)
    return (low >> k) | (high << rest), high >> k


@kernel
def single(square: int) -> Words:
    """The set of one square."""
    bit = to_word(1)
    zero = to_word(0)
    if square < 64:
        return bit << to_word(square), zero
    return zero, bit << to_word(square - 64)


@kernel
def has(low: int, high: int, square: int) -> bool:
    """Whether the square is in the set."""
    if square < 64:
        return (low >> to_word(square)) & to_word(1) != 0
    return (high >> to_word(square - 64)) & to_word(1) != 0
