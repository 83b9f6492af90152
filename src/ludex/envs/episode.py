"""One game after the other, as every adapter plays them."""

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ludex.core.errors import BadOption, DeclaredAbort, GameOver, IllegalAction
from ludex.core.game import Action, AnyGame, Mask, Player
from ludex.core.seeding import CHANCE, Rng, agent_stream, generator

Illegal: TypeAlias = Literal["raise", "penalty", "lose"]
"""What an action that the mask forbids does."""
Observed: TypeAlias = dict[str, NDArray[np.float32]]

PENALTY: Final = -1.0
ATTEMPTS: Final = 10
"""With penalties an episode is truncated after that multiple of the steps of its longest game."""


class Episode:
    """A game, its seed and the episode under way."""

    def __init__(self, game: AnyGame, illegal: Illegal, seed: int | None) -> None:
        if illegal not in get_args(Illegal):
            raise BadOption(f"illegal must be one of {', '.join(get_args(Illegal))}, found {illegal!r}")
        if seed is not None and not 0 <= seed < 1 << 128:
            raise BadOption(f"seed must be in 0..2**128-1, found {seed}")
        self.game = game
        self.illegal = illegal
        self.seed = seed
        self.number = -1
        self.state: Any = None
        self.steps = 0
        self.ply = 0
        self.scores: tuple[float, ...] | None = None
        """Of the episode that has ended; zeros where it ended without a score."""
        self.terminated = False
        self.truncated = False
        self.reason = ""

    @property
    def over(self) -> bool:
        return self.terminated or self.truncated

    def begin(self, seed: int | None, fallback: np.random.Generator) -> None:
        """Begin the next episode; seeding restarts the count."""
        if seed is not None or self.number < 0:
            next_seed = self.seed if seed is None else seed
            self.seed = int(fallback.integers(1 << 62)) if next_seed is None else next_seed
            self.number = -1
        self.number += 1
        self.ply = self.steps = 0
        self.scores, self.terminated, self.truncated, self.reason = None, False, False, ""
        self.state = self.game.initial(self._rng(CHANCE, 0))

    @property
    def mover(self) -> Player:
        return self.game.to_move(self.state)

    def mask(self) -> Mask:
        """bool[num_actions]; all False once the episode is over."""
        return self.game.legal(self.state) if not self.over else np.zeros(self.game.info.num_actions, np.bool_)

    def observe(self, player: Player) -> Observed:
        return as_floats(self.game.observe(self.game.view(self.state, player)))

    def agent_rng(self, player: Player) -> Rng:
        """The generator of a seat's agent in the coming ply."""
        assert self.seed is not None
        return self._rng(agent_stream(player), self.ply + 1)

    def step(self, action: Action) -> float | None:
        """Play an action; the penalty if it was illegal and only costs that."""
        if self.state is None or self.over:
            raise GameOver(f"action {action}: the episode has ended or not begun; call reset() first")
        self.steps += 1
        if not 0 <= action < self.game.info.num_actions or not self.game.legal(self.state)[action]:
            return self._punish(action)
        self.play(int(action))
        return None

    def play(self, action: Action) -> None:
        """Play a legal action."""
        self.ply += 1
        try:
            self.state = self.game.apply(self.state, action, self._rng(CHANCE, self.ply))
        except DeclaredAbort as abort:
            self.truncated, self.reason = True, abort.code
            self.scores = (0.0,) * self.game.info.players
            return
        outcome = self.game.outcome(self.state)
        if outcome is not None:
            self.scores, self.terminated, self.reason = outcome.scores, True, outcome.reason

    def _punish(self, action: Action) -> float | None:
        if self.illegal == "raise":
            raise IllegalAction(f"action {action} is illegal here; the mask says which are legal")
        if self.illegal == "lose":
            loser = self.mover
            self.scores = tuple(-1.0 if player == loser else 1.0 for player in range(self.game.info.players))
            self.terminated, self.reason = True, "illegal action"
            return None
        if self.steps >= ATTEMPTS * self.game.info.max_plies:
            self.truncated, self.reason = True, "too many illegal actions"
            self.scores = (0.0,) * self.game.info.players
        return PENALTY

    def _rng(self, stream: int, ply: int) -> Rng:
        assert self.seed is not None
        return generator(self.seed, ply, stream, episode=self.number)


def as_floats(observation: Mapping[str, NDArray[Any]]) -> Observed:
    """A game's arrays as float32, of at least one dimension; sb3 would take small boards in bytes for pictures."""
    return {name: np.atleast_1d(array).astype(np.float32) for name, array in observation.items()}


def observation_space(game: AnyGame) -> spaces.Dict:
    """The space of `as_floats`; games declare no bounds."""
    first = as_floats(game.observe(game.view(game.initial(generator(0, 0)), 0)))
    return spaces.Dict({name: spaces.Box(-np.inf, np.inf, array.shape, np.float32) for name, array in first.items()})
