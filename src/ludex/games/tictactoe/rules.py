"""The rules, each written once: plain functions that Python runs and kernels compile."""

from collections.abc import Iterable

from ludex.core.compilable import compilable


@compilable
def has_line(marks: int, lines: Iterable[int]) -> bool:
    """Whether a set of cells contains one of the lines.

    >>> has_line(0b111, [0b111, 0b111000])
    True
    """
    for line in lines:
        if marks & line == line:
            return True
    return False


@compilable
def is_free(taken: int, cell: int) -> bool:
    """Whether nobody has marked the cell."""
    return taken >> cell & 1 == 0
