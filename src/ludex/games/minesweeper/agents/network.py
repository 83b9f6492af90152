"""The network agent: a trained network through onnxruntime, without search."""

import math
from collections.abc import Mapping
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ludex.core.decision import Candidate, Decision
from ludex.core.errors import BadNet
from ludex.core.game import Mask
from ludex.core.limit import Limit
from ludex.core.messages import Message, Parameter
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.minesweeper.agents.decisions import MOST_CANDIDATES, SAFETY, beginning_of, overlay, percent
from ludex.games.minesweeper.agents.solving import LaneTurn
from ludex.games.minesweeper.env.config import FLAGGED, EnvRules
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.options import NetOptions
from ludex.games.minesweeper.rules.inference.probabilities import mine_probabilities
from ludex.games.minesweeper.rules.layout import HIDDEN, Numbers
from ludex.games.minesweeper.rules.notation import action_names
from ludex.games.minesweeper.rules.position import View
from ludex.learn.config import Config
from ludex.search.network import NetworkSession

SHIPPED: Final = "minesweeper.onnx"
INPUTS: Final = ("numbers", "mines")
MOST_CELLS: Final = 16_384
"""Cells per inference call: more gains nothing and needs memory."""
FLIPS: Final[tuple[tuple[int, ...], ...]] = ((), (-2,), (-1,), (-2, -1))


class PlayStyle(Config):
    """How the agent of a run plays: as the run was judged."""

    flags: bool = False
    """It sets and removes flags."""
    keep_flags: bool = False
    """It never removes one."""
    random_first_click: bool = False
    """It opens any cell, each equally likely, instead of the solvers' opening."""
    frontier_mask: bool = False
    """It reveals frontier cells only, while there are any."""

    @classmethod
    def of(cls, env: EnvRules) -> Self:
        """How an agent plays that was judged in this environment."""
        shared = {name: getattr(env, name) for name in cls.model_fields if name != "flags"}
        return cls(flags=not env.reveal_only, **shared)


def outputs_of(style: PlayStyle) -> tuple[str, ...]:
    """What a network's file has: the logits of flags only if it plays with flags."""
    return ("reveals", *(("flags",) if style.flags else ()), "value", "mine")


def style_metadata(style: PlayStyle) -> dict[str, str]:
    """How a network plays, as the metadata of its file."""
    return {name: str(value).lower() for name, value in style.model_dump().items()}


def style_of(metadata: Mapping[str, str], source: str) -> PlayStyle:
    """How a network plays, from the metadata of its file; a file without it plays without flags. Raises `BadNet`."""
    flags = {name: text for name, text in metadata.items() if name in PlayStyle.model_fields}
    for name, text in flags.items():
        if text not in ("true", "false"):
            raise BadNet(f"{source}: metadata {name!r}: expected true or false, found {text!r}")
    return PlayStyle.model_validate_strings(flags)


class Evaluation(NamedTuple):
    """The network's outputs for N boards."""

    actions: NDArray[np.float32]
    """[N, 1 or 2, H, W]: the logits of revealing each cell and, if it plays with flags, of its flag; those of revealed
    cells mean nothing."""
    value: NDArray[np.float32]
    """[N]: the win probability."""
    mine: NDArray[np.float32]
    """[N, H, W]: the probability that each cell is a mine; those of revealed cells mean nothing."""


class BoardEvaluator:
    """A network for boards of any size, averaged over symmetries if asked for."""

    def __init__(self, net: str = "", symmetry: bool = False, threads: int = 1) -> None:
        """`net` is the path of an .onnx file, or empty for the one that ships. Raises `BadNet` if it is none."""
        source = net or SHIPPED
        self._session = NetworkSession(
            source,
            shipped=not net,
            inputs=dict.fromkeys(INPUTS),
            outputs=lambda metadata: dict.fromkeys(outputs_of(style_of(metadata, source))),
            threads=threads,
        )
        self.style = style_of(self._session.metadata, source)
        self._symmetry = symmetry

    def evaluate(self, numbers: Numbers, mines: int) -> Evaluation:
        """Evaluate `numbers: int8[N, H, W]` of boards with so many mines: -1 where hidden, `FLAGGED` with a flag."""
        size = max(1, MOST_CELLS // numbers[0].size)
        parts = [self._average(numbers[first : first + size], mines) for first in range(0, len(numbers), size)]
        return Evaluation(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def _average(self, numbers: Numbers, mines: int) -> Evaluation:
        if not self._symmetry:
            return self._infer(numbers, mines)
        turns = (False, True) if numbers.shape[1] == numbers.shape[2] else (False,)
        evaluations = [self._evaluate_image(numbers, mines, flip, turn) for turn in turns for flip in FLIPS]
        return Evaluation(*(np.stack(column).mean(0) for column in zip(*evaluations, strict=True)))

    def _evaluate_image(self, numbers: Numbers, mines: int, flip: tuple[int, ...], turn: bool) -> Evaluation:
        """The evaluation of a symmetric image, mapped back."""
        image = np.flip(numbers.swapaxes(1, 2) if turn else numbers, flip)
        actions, value, mine = self._infer(image, mines)
        planes = (np.flip(plane, flip) for plane in (actions, mine))
        actions, mine = (plane.swapaxes(-1, -2) if turn else plane for plane in planes)
        return Evaluation(actions, value, mine)

    def _infer(self, numbers: Numbers, mines: int) -> Evaluation:
        inputs = np.ascontiguousarray(numbers, np.float32), np.full(len(numbers), mines, np.float32)
        *actions, value, mine = self._session.run(*inputs)
        return Evaluation(np.stack(actions, axis=1), value, mine)


_ALMOST = math.nextafter(1.0, 0.0)
"""The safety of a cell that a network has no doubt about: it proves nothing."""


class NetAgent:
    """Plays the policy's first choice as its run was judged: with flags or without, from the same first cell.

    A network that was trained on boards in play opens where the solvers do.
    """

    def __init__(self, game: Minesweeper, options: NetOptions, name: str = "net") -> None:
        self.name = name
        self._game = game
        self._net = BoardEvaluator(options.net, options.symmetry, options.threads)
        self.reads_flags = self._net.style.flags
        self._names = action_names(game.rows, game.cols)
        self._opening, self._opening_safety = beginning_of(game)
        # Without a safe first cell an environment of training opens as the solvers do too.
        self._opens_anywhere = self._net.style.random_first_click and game.options.start != "none"

    def decide(self, view: View, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        hidden, cells = view.numbers.reshape(-1) == HIDDEN, self._game.cells
        board = np.where(view.flags, np.int8(FLAGGED), view.numbers) if self.reads_flags else view.numbers
        actions, value, mine = self._net.evaluate(board[None], view.mines)
        policy = _softmax(self._mask_logits(board[None], actions)[0])
        mined = np.where(hidden, mine.reshape(-1).astype(np.float64), np.nan)
        begins = bool(hidden.all()) and not view.flags.any()
        first = self._first_cell(rng) if view.start_cell is None else view.start_cell
        action = first if begins else int(policy.argmax())
        order = np.argsort(-policy, kind="stable").tolist()
        best = [action, *(other for other in order if other != action and policy[other] > 0.0 and legal[other])]
        parameters: dict[str, Parameter] = {
            "cell": self._names[action % cells],
            "safety": percent(1.0 - float(mined[action % cells])),
        }
        reason = Message(self._reason(action, begins), parameters, (action % cells,))
        return Decision(
            action=action,
            value=float(value[0]),
            candidates=tuple(
                Candidate(
                    other,
                    prob=float(policy[other]),
                    line=(other,),
                    terms={SAFETY: self._opening_safety if begins and other == action else _safety(mined[other])}
                    if other < cells
                    else {},
                )
                for other in best[:MOST_CANDIDATES]
            ),
            stats={"how": "opening" if begins else "net", "win_probability": float(value[0])},
            explanation=(reason,),
            # The exact probabilities do not affect the move: they are shown for comparison.
            overlay={"mine": overlay(mine_probabilities(view.numbers, view.mines).reshape(-1)), "net": overlay(mined)},
        )

    def choose(self, turn: LaneTurn) -> None:
        """The same on many boards, see `LaneAgent`."""
        untouched = turn.live & (turn.numbers == HIDDEN).all((1, 2))
        for lane in np.flatnonzero(untouched).tolist():
            turn.actions[lane], turn.safety[lane] = self._first_cell(Rng(int(turn.states[lane]))), self._opening_safety
        lanes = np.flatnonzero(turn.live & ~untouched)
        if len(lanes) == 0:
            return
        boards = turn.numbers[lanes]
        logits, _, mine = self._net.evaluate(boards, self._game.mines)
        choices, cells = self._mask_logits(boards, logits).argmax(1), self._game.cells
        turn.actions[lanes] = choices
        mined = mine.reshape(len(lanes), -1)[np.arange(len(lanes)), choices % cells].astype(np.float64)
        turn.safety[lanes] = np.where(choices < cells, np.minimum(1.0 - mined, _ALMOST), 1.0)

    def _first_cell(self, rng: Rng) -> int:
        return rng.below(self._game.cells) if self._opens_anywhere else self._opening

    def _reason(self, action: int, begins: bool) -> str:
        if action >= self._game.cells:
            return "minesweeper.net_flag"
        if not begins:
            return "minesweeper.net"
        return "minesweeper.net_begin_anywhere" if self._opens_anywhere else "minesweeper.net_begin"

    def _mask_logits(self, boards: NDArray[np.int8], actions: NDArray[np.float32]) -> NDArray[np.float32]:
        """float32[N, actions]: the logits, minus infinity where the run masked an action."""
        hidden, style = boards < 0, self._net.style
        allowed = np.repeat(hidden[:, None], actions.shape[1], axis=1)
        if style.frontier_mask:
            frontier = hidden & beside(~hidden)
            allowed[:, 0] = np.where(frontier.any((1, 2), keepdims=True), frontier, hidden)
        if style.flags and style.keep_flags:
            allowed[:, 1] &= boards != FLAGGED
        return np.where(allowed, actions, -np.inf).reshape(len(boards), -1)


def beside(marked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """bool[N, H, W]: cells of which a neighbour is marked, or which are themselves."""
    rows, cols = marked.shape[1:]
    wide = np.pad(marked, ((0, 0), (1, 1), (1, 1)))
    shifts = [wide[:, row : row + rows, col : col + cols] for row in range(3) for col in range(3)]
    near: NDArray[np.bool_] = np.logical_or.reduce(shifts)
    return near


def net(game: Minesweeper, options: NetOptions, services: Services, name: str) -> NetAgent:
    """The factory of `net`."""
    return NetAgent(game, options, name)


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    """Probabilities of the actions that are not masked."""
    weights = np.exp(logits.astype(np.float64) - logits.max())
    share: NDArray[np.float64] = weights / weights.sum()
    return share


def _safety(mined: float) -> float:
    return min(1.0 - float(mined), _ALMOST)
