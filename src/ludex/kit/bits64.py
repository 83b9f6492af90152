"""Sets of up to 64 cells as one 64-bit word, for kernels; `bits128` has boards of up to 128 cells.

A set is an unsigned word: a number of a position becomes one by `to_word`, and is one when it is stored again. `&`, `|`
and `^` of words are words, with a signed number they are signed, and `~` of a signed number is signed:

    mine = to_word(state[STONES])
    mine |= single(cell)                       # with a cell
    mine &= ~single(cell)                      # without it
    state[STONES] = mine
    while mine != 0:                           # each member
        cell = first(mine)
        mine &= mine - to_word(1)

Steps go by the tables of `Grid.shifts`: an amount, and the cells
that have a neighbour there, so that nothing leaves the board on one side and comes back on the other.
"""

from ludex.kernels.jit import bit_count, kernel, to_index, to_word, trailing_zeros

__all__ = ["bit_count", "first", "has", "has_line", "ray", "shift", "single", "to_index", "to_word", "trailing_zeros"]


@kernel
def single(cell: int) -> int:
    """The set of one cell."""
    return to_word(1) << to_word(cell)


@kernel
def has(cells: int, cell: int) -> bool:
    """Whether the cell is in the set."""
    return (to_word(cells) >> to_word(cell)) & to_word(1) != 0


@kernel
def first(cells: int) -> int:
    """The lowest member of a set that is not empty; `cells & (cells - to_word(1))` is the set without it."""
    return trailing_zeros(to_word(cells))


@kernel
def shift(cells: int, by: int, movable: int) -> int:
    """The members that are `movable`, each `by` further; `by` may be negative."""
    moved = to_word(cells) & to_word(movable)
    return moved << to_word(by) if by >= 0 else moved >> to_word(-by)


@kernel
def ray(cell: int, by: int, movable: int, through: int) -> int:
    """The unbroken row of members of `through` that begins beside the cell."""
    row = to_word(0)
    here = shift(single(cell), by, movable) & to_word(through)
    while here != 0:
        row |= here
        here = shift(here, by, movable) & to_word(through)
    return row


@kernel
def has_line(cells: int, by: int, movable: int, length: int) -> bool:
    """Whether so many members follow each other in a direction."""
    ends = to_word(cells)
    for _ in range(length - 1):
        ends = shift(ends, by, movable) & to_word(cells)
    return ends != 0
