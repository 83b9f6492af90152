"""The single game beside lanes and packed positions, and the one comparator of what they answer."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.core.compiled import RUNNING, CompiledRules, Vector
from ludex.core.conformance.walk import PROBE
from ludex.core.errors import DeclaredAbort
from ludex.core.game import Action, AnyGame, Observation, Outcome, Player, legal_actions
from ludex.core.seeding import CHANCE, Rng, generator

Evaluation = Callable[[AnyGame, Any, Player], float]


def compare(what: str, actual: Any, expected: Any, tolerance: float = 0.0) -> Iterator[str]:
    """Yields how an answer differs from that of the single game: names, shape, then the first different entry.

    >>> list(compare("the mask", np.array([1, 0]), np.array([True, True])))
    ['the mask[1] is 0, expected True']
    """
    if isinstance(expected, Mapping):
        if actual.keys() != expected.keys():
            yield f"{what} has {sorted(actual)}, expected {sorted(expected)}"
            return
        for name, value in expected.items():
            yield from compare(f"{what}[{name!r}]", actual[name], value, tolerance)
    elif isinstance(expected, np.ndarray):
        if actual.shape != expected.shape:
            yield f"{what} is of shape {list(actual.shape)}, expected {list(expected.shape)}"
            return
        different = np.argwhere(actual != expected)
        if len(different):
            index = tuple(int(axis) for axis in different[0])
            place = f"[{', '.join(map(str, index))}]" if index else ""
            yield f"{what}{place} is {actual[index]}, expected {expected[index]}"
    elif actual != expected and not (tolerance and math.isclose(actual, expected, abs_tol=tolerance)):
        yield f"{what} is {actual}, expected {expected}"


def compare_form(what: str, array: Any, dtype: Any, shape: tuple[int, ...]) -> Iterator[str]:
    """Yields how the type or the shape of an array differs."""
    if not isinstance(array, np.ndarray) or array.dtype != dtype or array.shape != shape:
        actual = f"{array.dtype}{list(array.shape)}" if isinstance(array, np.ndarray) else type(array).__name__
        yield f"{what} is {actual}, expected {np.dtype(dtype)}{list(shape)}"


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
        self.state: Any
        self.ending: Ending | None = None
        """Set when the last step ended an episode."""
        self.mover: Player = 0
        """Who made the last step."""
        self._begin()

    @property
    def where(self) -> str:
        return f"lane {self.index} at episode {self.episode} ply {self.ply}"

    @property
    def observation(self) -> Observation:
        return self.game.observe(self.game.view(self.state, self.game.to_move(self.state)))

    @property
    def player(self) -> np.int8:
        return np.int8(self.game.to_move(self.state))

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
        self.mover = self.game.to_move(self.state)
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

    def observe(self, state: Vector, fill: float = 0.0) -> NDArray[np.float32]:
        """The flat observation, over what was in the array before."""
        out = np.full(int(np.prod(self.rules.observation_shape)), fill, np.float32)
        self.rules.observe(self.rules.constants, state, out)
        return out

    def ownership(self, state: Vector, player: Player, fill: int = 0) -> NDArray[np.int8]:
        """int8[K, H * W] as a player sees it, over what was in the array before."""
        rules, declared = self.rules, self.rules.ownership
        assert declared is not None
        _, height, width = rules.observation_shape
        out = np.full(declared.planes * height * width, fill, np.int8)
        declared.write(rules.constants, state, player, out)
        return out.reshape(declared.planes, -1)

    def answers(self, state: Vector) -> dict[str, Any]:
        """What the rules say of a packed position."""
        rules = self.rules
        count, mask = self.legal(state)
        outcome, player = rules.outcome(rules.constants, state), rules.player(rules.constants, state)
        mover = player if outcome == RUNNING else None
        return {"count": count, "mask": mask, "outcome": outcome, "player": mover, "observation": self.observe(state)}

    def play(self, action: Action) -> None:
        symmetries, orientation = self.rules.symmetries, self.orientation
        for number, image in enumerate(self.images):
            assert symmetries is not None
            output = symmetries.actions[number, orientation[action]]
            self.rules.apply(self.rules.constants, image, int(np.flatnonzero(orientation == output)[0]))
        self.rules.apply(self.rules.constants, self.state, action)
        self.position = self.game.apply(self.position, action, Rng(0))
