"""Products of many small matrices at once, inside kernels: `float32[P, ., .]` times `float32[P, ., .]`.

Made for matrices of some dozens of numbers each way, which stay in a core's nearest cache.
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.core.jit import kernel
from ludex.core.vectors import block_product

Array: TypeAlias = NDArray[np.float32]

ROWS: Final = 4
COLS: Final = 16
"""A block of so many sums fills half of a core's registers and keeps it busy."""

_block = block_product(ROWS, COLS)
_line = block_product(1, COLS)
_column = block_product(ROWS, 1)
_number = block_product(1, 1)
_block_transposed = block_product(ROWS, COLS, transposed=True, adds=True)
_line_transposed = block_product(1, COLS, transposed=True, adds=True)
_column_transposed = block_product(ROWS, 1, transposed=True, adds=True)
_number_transposed = block_product(1, 1, transposed=True, adds=True)


@kernel
def set_products(lefts: Array, rights: Array, targets: Array) -> None:
    """`targets[p] = lefts[p] @ rights[p]`."""
    count, rows, inner = lefts.shape
    cols = rights.shape[2]
    left, right, target = lefts.reshape(-1), rights.reshape(-1), targets.reshape(-1)
    for p in range(count):
        row = 0
        while row < rows:
            at, to = (p * rows + row) * inner, (p * rows + row) * cols
            tall = row + ROWS <= rows
            col = 0
            while col < cols:
                begin = p * inner * cols + col
                wide = col + COLS <= cols
                if tall and wide:
                    _block(left, at, inner, right, begin, cols, inner, target, to + col, cols)
                elif wide:
                    _line(left, at, inner, right, begin, cols, inner, target, to + col, cols)
                elif tall:
                    _column(left, at, inner, right, begin, cols, inner, target, to + col, cols)
                else:
                    _number(left, at, inner, right, begin, cols, inner, target, to + col, cols)
                col += COLS if wide else 1
            row += ROWS if tall else 1


@kernel
def add_transposed_products(lefts: Array, rights: Array, targets: Array) -> None:
    """`targets[p] += lefts[p].T @ rights[p]`."""
    count, inner, rows = lefts.shape
    cols = rights.shape[2]
    left, right, target = lefts.reshape(-1), rights.reshape(-1), targets.reshape(-1)
    for p in range(count):
        row = 0
        while row < rows:
            at, to = p * inner * rows + row, (p * rows + row) * cols
            tall = row + ROWS <= rows
            col = 0
            while col < cols:
                begin = p * inner * cols + col
                wide = col + COLS <= cols
                if tall and wide:
                    _block_transposed(left, at, rows, right, begin, cols, inner, target, to + col, cols)
                elif wide:
                    _line_transposed(left, at, rows, right, begin, cols, inner, target, to + col, cols)
                elif tall:
                    _column_transposed(left, at, rows, right, begin, cols, inner, target, to + col, cols)
                else:
                    _number_transposed(left, at, rows, right, begin, cols, inner, target, to + col, cols)
                col += COLS if wide else 1
            row += ROWS if tall else 1
