"""Products of matrices inside kernels are NumPy's, whole blocks and what is left beside them."""

import numpy as np
import pytest
from numba.core.errors import TypingError

from ludex.core.products import add_transposed_products, set_products

SHAPES = [(2, 8, 8, 32), (1, 7, 13, 21), (3, 4, 1, 16), (2, 3, 5, 2), (2, 1, 64, 17)]
"""How many, rows, inner, columns."""


@pytest.mark.parametrize(("count", "rows", "inner", "cols"), SHAPES)
def test_products_are_numpys(count: int, rows: int, inner: int, cols: int) -> None:
    random = np.random.default_rng(0)
    lefts = random.standard_normal((count, rows, inner), np.float32)
    rights = random.standard_normal((count, inner, cols), np.float32)
    targets = np.full((count, rows, cols), 7.0, np.float32)
    set_products(lefts, rights, targets)
    assert targets == pytest.approx(lefts @ rights, rel=1e-4, abs=1e-5)
    add_transposed_products(lefts.transpose(0, 2, 1).copy(), rights, targets)
    assert targets == pytest.approx(2 * lefts @ rights, rel=1e-4, abs=1e-5)


def test_other_numbers_than_float32_are_refused() -> None:
    doubles = np.ones((1, 4, 4))
    with pytest.raises(TypingError, match="expected a flat array of float32"):
        set_products(doubles, doubles, doubles)  # type: ignore[arg-type]
