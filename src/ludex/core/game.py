"""The contract of a game. This file is its manual: read it top to bottom and you can write one.

A game is a set of pure functions over positions. A position `S` is a value: `apply` returns the next one and never
touches its argument, so an error changes nothing and no copy becomes stale. A view `V` is what one player may
know of a position; agents and observations are built from views only, so a secret cannot leak through them. Chance
comes only from the generator passed in. `ludex.core.conformance.check_game` tries every sentence of this file.

    game = ludex.make("tictactoe")
    rng = generator(seed=1, ply=0)
    position = game.initial(rng)
    while (outcome := game.outcome(position)) is None:
        action = int(np.flatnonzero(game.legal(position))[0])
        position = game.apply(position, action, rng)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, TypeAlias, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ludex.core.errors import Unsupported
from ludex.core.seeding import Rng

CONTRACT: Final = 1
"""The version of this contract, raised when games of the last one would break: `GameSpec.contract` names a game's."""

S = TypeVar("S")
V = TypeVar("V")
S_co = TypeVar("S_co", covariant=True)
V_contra = TypeVar("V_contra", contravariant=True)

Player: TypeAlias = int
"""0 or 1, in the order of the first turn. One-player games have only player 0."""

Action: TypeAlias = int
"""An index in 0..num_actions-1 whose meaning never changes during a match."""

Mask: TypeAlias = NDArray[np.bool_]
"""bool[num_actions], True where the action is legal."""

Observation: TypeAlias = Mapping[str, NDArray[Any]]
"""Named arrays of fixed shape and type, for networks."""

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
"""What `json` reads and writes: `from ludex.core.game import Json`."""


@dataclass(frozen=True, slots=True)
class GameInfo:
    """What a game declares of itself. Tools and tests branch on these, never on a game's name."""

    id: str
    """The registry's name, e.g. "tictactoe"."""
    version: int
    """Raised when old seeds and actions would replay differently. A replay of another version is refused."""
    preset: str
    """The board's name, with the options that differ from it: "3x3x3", "3x3x3:k=2"."""
    players: Literal[1, 2]
    num_actions: int
    max_plies: int
    """No match is longer."""
    chance: Literal["none", "sampled"]
    """With "none" neither `initial` nor `apply` ever draws."""
    information: Literal["perfect", "hidden"]
    """With "perfect" every player sees the whole position."""
    zero_sum: bool
    """The scores of the players add up to zero."""
    phases: tuple[str, ...]
    """Every value `phase` may return."""
    aborts: tuple[str, ...] = ()
    """Codes of the `DeclaredAbort`s that `apply` may raise; a match then ends without a score."""
    replays: tuple[int, ...] = ()
    """Earlier versions whose records this one replays move by move."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended. It is not a reward: shaping belongs to learning."""

    scores: tuple[float, ...]
    """One per player: 1 won, 0 drawn, -1 lost, or any number between."""
    reason: str
    """A word or two for people, e.g. "line", "board full"."""


class Game(Protocol[S, V]):
    """The rules of one game on one board."""

    @property
    def info(self) -> GameInfo:
        """The declarations."""
        ...

    def initial(self, rng: Rng) -> S:
        """The first position."""
        ...

    def to_move(self, state: S) -> Player:
        """Whose turn it is, as a plain int. Player 0 has the first turn. Called only while the game is live."""
        ...

    def phase(self, state: S) -> str:
        """Which of `info.phases` the position is in."""
        ...

    def legal(self, state: S) -> Mask:
        """The legal actions: never empty while the game is live, all False when it is over."""
        ...

    def apply(self, state: S, action: Action, rng: Rng) -> S:
        """The position after the action. Raises `IllegalAction`, also once the game is over, and nothing changes."""
        ...

    def outcome(self, state: S) -> Outcome | None:
        """The result, or None while the game is live."""
        ...

    def view(self, state: S, player: Player) -> V:
        """What this player may know of the position."""
        ...

    def observe(self, view: V) -> Observation:
        """The view as arrays, always of the same names, shapes and types."""
        ...

    def action_text(self, state: S, action: Action) -> str:
        """A legal action as one ASCII token without spaces, unique among those of the position."""
        ...

    def parse_action(self, state: S, text: str) -> Action:
        """The action a text names, as a plain int. Raises `MalformedAction` if it names none; `apply` judges it."""
        ...

    def dump(self, state: S) -> Json:
        """The whole position, secrets included, as JSON."""
        ...

    def load(self, data: Json) -> S:
        """The position that `dump` wrote. Raises `BadPosition` for anything else."""
        ...


AnyGame: TypeAlias = Game[Any, Any]


@runtime_checkable
class SamplesStates(Protocol[S_co, V_contra]):
    """What a game adds whose information is hidden or whose views are not positions; a search needs it."""

    def sample_state(self, view: V_contra, rng: Rng) -> S_co:
        """A position with this view, drawn from the game's distribution of positions given the view."""
        ...


@runtime_checkable
class ListsOutcomes(Protocol[S]):
    """What a game may add where an action draws among few positions: searches then weigh all of them."""

    def chance_outcomes(self, state: S, action: Action) -> Sequence[tuple[float, S]]:
        """Every position that `apply` may give for a legal action, each once, with its probability."""
        ...


def sample_state(game: Game[S, V], view: V, rng: Rng) -> S:
    """A position that may be behind a view: drawn by the game, or the view itself where views are positions."""
    if isinstance(game, SamplesStates):
        drawn: S = game.sample_state(view, rng)
        return drawn
    if game.info.information == "hidden":
        raise Unsupported(f"{game.info.id} hides information and has no sample_state(view, rng): no search can play it")
    position: Any = view
    return position  # type: ignore[no-any-return]


def legal_actions(mask: Mask) -> list[Action]:
    """The legal indices in ascending order.

    >>> legal_actions(np.array([True, False, True]))
    [0, 2]
    """
    actions: list[Action] = mask.nonzero()[0].tolist()
    return actions


def points(score: float) -> float:
    """A score in -1..1 as points in 0..1: a win is 1, a draw one half.

    >>> points(0.0)
    0.5
    """
    return (score + 1.0) / 2.0
