"""The kernels of the batched search as plain Python, with an error planted into their source if asked."""

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from ludex.core.seeding import MASK

PACKAGE = "ludex.search.batched"
MODULES = ("layout", "selection", "tree", "step", "result", "positions", "plain", "cache", "search")
"""In the order of their imports."""


def _same(function: Any) -> Any:
    return function


def _copy(target: Any, source: Any) -> None:
    target[:] = source


def _stub() -> ModuleType:
    stub = ModuleType("ludex.kernels.jit")
    names = {
        "kernel": _same,
        "bare_kernel": _same,
        "bare_parallel_kernel": _same,
        "share": _same,
        "parallel_range": range,
        "to_index": int,
        "to_word": lambda number: int(number) & MASK,
        "copy_into": _copy,
        "on_threads": None,
    }
    for name, value in names.items():
        setattr(stub, name, value)
    return stub


@contextmanager
def python_kernels(module: str = "", correct: str = "", planted: str = "") -> Iterator[tuple[Any, Any]]:
    """The modules `search` and `plain` over kernels in Python; `planted` replaces `correct` in the source of one."""
    before = {name: sys.modules[name] for name in [*sys.modules] if name.startswith(PACKAGE)}
    jit = sys.modules["ludex.kernels.jit"]
    sys.modules["ludex.kernels.jit"] = _stub()
    try:
        for name in MODULES:
            spec = importlib.util.find_spec(f"{PACKAGE}.{name}")
            assert spec is not None
            path = Path(str(spec.origin))
            source = path.read_text(encoding="utf-8")
            if name == module:
                if source.count(correct) != 1:
                    raise ValueError(f"{correct!r} is in {name} {source.count(correct)} times")
                source = source.replace(correct, planted)
            made = sys.modules[f"{PACKAGE}.{name}"] = importlib.util.module_from_spec(spec)
            exec(compile(source, path, "exec"), made.__dict__)
        yield sys.modules[f"{PACKAGE}.search"], sys.modules[f"{PACKAGE}.plain"]
    finally:
        sys.modules["ludex.kernels.jit"] = jit
        for name in [name for name in sys.modules if name.startswith(PACKAGE)]:
            del sys.modules[name]
        sys.modules.update(before)
