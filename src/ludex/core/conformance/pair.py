"""A position of the contract beside the packed one: what compiled rules are compared by."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.core.compiled import CompiledRules, Vector
from ludex.core.game import Action, AnyGame, Player
from ludex.core.seeding import Rng

Evaluation = Callable[[AnyGame, Any, Player], float]


class Pair:
    """A position of the contract and the packed one that was reached by the same actions."""

    def __init__(self, game: AnyGame, rules: CompiledRules, evaluation: Evaluation | None = None) -> None:
        self.game = game
        self.evaluation = evaluation
        self.rules = rules
        self.position: Any = game.initial(Rng(0))
        self.state = np.full(rules.state_size, -1, np.int64)
        rules.reset(rules.constants, self.state)
        images = 0 if rules.symmetries is None else len(rules.symmetries.actions)
        self.images = [self.state.copy() for _ in range(images)]
        """The packed positions reached by the images of the actions."""

    @property
    def live(self) -> bool:
        return self.game.outcome(self.position) is None

    @property
    def orientation(self) -> Vector:
        """The outputs of the mover's actions."""
        if self.rules.orientation is None:
            return np.arange(self.rules.action_size)
        row: Vector = self.rules.orientation[self.game.to_move(self.position) if self.live else 0]
        return row

    def legal(self, state: Vector) -> tuple[int, NDArray[np.uint8]]:
        mask = np.full(self.rules.action_size, 7, np.uint8)
        return int(self.rules.legal(self.rules.constants, state, mask)), mask

    def observed(self, state: Vector, fill: float = 0.0) -> NDArray[np.float32]:
        """The flat observation, over what was in the array before."""
        out = np.full(int(np.prod(self.rules.observation_shape)), fill, np.float32)
        self.rules.observe(self.rules.constants, state, out)
        return out

    def play(self, action: Action) -> None:
        symmetries, orientation = self.rules.symmetries, self.orientation
        for number, image in enumerate(self.images):
            assert symmetries is not None
            output = symmetries.actions[number, orientation[action]]
            self.rules.apply(self.rules.constants, image, int(np.flatnonzero(orientation == output)[0]))
        self.rules.apply(self.rules.constants, self.state, action)
        self.position = self.game.apply(self.position, action, Rng(0))
