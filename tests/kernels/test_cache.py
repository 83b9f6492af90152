"""Compiled kernels on disk: found by content, safe to load, removed when unused."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import llvmlite
import numba
import pytest

import ludex
from ludex.core.errors import FolderUnwritable
from ludex.kernels import cache, compilations
from ludex.kernels.cache import KernelCache, kernel_folder
from ludex.kernels.dispatcher import Kernel

pytestmark = pytest.mark.slow

FLAGS = ("nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc")

RUN = """
import json, os, sys
import numpy as np
from ludex.kernels.jit import draw_below
from planted.kernels import doubled
from planted.others import tripled

draw_below(np.zeros(1, np.uint64), 0, 6)
value = doubled() + tripled()
kernels = (doubled, tripled, draw_below)
hits, misses = (
    [sum(getattr(kernel.stats, found).values()) for kernel in kernels] for found in ("cache_hits", "cache_misses")
)
print(json.dumps({"value": value, "hits": hits, "misses": misses, "from": sys.modules["ludex"].__file__}))
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own."""
    monkeypatch.setenv("LUDEX_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    return tmp_path / "cache" / "kernels"


def plant(home: Path, size: int, imported: str) -> Path:
    """A package with two kernels, one of which is compiled from a constant of another file."""
    package = home / "planted"
    package.mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").write_text("")
    (package / "sizes.py").write_text(f"SIZE = {size}\n")
    kernel = "from ludex.kernels.jit import kernel\n\n@kernel\ndef"
    (package / "kernels.py").write_text(f"{imported}\n{kernel} doubled():\n    return 2 * SIZE\n")
    (package / "others.py").write_text(f"{kernel} tripled():\n    return 3\n")
    return home


def run(*path: Path) -> dict[str, Any]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run([sys.executable, "-c", RUN], env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return dict(json.loads(ran.stdout))


def test_a_copy_elsewhere_compiles_nothing(tmp_path: Path) -> None:
    copies = tmp_path / "one", tmp_path / "two"
    for copy in copies:
        shutil.copytree(Path(ludex.__file__).parent / "core", copy / "ludex" / "core")
        shutil.copytree(Path(ludex.__file__).parent / "kernels", copy / "ludex" / "kernels")
        shutil.copy(ludex.__file__, copy / "ludex")
        plant(copy, 5, "from planted.sizes import SIZE")
    first, second = (run(copy) for copy in copies)
    assert (first["hits"], first["misses"]) == ([0, 0, 0], [1, 1, 1])
    assert (second["hits"], second["misses"]) == ([1, 1, 1], [0, 0, 0])
    assert [ran["from"] for ran in (first, second)] == [str(copy / "ludex" / "__init__.py") for copy in copies]


@pytest.mark.parametrize(
    "imported",
    [pytest.param("from planted.sizes import SIZE", marks=pytest.mark.full), "from .sizes import (\n    SIZE\n)"],
)
def test_a_constant_of_an_imported_file_is_part_of_the_key(tmp_path: Path, imported: str) -> None:
    ours = Path(ludex.__file__).parents[1]
    assert run(plant(tmp_path, 5, imported), ours)["value"] == 13
    edited = run(plant(tmp_path, 6, imported), ours)
    # The edit reaches one kernel; what does not import the edited file is still known.
    assert (edited["value"], edited["misses"]) == (15, [1, 0, 0])
    assert run(plant(tmp_path, 5, imported), ours)["misses"] == [0, 0, 0]


def quotient(dividend: float, divisor: float) -> float:
    return dividend / divisor


def test_another_option_of_compilation_is_another_kernel() -> None:
    """Python's division raises where NumPy's gives infinity: a kernel of the other kind must not be loaded."""
    python = Kernel(quotient, targetoptions={"error_model": "python"})
    with pytest.raises(ZeroDivisionError):
        python(1.0, 0.0)
    numpy = Kernel(quotient, targetoptions={"error_model": "numpy"})
    assert numpy(1.0, 0.0) == float("inf")
    again = Kernel(quotient, targetoptions={"error_model": "numpy"})
    assert again(1.0, 0.0) == float("inf")
    assert [sum(kernel.stats.cache_hits.values()) for kernel in (python, numpy, again)] == [0, 0, 1]


def test_only_what_must_be_compiled_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    announced: list[str] = []
    monkeypatch.setattr(compilations, "listeners", [])
    compilations.on_compilation(announced.append)
    for _ in range(2):
        Kernel(quotient, targetoptions={"fastmath": {"arcp"}})(1.0, 2.0)
    assert announced == [f"{quotient.__module__}.quotient"]


def test_the_order_of_flags_plays_no_part() -> None:
    first, second = (KernelCache(quotient, {"fastmath": {*flags}, "nogil": True}) for flags in (FLAGS, FLAGS[::-1]))
    other = KernelCache(quotient, {"fastmath": {"nnan"}, "nogil": True})
    assert first._path("()") == second._path("()") != other._path("()")


@pytest.mark.parametrize(
    ("owner", "name", "value"),
    [
        (numba, "__version__", "0.0"),
        (llvmlite, "__version__", "0.0"),
        (sys.implementation, "cache_tag", "cpython-999"),
        (numba.config, "CPU_NAME", "generic"),
        (numba.config, "BOUNDSCHECK", 1),
    ],
)
def test_other_versions_and_cpus_have_a_folder_of_their_own(
    owner: object, name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = kernel_folder()
    with monkeypatch.context() as patch:
        patch.setattr(owner, name, value)
        cache._machine.cache_clear()
        other = kernel_folder()
    cache._machine.cache_clear()
    assert (other != before, other.parent, kernel_folder()) == (True, before.parent, before)


def test_only_the_owner_can_enter() -> None:
    kept = kernel_folder()
    assert [path.stat().st_mode & 0o777 for path in (kept, kept.parent)] == [0o700, 0o700]


def test_a_folder_that_others_can_write_is_emptied(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "planted.nbc").write_bytes(b"code")
    folder.chmod(0o777)
    kernel_folder()
    assert (folder.stat().st_mode & 0o777, (folder / "planted.nbc").exists()) == (0o700, False)


def test_a_folder_of_another_user_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 123456)
    with pytest.raises(FolderUnwritable, match=r"belongs to user \d+, .* user 123456; set LUDEX_CACHE"):
        kernel_folder()


def test_what_is_unused_for_a_month_is_removed(folder: Path) -> None:
    kept = kernel_folder()
    old, new, elsewhere = kept / "old.nbc", kept / "new.nbc", folder / "earlier" / "below" / "old.nbc"
    elsewhere.parent.mkdir(parents=True)
    for path in (old, new, elsewhere):
        path.write_bytes(b"")
    month_ago = time.time() - 31 * 24 * 60 * 60
    for path in (old, elsewhere):
        os.utime(path, (month_ago, month_ago))
    cache._prune(folder)
    assert [path for path in folder.rglob("*") if path.is_file()] == [new]
