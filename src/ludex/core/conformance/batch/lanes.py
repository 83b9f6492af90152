"""The single game beside every lane of a batch environment, with the same words."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.core.batch import Info
from ludex.core.conformance.walk.trial import PROBE
from ludex.core.errors import DeclaredAbort
from ludex.core.game import Action, AnyGame, Observation, Outcome, Player, legal_actions
from ludex.core.seeding import CHANCE, generator


@dataclass(frozen=True, slots=True)
class Ending:
    """How an episode ended in this step."""

    state: Any
    """The last position."""
    ply: int
    outcome: Outcome


class Lane:
    """One single game, played over and over."""

    def __init__(self, game: AnyGame, seed: int, index: int) -> None:
        self.game = game
        self.seed = seed
        self.index = index
        self.episode = -1
        self.ending: Ending | None = None
        """Set when the last step ended an episode."""
        self.mover: Player = 0
        """Who made the last step."""
        self._begin()

    @property
    def observation(self) -> Observation:
        return self.game.observe(self.game.view(self.state, self.player))

    @property
    def player(self) -> Player:
        return self.game.to_move(self.state)

    @property
    def mask(self) -> NDArray[np.bool_]:
        return self.game.legal(self.state)

    def choose(self, step: int) -> Action | None:
        """A legal action that does not abort, or None: the contract leaves open what a batch does with an abort."""
        actions = legal_actions(self.mask)
        generator(self.seed, step, PROBE, lane=self.index).shuffle(actions)
        return next((action for action in actions if self._after(action) is not None), None)

    def step(self, action: Action) -> None:
        """One ply; a game that ends begins again."""
        self.mover = self.player
        self.state = self._after(action)
        self.ply += 1
        outcome = self.game.outcome(self.state)
        self.ending = None if outcome is None else Ending(self.state, self.ply, outcome)
        if self.ending is not None:
            self._begin()

    def _begin(self) -> None:
        self.episode += 1
        self.ply = 0
        self.state = self.game.initial(generator(self.seed, 0, CHANCE, lane=self.index, episode=self.episode))

    def _after(self, action: Action) -> Any:
        rng = generator(self.seed, self.ply + 1, CHANCE, lane=self.index, episode=self.episode)
        try:
            return self.game.apply(self.state, action, rng)
        except DeclaredAbort:
            return None


class Shadow:
    """The single games beside all lanes."""

    def __init__(self, game: AnyGame, seed: int, num_lanes: int) -> None:
        self.game = game
        self.lanes = [Lane(game, seed, index) for index in range(num_lanes)]

    def choose(self, step: int) -> NDArray[np.int64] | None:
        """A legal action for every lane, or None if one has none but aborts."""
        actions = [lane.choose(step) for lane in self.lanes]
        return None if None in actions else np.array(actions, np.int64)

    def step(self, actions: NDArray[np.int64]) -> None:
        for lane, action in zip(self.lanes, actions, strict=True):
            lane.step(int(action))


@dataclass(frozen=True, slots=True)
class Moment:
    """What the environment returned, and the single games it should be equal to."""

    shadow: Shadow
    obs: Observation
    info: Info
    reward: Any = None
    terminated: Any = None
    truncated: Any = None
    """These three are None after a reset."""

    @property
    def lanes(self) -> list[Lane]:
        return self.shadow.lanes

    @property
    def running(self) -> list[Lane]:
        """Lanes in the middle of an episode."""
        return [lane for lane in self.lanes if lane.ending is None]

    @property
    def begun(self) -> list[Lane]:
        """Lanes whose episode was begun by the last step."""
        return [lane for lane in self.lanes if lane.ending is not None]
