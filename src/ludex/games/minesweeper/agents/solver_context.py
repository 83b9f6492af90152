"""The per-agent state of a solver: neighbour arrays, names and opening of its board, and a workspace."""

import numpy as np
from numpy.typing import NDArray

from ludex.games.minesweeper.agents.search.start import opening
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.geometry import neighbours, windows
from ludex.games.minesweeper.rules.inference.workspace import Workspace, workspace
from ludex.games.minesweeper.rules.notation import action_names
from ludex.games.minesweeper.rules.position import View


class SolverContext:
    """Belongs to one agent: kernels release the GIL, so two agents must not share it."""

    def __init__(self, game: Minesweeper) -> None:
        options = game.options
        self.rows, self.cols, self.cells, self.mines = game.rows, game.cols, game.cells, game.mines
        self.start = options.start
        self.near = neighbours(game.rows, game.cols)
        self.bits = windows(game.rows, game.cols)
        self.names = action_names(game.rows, game.cols)
        self.opening = opening(game.rows, game.cols, game.mines, options.start)
        self.opening_safety = 1.0 if options.start != "none" else 1.0 - game.mines / game.cells
        self.work = workspace()
        self.probability: NDArray[np.float64] = np.empty(game.cells)

    @property
    def rule_args(self) -> tuple[int, NDArray[np.int16], NDArray[np.int8], Workspace]:
        """The arguments of the rule kernels after the numbers."""
        return self.cols, self.near, self.bits, self.work

    @property
    def counting_args(self) -> tuple[int, int, NDArray[np.int16], NDArray[np.int8], Workspace]:
        """The arguments of `assess` and `expert_cell` after the numbers."""
        return self.cols, self.mines, self.near, self.bits, self.work

    @property
    def beginning(self) -> tuple[int, float]:
        """The first cell, and how safe it is."""
        return self.opening, self.opening_safety

    def numbers(self, view: View) -> NDArray[np.int8]:
        """int8[HW], a copy that kernels may write to."""
        return np.frombuffer(view.shown, np.int8).copy()
