"""The rules of a game as compiled functions over packed positions, for batches and for searches in kernels.

A packed position is an int64 vector of `state_size` numbers. Every function takes the numbers of the board first,
`constants`, so that one compilation serves all boards of a game, and works in place. They are kernels
(`ludex.kernels.jit.kernel`) over arrays of these types, without Python objects:

    reset(constants, state)                    the first position
    apply(constants, state, action)            one legal action; it is not checked
    legal(constants, state, mask) -> int       write uint8[action_size]; how many are legal; none in a finished game
    outcome(constants, state) -> float         RUNNING, or the score of player 0: any number in -1..1
    player(constants, state) -> int            whose turn it is, 0 or 1
    observe(constants, state, out)             write float32[C * H * W], every cell, as the player to move sees it

Two more are optional: `CompiledRules.estimate` and `Ownership.write`.

Rules of a game with dice (`CompiledRules.draws`) take the generator behind the other arguments:

    reset(constants, state, random)
    apply(constants, state, action, random)

`random` is uint64[1], the state of a `ludex.core.seeding.Rng`; `ludex.kernels.jit.draw_below(random, 0, bound)` draws
what `Rng.below(bound)` draws. Draw by draw they take the same numbers as the contract's `initial` and `apply`.

A game declares them by `GameSpec.compiled`; `ludex.core.conformance.check_compiled` holds them equal to its contract.
They suit games without secrets, of one player or of two whose scores sum to zero.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.game import AnyGame
from ludex.core.registry import resolve, spec
from ludex.core.seeding import Rng

RUNNING: Final = 2.0
"""What `outcome` returns while a game is live."""

Vector = NDArray[np.int64]
Words = NDArray[np.uint64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Symmetries:
    """Permutations under which a game is the same, the identity first; in the order of a network's outputs.

    A position's image has `image.flat[cells[k, i]] = observation.flat[i]`, and its action a becomes `actions[k, a]`.
    """

    actions: Vector
    """[K, action_size]"""
    cells: Vector
    """[K, C * H * W]"""
    image: Callable[[Any, int], Any] | None = None
    """`image(position, k)`: the position of the contract that is its image under symmetry k, in plain Python; the
    checker asks for it. None: every symmetry leaves the first position as it is, as on an empty board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ownership:
    """What became of each cell by the end of a game: planes that a network may learn to foresee, beside the result."""

    planes: int
    """K; each has the H x W cells of an observation."""
    write: Callable[[Vector, Vector, int, NDArray[np.int8]], None]
    """`write(constants, state, player, out)`, a kernel: every cell of int8[K * H * W] as `player` sees it, on the board
    as `observe` turns it for them. 1: it is theirs, or something stands there; -1: it is the other's; 0: neither.
    Learning asks for it when a game is over, but it answers in every position."""
    cells: Vector | None = None
    """[S, K * H * W]: where the rules' symmetries, in their order, put these cells; None where they declare none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledRules:
    """A game's rules over packed positions; this module says what each function does."""

    state_size: int
    action_size: int
    observation_shape: tuple[int, int, int]
    """(C, H, W)"""
    observation_name: str = "planes"
    """What batch environments call the observation: a name of the contract's own, where it is the same."""
    constants: Vector
    """The numbers of the board, which every function gets."""
    reset: Callable[..., None]
    apply: Callable[..., None]
    draws: bool = False
    """Whether `reset` and `apply` take a generator."""
    legal: Callable[[Vector, Vector, NDArray[np.uint8]], int]
    outcome: Callable[[Vector, Vector], float]
    player: Callable[[Vector, Vector], int]
    observe: Callable[[Vector, Vector, NDArray[np.float32]], None]
    estimate: Callable[[Vector, Vector], float] | None = None
    """`estimate(constants, state) -> float`, the score that player 0 may expect in a live position, in -1..1: the same
    as the game's `evaluation`. None: the game has none."""
    pack: Callable[[Any], Vector]
    """A position of the contract as a packed one, in plain Python."""
    unpack: Callable[[Vector], Any]
    """A packed position as one of the contract, in plain Python."""
    omitted: tuple[str, ...] = ()
    """Keys of a dumped position that packed ones do not hold, such as what happened in the last ply."""
    orientation: Vector | None = None
    """[2, action_size], where `observe` turns the board for the mover: player p's action a is a network's output
    `orientation[p, a]`. None: outputs are actions."""
    symmetries: Symmetries | None = None
    """For augmentation; None: the game declares none."""
    ownership: Ownership | None = None
    """What became of each cell, for an auxiliary head of a network; None: the game declares none."""

    def begin(self, state: Vector, rng: Rng) -> None:
        """Write the first position, with the dice of a generator."""
        call_rule(self.reset, self.draws, rng, self.constants, state)

    def move(self, state: Vector, action: int, rng: Rng) -> None:
        """Apply a legal action, with the dice of a generator."""
        call_rule(self.apply, self.draws, rng, self.constants, state, action)


def call_rule(rule: Callable[..., None], draws: bool, rng: Rng, *arguments: Any) -> None:
    """Call `reset` or `apply`; if it draws, from a generator, which is then where the draws left it."""
    if not draws:
        rule(*arguments)
        return
    random: Words = np.array([rng.state], np.uint64)
    rule(*arguments, random)
    rng.state = int(random[0])


def compiled_rules(game: AnyGame) -> CompiledRules | None:
    """The compiled rules of a registered game's board, or None where there are none."""
    reference = spec(game.info.id).compiled
    rules: CompiledRules | None = None if reference is None else resolve(reference)(game)
    return rules
