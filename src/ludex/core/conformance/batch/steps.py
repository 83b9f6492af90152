"""Checks of what a batch environment returns, against the single game lane by lane."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ludex.core.conformance.batch.lanes import Lane, Moment
from ludex.core.game import Observation


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
