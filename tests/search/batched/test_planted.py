"""Errors of the dice that are planted into the source of the kernels, which the slow reference must find."""

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ludex.core.seeding import MASK
from ludex.search.batched import SearchOptions
from tests.search.batched.networks import compare
from tests.search.batched.test_reference import PIG, ROLLS

PLANTED = {
    "the dice of another game": ("tree", "to_word(plan.dice), to_word(lane)", "to_word(plan.dice), to_word(0)"),
    "other dice for every action": ("tree", "to_word(tree.nodes[leaf, at.PARENT])", "to_word(leaf)"),
    "the same dice again": ("tree", "to_word(draw), to_word(0)", "to_word(0), to_word(0)"),
    "a roll that does not count": ("step", "tree.nodes[twin, at.DRAWN] += 1", "tree.nodes[twin, at.DRAWN] += 0"),
    "the outcome that is furthest ahead": (
        "tree",
        "/ drawn - nodes[child, at.VISITS]",
        "/ drawn + nodes[child, at.VISITS]",
    ),
    "an outcome that is made twice": ("plain", "keys[twin] != keys[leaf]", "True"),
}


def compare_in_python(module: str = "", correct: str = "", planted: str = "") -> None:
    """Assert that the kernels in Python, with something planted, find the trees of the reference in every game."""
    options = SearchOptions(simulations=60, rule="puct", widening=1.0)
    with python_kernels(module, correct, planted) as (batched, plain):
        compare(PIG, plain.PlainPositions(PIG, len(ROLLS)), options, ROLLS, batched.BatchedSearch)


def test_without_an_error_the_kernels_in_python_find_the_trees_of_the_reference() -> None:
    compare_in_python()


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_error_of_the_dice_is_found(planted: str) -> None:
    with pytest.raises(AssertionError):
        compare_in_python(*PLANTED[planted])


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
        "inline_kernel": _same,
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
