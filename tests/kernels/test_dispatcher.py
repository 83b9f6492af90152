"""Running a kernel imports no library that it does not need."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys
import numpy as np
from ludex.kernels.jit import draw_below

draw_below(np.zeros(1, np.uint64), 0, 6)
from numba.np import arraymath, linalg

before = "scipy.linalg" in sys.modules
linalg.ensure_blas()
print(before, arraymath._HAVE_BLAS, "scipy.linalg" in sys.modules)
"""


@pytest.mark.slow
def test_scipy_is_imported_only_by_kernels_that_need_it() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("False True True\n", "")
