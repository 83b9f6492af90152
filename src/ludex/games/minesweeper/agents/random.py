"""The agent that reveals random cells: the original document's first baseline."""

import numpy as np
from numpy.typing import NDArray

from ludex.core.decision import Candidate, Decision
from ludex.core.game import Mask, legal_actions
from ludex.core.limit import Limit
from ludex.core.messages import Message
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.games.minesweeper.agents.lane_agent import LaneTurn
from ludex.games.minesweeper.agents.options import RandomOptions
from ludex.games.minesweeper.game import Minesweeper
from ludex.games.minesweeper.rules.layout import HIDDEN, Numbers, States
from ludex.games.minesweeper.rules.position import View
from ludex.kernels.jit import draw_below, kernel


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
        chosen = draw_below(states, lane, 2 * hidden if flags else hidden)
        left = chosen % hidden
        for cell in range(size):
            if numbers[lane, cell] == HIDDEN:
                if left == 0:
                    actions[lane] = cell + size * (chosen // hidden)
                    break
                left -= 1
