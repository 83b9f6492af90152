"""A position: two sets of cells. Positions are plain values, and everything else follows from them."""

from collections.abc import Iterator
from typing import NamedTuple


class Position(NamedTuple):
    """The marks on the board. X moves first, so the turn follows from the counts."""

    x: int = 0
    o: int = 0
    won: bool = False
    """Whether the side that has just moved completed a line; `MnkBoard.after` keeps it."""

    @property
    def turn(self) -> int:
        """0 when X is to move, 1 when O is."""
        return self.x.bit_count() - self.o.bit_count()

    @property
    def mine(self) -> int:
        """The marks of the side to move."""
        return self.o if self.turn else self.x

    @property
    def theirs(self) -> int:
        """The marks of the side that has just moved."""
        return self.x if self.turn else self.o

    @property
    def taken(self) -> int:
        return self.x | self.o


def cells_of(cells: int) -> Iterator[int]:
    """The members of a set in ascending order.

    >>> list(cells_of(0b1010))
    [1, 3]
    """
    while cells:
        low = cells & -cells
        yield low.bit_length() - 1
        cells ^= low
