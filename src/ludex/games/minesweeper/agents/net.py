"""The player that has learned: a network looks at the board, and nothing is searched or counted."""

import math

import numpy as np
from numpy.typing import NDArray

from ludex.core.decision import Candidate, Decision
from ludex.core.game import Mask
from ludex.core.limit import Limit
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.minesweeper.agents.telling import MOST_CANDIDATES, SAFETY, overlay, percent
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.layout import HIDDEN
from ludex.games.minesweeper.notation import action_names
from ludex.games.minesweeper.options import NetOptions
from ludex.games.minesweeper.playing_net import PlayingNet
from ludex.games.minesweeper.position import View
from ludex.games.minesweeper.solver.probabilities import mine_probabilities
from ludex.games.minesweeper.solver.start import opening

_ALMOST = math.nextafter(1.0, 0.0)
"""The safety of a cell that a network has no doubt about: it proves nothing."""


class NetAgent:
    """Reveals the policy's first choice; begins where the solvers do, for one cell of an untouched board is as another
    to a network that has only seen boards in play."""

    def __init__(self, game: Minesweeper, options: NetOptions, name: str = "net") -> None:
        self.name = name
        self._game = game
        self._net = PlayingNet(options.net, options.symmetry, options.threads)
        self._names = action_names(game.rows, game.cols)
        self._opening = opening(game.rows, game.cols, game.mines, game.options.start)
        self._opening_safety = 1.0 if game.options.start != "none" else 1.0 - game.mines / game.cells

    def decide(self, view: View, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        hidden = view.numbers.reshape(-1) == HIDDEN
        reveals, value, mine = self._net.ask(view.numbers[None], view.mines)
        policy = _softmax(reveals.reshape(-1), hidden)
        mined = np.where(hidden, mine.reshape(-1).astype(np.float64), np.nan)
        begins = bool(hidden.all())
        cell = self._opening if begins else int(policy.argmax())
        best = [cell, *(one for one in np.argsort(-policy, kind="stable").tolist() if one != cell and hidden[one])]
        safety = percent(1.0 - float(mined[cell]))
        note = f"{self._names[cell]} is the network's first choice, {safety} safe as it sees it"
        if begins:
            note = f"{self._names[cell]} to begin with, as the solvers do"
        return Decision(
            action=cell,
            value=float(value[0]),
            candidates=tuple(
                Candidate(
                    one,
                    prob=float(policy[one]),
                    line=(one,),
                    terms={SAFETY: self._opening_safety if begins and one == cell else _safety(mined[one])},
                )
                for one in best[:MOST_CANDIDATES]
            ),
            stats={"how": "opening" if begins else "net", "win_probability": float(value[0])},
            note=note,
            # The exact probabilities decide nothing here: they are for whoever compares.
            overlay={"mine": overlay(mine_probabilities(view.numbers, view.mines).reshape(-1)), "net": overlay(mined)},
        )

    def choose(
        self,
        numbers: NDArray[np.int8],
        live: NDArray[np.bool_],
        states: NDArray[np.uint64],
        actions: NDArray[np.int64],
        safety: NDArray[np.float64],
    ) -> None:
        """The same on many boards, see `lane_agent`."""
        untouched = live & (numbers == HIDDEN).all((1, 2))
        actions[untouched], safety[untouched] = self._opening, self._opening_safety
        asked = np.flatnonzero(live & ~untouched)
        if len(asked) == 0:
            return
        boards = numbers[asked]
        reveals, _, mine = self._net.ask(boards, self._game.mines)
        hidden = boards.reshape(len(asked), -1) == HIDDEN
        cells = np.where(hidden, reveals.reshape(len(asked), -1), -np.inf).argmax(1)
        actions[asked] = cells
        mined = mine.reshape(len(asked), -1)[np.arange(len(asked)), cells]
        safety[asked] = np.minimum(1.0 - mined.astype(np.float64), _ALMOST)


def net(game: Minesweeper, options: NetOptions, services: Services, name: str) -> NetAgent:
    """The factory of `net`."""
    return NetAgent(game, options, name)


def _softmax(logits: NDArray[np.float32], hidden: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Probabilities over the hidden cells."""
    shown = np.where(hidden, logits.astype(np.float64), -np.inf)
    weights = np.exp(shown - shown.max())
    share: NDArray[np.float64] = weights / weights.sum()
    return share


def _safety(mined: float) -> float:
    return min(1.0 - float(mined), _ALMOST)
