"""The public API: listed, loaded on first use, and known to type checkers, for which this file is a test too."""

import subprocess
import sys
from graphlib import TopologicalSorter
from typing import assert_type

import grimp
import pytest

import ludex
from ludex.core.agent import AnyAgent
from ludex.core.game import AnyGame


def test_it_is_listed_and_every_name_leads_somewhere() -> None:
    assert dir(ludex) == sorted(ludex.__all__)
    assert {"Decision", "Game", "GameSpec", "Scene", "make", "make_agent", "play"} <= set(dir(ludex))
    for name in dir(ludex):
        assert getattr(ludex, name) is not None


def test_type_checkers_know_it() -> None:
    """mypy reads these lines: with a `__getattr__` for all names the unknown one would pass, and its comment fail."""
    assert_type(ludex.make("tictactoe"), AnyGame)
    assert_type(ludex.make_agent("tictactoe", "random"), AnyAgent)
    assert_type(ludex.Limit(depth=2), ludex.Limit)
    with pytest.raises(AttributeError, match="module 'ludex' has no attribute 'nothing'"):
        _ = ludex.nothing  # type: ignore[attr-defined]


def test_an_import_of_it_loads_no_library() -> None:
    program = (
        "import sys, ludex; dir(ludex); print([name for name in ('numpy', 'numba', 'pydantic') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"


def test_there_is_no_import_cycle() -> None:
    graph = grimp.build_graph("ludex", cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(imports) > 300
    TopologicalSorter(imports).prepare()
