"""Once a game's kernels are loaded nobody waits for a compiler: a worker that compiles in its time is killed."""

import subprocess
import sys

import pytest

from ludex.core import registry

PLAYED = """
import sys

import ludex
from ludex.core.kernels import load_kernels
from ludex.core.limit import Limit
from ludex.core.match import Match, timed
from ludex.core.registry import make_agent, spec


def compiled():
    modules = [module for name, module in [*sys.modules.items()] if name.startswith("ludex.")]
    kernels = {id(found): found for module in modules for found in vars(module).values() if hasattr(found, "py_func")}
    return {(found.py_func.__qualname__, str(types)) for found in kernels.values() for types in found.signatures}


game = sys.argv[1]
load_kernels(game)
board = ludex.make(game)
agents = {name: make_agent(board, name) for name, told in spec(game).agents.items() if told.presets != ()}
loaded = compiled()
assert loaded
for agent in agents.values():
    for seed in range(5):
        match = Match(board, seed)
        while not match.over and match.ply < 60:
            decision, _ = timed(match, agent, Limit(time_ms=10))
            match.carry_out(decision)
print(sorted({name for name, _ in compiled() - loaded}))
"""


@pytest.mark.parametrize("game", registry.GAMES)
def test_loaded_kernels_are_all_that_agents_need(game: str) -> None:
    command = [sys.executable, "-c", PLAYED, game]
    told = subprocess.run(command, check=False, capture_output=True, text=True, timeout=900)
    assert (told.stdout, told.stderr) == ("[]\n", "")
