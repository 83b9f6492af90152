"""What compiling may cost: a person who starts Ludex for the first time waits for it."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from ludex.core import registry

pytestmark = pytest.mark.slow

BUDGET = 66.0
"""CPU-seconds in which the kernels that make every game ready are compiled, imports included: 60 on quiet cores."""
MOST_KERNELS = {"tictactoe": 2, "quoridor": 11, "minesweeper": 12, "skirmish": 9}
"""Kernels that Python calls, one per signature: each costs an optimization of all that it calls."""

LOAD = "import sys; from ludex.kernels.warmup import load_group; load_group(sys.argv[1], 'player')"


def compiled() -> set[tuple[str, str]]:
    """Every kernel of this process with the types it is compiled for."""
    modules = [module for name, module in [*sys.modules.items()] if name.startswith("ludex.")]
    kernels = [kernel for module in modules for kernel in vars(module).values() if hasattr(kernel, "py_func")]
    return {(kernel.py_func.__qualname__, str(types)) for kernel in kernels for types in kernel.signatures}


def count(game: str) -> int:
    command = [sys.executable, "-c", f"{LOAD}; import test_compile_budget as t; print(len(t.compiled()))", game]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    return int(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)


@pytest.mark.parametrize("game", registry.names())
def test_a_player_needs_few_kernels(game: str) -> None:
    assert 0 < count(game) <= MOST_KERNELS[game]


@pytest.mark.full
def test_players_kernels_compile_within_their_budget(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for game in registry.names():
        command = [sys.executable, "-c", LOAD, game]
        subprocess.run(command, env=environment | {"LUDEX_CACHE": str(tmp_path)}, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime <= BUDGET
