"""Old names of public modules, which import the new ones with a warning. Version 0.3 removes them."""

import importlib
import sys
import warnings
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType
from typing import Final

MOVED: Final = {
    "ludex.core.jit": "ludex.kernels.jit",
    "ludex.core.kernels": "ludex.kernels.warmup",
    "ludex.core.nets": "ludex.search.network",
    "ludex.core.sampling": "ludex.kernels.sampling",
    "ludex.games.minesweeper.config": "ludex.games.minesweeper.learning.config",
    "ludex.games.minesweeper.env": "ludex.games.minesweeper.env.env",
    "ludex.games.minesweeper.eval": "ludex.games.minesweeper.tools.evaluation",
    "ludex.games.minesweeper.gym": "ludex.games.minesweeper.env.gym",
    "ludex.games.minesweeper.models": "ludex.games.minesweeper.learning.network",
    "ludex.games.minesweeper.solver": "ludex.games.minesweeper.rules.inference.probabilities",
    "ludex.games.minesweeper.viz": "ludex.games.minesweeper.tools.pictures",
    "ludex.games.quoridor.solve": "ludex.games.quoridor.agents.solver.solve",
    "ludex.games.skirmish.gym": "ludex.games.skirmish.env.gym",
    "ludex.gym": "ludex.envs.gymnasium",
}


class MovedModules(MetaPathFinder, Loader):
    """Finds a module under its old name."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return spec_from_loader(fullname, self) if fullname in MOVED else None

    def exec_module(self, module: ModuleType) -> None:
        old = module.__name__
        warnings.warn(f"{old} is now {MOVED[old]}; version 0.3 removes the old name", DeprecationWarning, stacklevel=2)
        # The import system returns what stands here afterwards.
        sys.modules[old] = importlib.import_module(MOVED[old])


def install() -> None:
    """Make the old names importable; after every other finder, so that a real module wins."""
    if not any(isinstance(finder, MovedModules) for finder in sys.meta_path):
        sys.meta_path.append(MovedModules())
