"""Importing the adapter registers every game's environments, and loads nothing heavy."""

import subprocess
import sys

import gymnasium
import pytest

import ludex.envs.gymnasium
from ludex.games.minesweeper.env.registration import ENV_ID as MINESWEEPER
from ludex.games.skirmish.env import ENV_ID as SKIRMISH


def test_every_environment_is_registered_once() -> None:
    assert {MINESWEEPER, SKIRMISH} <= set(gymnasium.registry)
    before = gymnasium.registry[MINESWEEPER]
    ludex.envs.gymnasium.register()
    assert gymnasium.registry[MINESWEEPER] is before


@pytest.mark.slow
def test_importing_registers_without_loading_kernels() -> None:
    program = (
        "import gymnasium, sys, ludex.envs.gymnasium\n"
        "loaded = ['numba' in sys.modules, 'ludex.games.minesweeper.env.gym' in sys.modules]\n"
        f"print({MINESWEEPER!r} in gymnasium.registry, *loaded)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False", "False"]
