"""The agents without lookahead: chance, rules, the safest cell. Openings and proven cells first; guesses differ."""

import math
from abc import ABC, abstractmethod
from typing import Final, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ludex.core.decision import Candidate, Decision
from ludex.core.game import Mask, legal_actions
from ludex.core.limit import Limit
from ludex.core.messages import Message, Parameter
from ludex.core.options import NoOptions
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.minesweeper.agents.decisions import SolverContext, decide_guess, decide_opening, decide_proven, percent
from ludex.games.minesweeper.env.buffers import REST
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.options import RandomOptions, RulesOptions
from ludex.games.minesweeper.rules.inference.forced_moves import MINE, UNKNOWN, proofs
from ludex.games.minesweeper.rules.inference.probabilities import assess, refuse, safe_by_rule, safest, untouched
from ludex.games.minesweeper.rules.inference.workspace import Workspace
from ludex.games.minesweeper.rules.layout import DEGREE, HIDDEN, Numbers, States
from ludex.games.minesweeper.rules.position import View
from ludex.kernels.jit import draw_below, kernel, to_index


class LaneTurn(NamedTuple):
    """The boards of N lanes, and room for what an agent chooses there."""

    numbers: NDArray[np.int8]
    """[N, H, W], -1 where a cell is hidden."""
    live: NDArray[np.bool_]
    """[N]: the lanes in which to choose."""
    states: NDArray[np.uint64]
    """[N]: the generators that `decide` would be given; they may be used up."""
    actions: NDArray[np.int64]
    """[N]: the index of a reveal or a flag, or `REST` to give up."""
    safety: NDArray[np.float64]
    """[N]: 1.0 for a reveal that is proven safe, else the probability that it is, NaN if the agent does not know."""


@runtime_checkable
class LaneAgent(Protocol):
    """An agent that chooses, lane by lane, what its `decide` would choose in that game."""

    def choose(self, turn: LaneTurn) -> None:
        """Fill `actions` and `safety` of the live lanes, and leave the other lanes alone."""
        ...


UNDECIDED: Final = -2
"""Stands for the action of a lane where rules prove no safe cell."""


def safety_of(probability: float) -> float:
    """How safe a cell is that is a mine with this probability; 1.0 only if it certainly is none.

    >>> safety_of(0.0), safety_of(1e-300) < 1.0
    (1.0, True)
    """
    return 1.0 if probability == 0.0 else min(1.0 - float(probability), math.nextafter(1.0, 0.0))


class SolvingAgent(ABC):
    """Reveals what the rules prove safe; where they prove nothing, `guess` decides."""

    def __init__(self, game: Minesweeper, name: str, *, pairs: bool = True) -> None:
        """With `pairs`, numbers are also compared two by two."""
        self.name = name
        self.pairs = pairs
        self.context = SolverContext(game)

    @abstractmethod
    def guess(self, numbers: Numbers, rng: Rng) -> tuple[int, float]:
        """A cell of int8[HW] and how safe it is, 1.0 if that is certain; or `REST` to give up.

        `context.work.known` holds all that the rules prove of this position.
        """

    @abstractmethod
    def explain(self, numbers: Numbers, cell: int, safety: float) -> Decision:
        """The guess just made as a decision, with its explanation."""

    def decide(self, view: View, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        context, numbers = self.context, self.context.numbers(view)
        if untouched(numbers):
            return decide_opening(context, view)
        cell, safety = safe_by_rule(numbers, context.work, self.pairs), 1.0
        if cell < 0:
            cell, safety = self.guess(numbers, rng)
        if safety == 1.0:
            return decide_proven(context, view.numbers, cell, proofs(view.numbers, self.pairs))
        return self.explain(numbers, cell, safety)

    def choose(self, turn: LaneTurn) -> None:
        """The same on many boards, see `LaneAgent`. Guesses are rare, and made one by one."""
        work, rows = self.context.work, turn.numbers.reshape(len(turn.numbers), -1)
        settle_lanes(rows, turn.live, work, self.pairs, *self.context.beginning, turn.actions, turn.safety)
        for lane in np.flatnonzero(turn.live & (turn.actions == UNDECIDED)).tolist():
            row = rows[lane].copy()
            safe_by_rule(row, work, self.pairs)
            turn.actions[lane], turn.safety[lane] = self.guess(row, Rng(int(turn.states[lane])))


@kernel
def settle_lanes(
    numbers: Numbers,
    live: NDArray[np.bool_],
    work: Workspace,
    pairs: bool,
    opening: int,
    opening_safety: float,
    actions: NDArray[np.int64],
    safety: NDArray[np.float64],
) -> None:
    """Open untouched boards, reveal what rules prove safe, and leave the other live lanes UNDECIDED."""
    for lane in range(len(numbers)):
        if not live[lane]:
            continue
        if untouched(numbers[lane]):
            actions[lane], safety[lane] = opening, opening_safety
            continue
        cell = safe_by_rule(numbers[lane], work, pairs)
        actions[lane], safety[lane] = (cell if cell >= 0 else UNDECIDED), 1.0


class RulesAgent(SolvingAgent):
    """Reveals what the rules prove safe. Where nothing is, it gives up, or guesses any cell that is no proven mine.

    The rules are the original document's two; with `pairs` numbers are also compared two by two.
    """

    def __init__(self, game: Minesweeper, guesses: bool = False, pairs: bool = False, name: str = "rules") -> None:
        super().__init__(game, name, pairs=pairs)
        self._guesses = guesses

    def guess(self, numbers: Numbers, rng: Rng) -> tuple[int, float]:
        return (rng.choice(self._open(numbers)) if self._guesses else REST), np.nan

    def explain(self, numbers: Numbers, cell: int, safety: float) -> Decision:
        cells = self._open(numbers)
        if cell == REST:
            reason = Message("minesweeper.no_proof")
            return Decision(action=cells[0], stats={"how": "stuck"}, explanation=(reason,), resigns=True)
        share = 1.0 / len(cells)
        return Decision(
            action=cell,
            candidates=tuple(Candidate(action, prob=share, line=(action,)) for action in cells),
            stats={"how": "guess"},
            explanation=(Message("minesweeper.no_proof_guess", {"cell": self.context.names[cell]}, (cell,)),),
        )

    def _open(self, numbers: Numbers) -> list[int]:
        """The hidden cells that are no proven mines."""
        forced = proofs(numbers.reshape(self.context.rows, self.context.cols), self.pairs)
        mines = {move.cell for move in forced if move.kind == "flag"}
        return [cell for cell in np.flatnonzero(numbers == HIDDEN).tolist() if cell not in mines]


def rules(game: Minesweeper, options: RulesOptions, services: Services, name: str) -> RulesAgent:
    """The factory of `rules`."""
    return RulesAgent(game, options.guess == "uniform", options.pairs, name)


class SafestAgent(SolvingAgent):
    """Guesses the cell that is a mine least probably, by some estimate."""

    reason: str
    """The message that explains a guess."""

    @abstractmethod
    def estimate(self, numbers: Numbers) -> None:
        """Fill `context.probability` with how probably each hidden cell of int8[HW] is a mine."""

    def guess(self, numbers: Numbers, rng: Rng) -> tuple[int, float]:
        self.estimate(numbers)
        cell = safest(numbers, self.context.probability)
        return cell, safety_of(self.context.probability[cell])

    def explain(self, numbers: Numbers, cell: int, safety: float) -> Decision:
        parameters: dict[str, Parameter] = {"cell": self.context.names[cell], "safety": percent(safety)}
        explanation = Message(self.reason, parameters, (cell,))
        return decide_guess(self.context, cell, self.context.probability, explanation=explanation)


class ExactAgent(SafestAgent):
    """Reveals a cell that is safe for certain, else the one that is a mine least probably."""

    reason = "minesweeper.exact"

    def __init__(self, game: Minesweeper, name: str = "exact") -> None:
        super().__init__(game, name)

    def estimate(self, numbers: Numbers) -> None:
        context = self.context
        log_count = assess(numbers, context.mines, context.work, context.probability)
        refuse(log_count, numbers.reshape(context.rows, context.cols), context.mines)


def exact(game: Minesweeper, options: NoOptions, services: Services, name: str) -> ExactAgent:
    """The factory of `exact`."""
    return ExactAgent(game, name)


class HeuristicAgent(SafestAgent):
    """Reveals what the rules prove safe, else the cell whose worst neighbouring number leaves it the safest.

    So people guess: it is the original document's third baseline.
    """

    reason = "minesweeper.heuristic"

    def __init__(self, game: Minesweeper, name: str = "heuristic") -> None:
        super().__init__(game, name)

    def estimate(self, numbers: Numbers) -> None:
        guess_locally(numbers, self.context.mines, self.context.work, self.context.probability)


def heuristic(game: Minesweeper, options: NoOptions, services: Services, name: str) -> HeuristicAgent:
    """The factory of `heuristic`."""
    return HeuristicAgent(game, name)


@kernel
def guess_locally(numbers: Numbers, mines: int, work: Workspace, probability: NDArray[np.float64]) -> None:
    """Estimate every hidden cell by its worst neighbouring number alone, after the rules; elsewhere by what is left."""
    left, unknown = mines, 0
    for cell in range(len(numbers)):
        probability[cell] = np.nan
        if numbers[cell] == HIDDEN:
            left -= work.known[cell] == MINE
            unknown += work.known[cell] == UNKNOWN
            probability[cell] = 1.0 if work.known[cell] == MINE else -1.0
    for cell in range(len(numbers)):
        if numbers[cell] == HIDDEN:
            continue
        need, around = to_index(numbers[cell]), 0
        for i in range(work.near[cell, DEGREE]):
            other = work.near[cell, i]
            if numbers[other] == HIDDEN:
                need -= work.known[other] == MINE
                around += work.known[other] == UNKNOWN
        for i in range(work.near[cell, DEGREE]):
            other = work.near[cell, i]
            if numbers[other] == HIDDEN and work.known[other] == UNKNOWN:
                probability[other] = max(probability[other], need / around)
    for cell in range(len(numbers)):
        if probability[cell] == -1.0:
            probability[cell] = min(1.0, max(0.0, left / unknown))


class RandomAgent:
    """Reveals any hidden cell, each equally likely; with `flags` it toggles flags as well."""

    def __init__(self, flags: bool = False, name: str = "random") -> None:
        self.name = name
        self._flags = flags

    def decide(self, view: View, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        actions = legal_actions(legal if self._flags else legal[: view.rows * view.cols])
        share = 1.0 / len(actions)
        return Decision(
            action=rng.choice(actions),
            candidates=tuple(Candidate(action, prob=share, line=(action,)) for action in actions),
            explanation=(Message("ludex.by_chance" if self._flags else "minesweeper.by_chance"),),
        )

    def choose(self, turn: LaneTurn) -> None:
        """The same on many boards, see `LaneAgent`."""
        _choose(turn.numbers.reshape(len(turn.numbers), -1), turn.live, turn.states, self._flags, turn.actions)
        turn.safety[turn.live] = np.nan


def random(game: Minesweeper, options: RandomOptions, services: Services, name: str) -> RandomAgent:
    """The factory of `random`."""
    return RandomAgent(options.flags, name)


@kernel
def _choose(numbers: Numbers, live: NDArray[np.bool_], states: States, flags: bool, actions: NDArray[np.int64]) -> None:
    """A hidden cell, or with `flags` its reveal or its flag, of every live lane; `numbers: int8[N, HW]`."""
    size = numbers.shape[1]
    for lane in range(len(numbers)):
        if not live[lane]:
            continue
        hidden = 0
        for cell in range(size):
            hidden += numbers[lane, cell] == HIDDEN
        choice = draw_below(states, lane, 2 * hidden if flags else hidden)
        left = choice % hidden
        for cell in range(size):
            if numbers[lane, cell] == HIDDEN:
                if left == 0:
                    actions[lane] = cell + size * (choice // hidden)
                    break
                left -= 1
