"""Checks of what a batch environment returns, lane by lane against the single game."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.core.batch import Info
from ludex.core.conformance.walk import PROBE
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


def reset_equal(moment: Moment) -> Iterator[str]:
    """A reset begins episode 0 of every lane, each with the first position of its own words."""
    yield from _positions(moment, moment.lanes)
    yield from episode_counted(moment)


def observation_equal(moment: Moment) -> Iterator[str]:
    """Observations are those of the player to move in the single game."""
    yield from _observations(moment, moment.running)


def mask_equal(moment: Moment) -> Iterator[str]:
    """Masks are those of the single game."""
    yield from _masks(moment, moment.running)


def player_equal(moment: Moment) -> Iterator[str]:
    """The player to move is that of the single game."""
    yield from _players(moment, moment.running)


def auto_reset(moment: Moment) -> Iterator[str]:
    """A lane that ended stands at the first position of its next episode, in the same step."""
    yield from _positions(moment, moment.begun)


def episode_counted(moment: Moment) -> Iterator[str]:
    """`info["episode"]` counts the episodes of each lane."""
    found = moment.info["episode"]
    yield from _form("info['episode']", found, np.int64, (len(moment.lanes),))
    for lane in moment.lanes:
        if found[lane.index] != lane.episode:
            yield f"lane {lane.index} is in episode {found[lane.index]}, expected {lane.episode}"


def terminated_equal(moment: Moment) -> Iterator[str]:
    """A lane ends when the single game ends."""
    for name, flags in (("terminated", moment.terminated), ("truncated", moment.truncated)):
        yield from _form(name, flags, np.bool_, (len(moment.lanes),))
    for lane in moment.lanes:
        ended = bool(moment.terminated[lane.index] or moment.truncated[lane.index])
        if ended != (lane.ending is not None):
            expected = "it is live" if lane.ending is None else f"it ended by {lane.ending.outcome.reason!r}"
            yield f"lane {lane.index} is said to have {'ended' if ended else 'gone on'}; in the single game {expected}"


def truncated_rightly(moment: Moment) -> Iterator[str]:
    """A lane is truncated only at `max_plies`."""
    for lane in moment.begun:
        limit = lane.game.info.max_plies
        if moment.truncated[lane.index] and lane.ending is not None and lane.ending.ply != limit:
            yield f"lane {lane.index} was truncated at ply {lane.ending.ply}, expected at {limit} only"


def reward_form(moment: Moment) -> Iterator[str]:
    """Rewards are finite float32[N]."""
    yield from _form("reward", moment.reward, np.float32, (len(moment.lanes),))
    if not np.isfinite(moment.reward).all():
        yield f"reward is {moment.reward}, expected finite numbers"


def reward_equal(moment: Moment) -> Iterator[str]:
    """The reward is the mover's score at the end and nothing before."""
    for lane in moment.lanes:
        expected = 0.0 if lane.ending is None else np.float32(lane.ending.outcome.scores[lane.mover])
        if moment.reward[lane.index] != expected:
            yield f"lane {lane.index} rewards player {lane.mover} with {moment.reward[lane.index]}, expected {expected}"


def final_observation(moment: Moment) -> Iterator[str]:
    """`info["final_obs"]` holds what the player who moved last sees at the end of an episode."""
    final: Observation = moment.info["final_obs"]
    for lane in moment.begun:
        assert lane.ending is not None
        expected = lane.game.observe(lane.game.view(lane.ending.state, lane.mover))
        if final.keys() != expected.keys() or not all(
            np.array_equal(final[name][lane.index], array) for name, array in expected.items()
        ):
            yield f"lane {lane.index} has a final observation of another position, or of another player than the mover"


def _positions(moment: Moment, lanes: list[Lane]) -> Iterator[str]:
    yield from _observations(moment, lanes)
    yield from _masks(moment, lanes)
    yield from _players(moment, lanes)


def _observations(moment: Moment, lanes: list[Lane]) -> Iterator[str]:
    for lane in lanes:
        expected = lane.observation
        if moment.obs.keys() != expected.keys():
            yield f"observations are named {sorted(moment.obs)}, expected {sorted(expected)}"
            return
        for name, array in expected.items():
            yield from _form(f"obs[{name!r}]", moment.obs[name], array.dtype, (len(moment.lanes), *array.shape))
            if not np.array_equal(moment.obs[name][lane.index], array):
                yield f"lane {lane.index} observes another {name!r} than {_at(lane)} of the single game"


def _masks(moment: Moment, lanes: list[Lane]) -> Iterator[str]:
    found = moment.info["mask"]
    yield from _form("info['mask']", found, np.bool_, (len(moment.lanes), moment.shadow.game.info.num_actions))
    for lane in lanes:
        wrong = np.flatnonzero(found[lane.index] != lane.mask)
        if len(wrong):
            yield f"lane {lane.index} has another mask than {_at(lane)} of the single game, first at action {wrong[0]}"


def _players(moment: Moment, lanes: list[Lane]) -> Iterator[str]:
    found = moment.info["player"]
    yield from _form("info['player']", found, np.int8, (len(moment.lanes),))
    for lane in lanes:
        if found[lane.index] != lane.player:
            yield f"lane {lane.index} has player {found[lane.index]} to move, expected {lane.player} at {_at(lane)}"


def _form(name: str, array: Any, dtype: Any, shape: tuple[int, ...]) -> Iterator[str]:
    if not isinstance(array, np.ndarray) or array.dtype != dtype or array.shape != shape:
        found = f"{array.dtype}{list(array.shape)}" if isinstance(array, np.ndarray) else type(array).__name__
        yield f"{name} is {found}, expected {np.dtype(dtype)}{list(shape)}"


def _at(lane: Lane) -> str:
    return f"episode {lane.episode} ply {lane.ply}"
