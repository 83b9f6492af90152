"""The private parts of Numba that kernels rest on are there, and running a kernel imports no library without need."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from pkgutil import resolve_name

import pytest
from packaging.requirements import Requirement

from ludex.core.errors import KernelsFailed
from ludex.kernels.jit import kernel

PRIVATE = {
    "numba._dynfunc:make_function": "dispatcher: a subroutine has a Python form without code",
    "numba.core.codegen:JITCodeLibrary._optimize_final_module": "dispatcher: a subroutine is not optimized by itself",
    "numba.core.codegen:JITCodeLibrary._finalize_final_module": "dispatcher: nor emitted by itself",
    "numba.core.codegen:JITCodeLibrary._finalize_dynamic_globals": "dispatcher: called in its place",
    "numba.core.codegen:JITCPUCodegen.set_env": "dispatcher: subroutines get their environments",
    "numba.core.compiler:CompileResult._find_referenced_environments": "dispatcher: these are they",
    "numba.core.compiler:CompileResult._reduce": "cache: a compiled kernel is written",
    "numba.core.compiler:CompileResult._rebuild": "cache: and read",
    "numba.core.caching:_Cache": "cache: the base of ours",
    "numba.core.serialize:dumps": "cache: how it is written",
    "numba.core.cpu:CPUTargetOptions._nrt": "jit: kernels that count no references",
    "numba.core.cpu:CPUTargetOptions.no_cfunc_wrapper": "dispatcher: kernels that no C code calls",
    "numba.core.cpu:CPUTargetOptions.no_cpython_wrapper": "dispatcher: subroutines that Python does not call",
    "numba.core.callconv:CPUCallConv._get_arg_packer": "calls: arguments of a call by address",
    "numba.np.linalg:ensure_blas": "dispatcher: SciPy is imported by kernels that need it only",
}
"""By name, which module of `ludex.kernels` needs it and what for."""


@pytest.mark.parametrize("name", PRIVATE)
def test_a_private_part_of_numba_is_there(name: str) -> None:
    try:
        resolve_name(name)
    except (ImportError, AttributeError) as error:
        pytest.fail(f"Numba {version('numba')} has no {name}: ludex.kernels.{PRIVATE[name]} ({error})")


def test_a_numba_that_these_names_were_not_read_in_is_not_installed() -> None:
    """A new minor version of Numba is allowed once every name above was found in it and the suite was green."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (numba,) = (asked for asked in map(Requirement, project["dependencies"]) if asked.name == "numba")
    major, minor, *_ = version("numba").split(".")
    assert not numba.specifier.contains(f"{major}.{int(minor) + 1}.0")


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
    result = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert (result.stdout, result.stderr) == ("False True True\n", "")


@kernel
def count_to(end: int) -> int:
    return len(range(end, "far"))  # type: ignore[call-overload]


@kernel
def count_twice(end: int) -> int:
    return 2 * count_to(end)


def test_a_type_error_names_the_function_at_fault_and_its_callers_in_one_line() -> None:
    with pytest.raises(KernelsFailed) as failed:
        count_twice(3)
    line = count_to.py_func.__code__.co_firstlineno  # type: ignore[attr-defined]
    where = (
        rf"count_to \(\S+test_dispatcher.py:{line + 2}\), called by count_twice \(\S+:{line + 7}\) does not compile: "
    )
    assert re.fullmatch(where + r".* range\(int64, Literal\[str\]\(far\)\)", failed.value.message), failed.value.message
