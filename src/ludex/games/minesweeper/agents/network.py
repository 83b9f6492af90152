"""The network agent: a trained network through onnxruntime, without search."""

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.core.decision import Candidate, Decision
from ludex.core.game import Mask
from ludex.core.limit import Limit
from ludex.core.messages import Message, Parameter
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.minesweeper.agents.decisions import MOST_CANDIDATES, SAFETY, overlay, percent
from ludex.games.minesweeper.agents.options import NetOptions
from ludex.games.minesweeper.agents.search.start import opening
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.inference.probabilities import mine_probabilities
from ludex.games.minesweeper.rules.layout import HIDDEN
from ludex.games.minesweeper.rules.notation import action_names
from ludex.games.minesweeper.rules.position import View
from ludex.search.network import NetworkSession

SHIPPED: Final = "minesweeper.onnx"
INPUTS: Final = ("numbers", "mines")
OUTPUTS: Final = ("reveals", "value", "mine")
MOST_CELLS: Final = 16_384
"""Cells per inference call: more gains nothing and needs memory."""
FLIPS: Final[tuple[tuple[int, ...], ...]] = ((), (1,), (2,), (1, 2))


class Evaluation(NamedTuple):
    """The network's outputs for N boards."""

    reveals: NDArray[np.float32]
    """[N, H, W]: the logits of revealing each cell; those of revealed cells mean nothing."""
    value: NDArray[np.float32]
    """[N]: the win probability."""
    mine: NDArray[np.float32]
    """[N, H, W]: the probability that each cell is a mine; those of revealed cells mean nothing."""


class BoardEvaluator:
    """A network for boards of any size, averaged over symmetries if asked for."""

    def __init__(self, net: str = "", symmetry: bool = False, threads: int = 1) -> None:
        """`net` is the path of an .onnx file, or empty for the one that ships. Raises `BadNet` if it is none."""
        self._session = NetworkSession(
            net or SHIPPED,
            shipped=not net,
            inputs=dict.fromkeys(INPUTS),
            outputs=dict.fromkeys(OUTPUTS),
            threads=threads,
        )
        self._symmetry = symmetry

    def evaluate(self, numbers: NDArray[np.int8], mines: int) -> Evaluation:
        """Evaluate `numbers: int8[N, H, W]`, -1 where hidden, of boards with so many mines."""
        size = max(1, MOST_CELLS // numbers[0].size)
        parts = [self._average(numbers[first : first + size], mines) for first in range(0, len(numbers), size)]
        return Evaluation(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def _average(self, numbers: NDArray[np.int8], mines: int) -> Evaluation:
        if not self._symmetry:
            return self._infer(numbers, mines)
        square = numbers.shape[1] == numbers.shape[2]
        images = [(flip, turn) for turn in ((False, True) if square else (False,)) for flip in FLIPS]
        evaluations = [self._evaluate_image(numbers, mines, flip, turn) for flip, turn in images]
        return Evaluation(*(np.stack(column).mean(0) for column in zip(*evaluations, strict=True)))

    def _evaluate_image(self, numbers: NDArray[np.int8], mines: int, flip: tuple[int, ...], turn: bool) -> Evaluation:
        """The evaluation of a symmetric image, mapped back."""
        image = np.flip(numbers.transpose(0, 2, 1) if turn else numbers, flip)
        reveals, value, mine = self._infer(image, mines)
        planes = (np.flip(plane, flip) for plane in (reveals, mine))
        reveals, mine = (plane.transpose(0, 2, 1) if turn else plane for plane in planes)
        return Evaluation(reveals, value, mine)

    def _infer(self, numbers: NDArray[np.int8], mines: int) -> Evaluation:
        given = np.ascontiguousarray(numbers, np.float32), np.full(len(numbers), mines, np.float32)
        return Evaluation(*self._session.run(*given))


_ALMOST = math.nextafter(1.0, 0.0)
"""The safety of a cell that a network has no doubt about: it proves nothing."""


class NetAgent:
    """Reveals the policy's first choice; opens where the solvers do, since training shows it only boards in play."""

    def __init__(self, game: Minesweeper, options: NetOptions, name: str = "net") -> None:
        self.name = name
        self._game = game
        self._net = BoardEvaluator(options.net, options.symmetry, options.threads)
        self._names = action_names(game.rows, game.cols)
        self._opening = opening(game.rows, game.cols, game.mines, game.options.start)
        self._opening_safety = 1.0 if game.options.start != "none" else 1.0 - game.mines / game.cells

    def decide(self, view: View, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        hidden = view.numbers.reshape(-1) == HIDDEN
        reveals, value, mine = self._net.evaluate(view.numbers[None], view.mines)
        policy = _softmax(reveals.reshape(-1), hidden)
        mined = np.where(hidden, mine.reshape(-1).astype(np.float64), np.nan)
        begins = bool(hidden.all())
        cell = self._opening if begins else int(policy.argmax())
        best = [cell, *(one for one in np.argsort(-policy, kind="stable").tolist() if one != cell and hidden[one])]
        named: dict[str, Parameter] = {"cell": self._names[cell], "safety": percent(1.0 - float(mined[cell]))}
        reason = Message("minesweeper.net_begin" if begins else "minesweeper.net", named, (cell,))
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
            explanation=(reason,),
            # The exact probabilities do not affect the move: they are shown for comparison.
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
        """The same on many boards, see `LaneAgent`."""
        untouched = live & (numbers == HIDDEN).all((1, 2))
        actions[untouched], safety[untouched] = self._opening, self._opening_safety
        lanes = np.flatnonzero(live & ~untouched)
        if len(lanes) == 0:
            return
        boards = numbers[lanes]
        reveals, _, mine = self._net.evaluate(boards, self._game.mines)
        hidden = boards.reshape(len(lanes), -1) == HIDDEN
        cells = np.where(hidden, reveals.reshape(len(lanes), -1), -np.inf).argmax(1)
        actions[lanes] = cells
        mined = mine.reshape(len(lanes), -1)[np.arange(len(lanes)), cells]
        safety[lanes] = np.minimum(1.0 - mined.astype(np.float64), _ALMOST)


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
