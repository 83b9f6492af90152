"""`check_batch`: random episodes in every lane, compared with the single game that draws from the same words."""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ludex.core.batch import BatchEnv, Info, Step
from ludex.core.conformance.fingerprint import fingerprint
from ludex.core.conformance.report import Report, attempt, checks_of, compare, compare_form, describe_error
from ludex.core.conformance.walk import PROBE
from ludex.core.errors import DeclaredAbort, IllegalAction
from ludex.core.game import Action, AnyGame, Observation, Outcome, Player, legal_actions
from ludex.core.seeding import CHANCE, MAX_SEED, generator


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
        self.episode = np.int64(-1)
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
        self.state = self.game.initial(generator(self.seed, 0, CHANCE, lane=self.index, episode=int(self.episode)))

    def _after(self, action: Action) -> Any:
        rng = generator(self.seed, self.ply + 1, CHANCE, lane=self.index, episode=int(self.episode))
        try:
            return self.game.apply(self.state, action, rng)
        except DeclaredAbort:
            return None


@dataclass(frozen=True, slots=True)
class Moment:
    """What the environment returned, and the single games to which it should be equal."""

    lanes: Sequence[Lane]
    """The single games, one per lane."""
    obs: Observation
    info: Info
    reward: Any = None
    terminated: Any = None
    truncated: Any = None
    """These three are None after a reset."""

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
    yield from _compare_lanes(moment, moment.lanes, "obs", "mask", "player", "episode")


def observation_equal(moment: Moment) -> Iterator[str]:
    """Observations are those of the player to move in the single game."""
    yield from _compare_lanes(moment, moment.running, "obs")


def mask_equal(moment: Moment) -> Iterator[str]:
    """Masks are those of the single game."""
    yield from _compare_lanes(moment, moment.running, "mask")


def player_equal(moment: Moment) -> Iterator[str]:
    """The player to move is that of the single game."""
    yield from _compare_lanes(moment, moment.running, "player")


def auto_reset(moment: Moment) -> Iterator[str]:
    """A lane that ended stands at the first position of its next episode, in the same step."""
    yield from _compare_lanes(moment, moment.begun, "obs", "mask", "player")


def episode_counted(moment: Moment) -> Iterator[str]:
    """`info["episode"]` counts the episodes of each lane."""
    yield from _compare_lanes(moment, moment.lanes, "episode")


def terminated_equal(moment: Moment) -> Iterator[str]:
    """A lane ends when the single game ends."""
    for name, flags in (("terminated", moment.terminated), ("truncated", moment.truncated)):
        yield from compare_form(name, flags, np.bool_, (len(moment.lanes),))
    for lane in moment.lanes:
        ended = moment.terminated[lane.index] | moment.truncated[lane.index]
        yield from compare(f"{lane.where}: the end", ended, lane.ending is not None)


def truncated_rightly(moment: Moment) -> Iterator[str]:
    """A lane is truncated only at `max_plies`."""
    for lane in moment.begun:
        limit = lane.game.info.max_plies
        if moment.truncated[lane.index] and lane.ending is not None and lane.ending.ply != limit:
            yield f"lane {lane.index} was truncated at ply {lane.ending.ply}, expected at {limit} only"


def reward_form(moment: Moment) -> Iterator[str]:
    """Rewards are finite float32[N]."""
    yield from compare_form("reward", moment.reward, np.float32, (len(moment.lanes),))
    if not np.isfinite(moment.reward).all():
        yield f"reward is {moment.reward}, expected finite numbers"


def reward_equal(moment: Moment) -> Iterator[str]:
    """The reward is the mover's score at the end and nothing before."""
    for lane in moment.lanes:
        expected = 0.0 if lane.ending is None else np.float32(lane.ending.outcome.scores[lane.mover])
        yield from compare(f"lane {lane.index}: the reward of player {lane.mover}", moment.reward[lane.index], expected)


def final_observation(moment: Moment) -> Iterator[str]:
    """`info["final_obs"]` holds what the player who moved last sees at the end of an episode."""
    final: Observation = moment.info["final_obs"]
    for lane in moment.begun:
        assert lane.ending is not None
        expected = lane.game.observe(lane.game.view(lane.ending.state, lane.mover))
        actual = {name: array[lane.index] for name, array in final.items()}
        yield from compare(f"lane {lane.index}: what player {lane.mover}, the mover, sees at the end", actual, expected)


def _compare_lanes(moment: Moment, lanes: Sequence[Lane], *names: str) -> Iterator[str]:
    """Compare the rows of some lanes, in the observations or the named arrays of `info`, with the single games."""
    for name, lane in product(names, lanes):
        expected = getattr(lane, "observation" if name == "obs" else name)
        if name == "obs" and moment.obs.keys() != expected.keys():
            yield f"{lane.where}: observations are named {sorted(moment.obs)}, expected {sorted(expected)}"
            return
        arrays = moment.obs if name == "obs" else {name: moment.info[name]}
        for key, row in (expected if name == "obs" else {name: expected}).items():
            what = f"{'obs' if name == 'obs' else 'info'}[{key!r}]"
            yield from compare_form(what, arrays[key], row.dtype, (len(moment.lanes), *row.shape))
            yield from compare(f"{lane.where}: {what}", arrays[key][lane.index], row)


class Run:
    """The environment, the single games, and what has happened."""

    def __init__(self, env: BatchEnv, game: AnyGame, seed: int) -> None:
        self.env = env
        self.game = game
        self.lanes = [Lane(game, seed, index) for index in range(env.num_lanes)]
        self.seed = seed
        self.moment: Moment
        """What the last call returned; its arrays live until the next one."""
        self.played: list[NDArray[np.int64]] = []
        self.traces: list[bytes] = []
        """Fingerprints of what the reset and every step returned."""

    def reset(self) -> None:
        self._record(*self.env.reset(self.seed))

    def choose(self, step: int) -> NDArray[np.int64] | None:
        """A legal action for every lane, or None if one has none but aborts."""
        actions = [lane.choose(step) for lane in self.lanes]
        return None if None in actions else np.array(actions, np.int64)

    def step(self, actions: NDArray[np.int64]) -> None:
        obs, reward, terminated, truncated, info = self.env.step(actions.copy())
        self.played.append(actions)
        self._record(obs, info, reward, terminated, truncated)

    def _record(self, obs: Observation, info: Info, *ends: Any) -> None:
        self.moment = Moment(self.lanes, obs, info, *ends)
        self.traces.append(fingerprint([obs, {key: info[key] for key in ("mask", "player", "episode")}, *ends]))


@dataclass(frozen=True, slots=True)
class Refusal:
    """A step with illegal actions, and what came of it."""

    bad: dict[int, Action]
    """The illegal actions by lane, first lane first."""
    outcome: Step | Exception

    @classmethod
    def of(cls, run: Run, actions: NDArray[np.int64], number: int) -> "Refusal":
        """Spoil the actions of one lane, or of two, and try them."""
        spoiled, size = actions.copy(), len(actions)
        for lane in sorted({number % size, (number + number // size) % size}):
            mask = run.lanes[lane].mask
            outside = [len(mask), -1, -len(mask)][number % 3]
            spoiled[lane] = next(iter(legal_actions(~mask)[number % 5 :]), outside)
        bad = {int(lane): int(spoiled[lane]) for lane in np.flatnonzero(spoiled != actions)}
        return cls(bad, attempt(run.env.step, spoiled))


def lanes_declared(run: Run) -> Iterator[str]:
    """The environment has lanes, and the actions of the game."""
    expected = run.game.info.num_actions
    if run.env.num_lanes < 1 or run.env.num_actions != expected:
        yield f"{run.env.num_lanes} lanes of {run.env.num_actions} actions, expected at least one lane of {expected}"


def illegal_refused(refusal: Refusal) -> Iterator[str]:
    """An illegal action in one lane raises `IllegalAction`."""
    if not isinstance(refusal.outcome, Exception):
        yield f"illegal actions {refusal.bad} (by lane) were executed, expected IllegalAction"
    elif not isinstance(refusal.outcome, IllegalAction):
        raised = describe_error(refusal.outcome)
        yield f"illegal actions {refusal.bad} (by lane) raised {raised}, expected IllegalAction"


def illegal_named(refusal: Refusal) -> Iterator[str]:
    """The error names the first lane with an illegal action."""
    first = min(refusal.bad)
    if isinstance(refusal.outcome, IllegalAction) and not re.search(rf"\b{first}\b", str(refusal.outcome)):
        yield f"the error {str(refusal.outcome)!r} does not name lane {first}, the first with an illegal action"


def repeatable(run: Run) -> Iterator[str]:
    """The same seed and actions give the same run."""
    again = Run(run.env, run.game, run.seed)
    again.reset()
    for actions in run.played:
        again.step(actions)
    for step, (trace, other) in enumerate(zip(run.traces, again.traces, strict=True)):
        if trace != other:
            yield f"reset with the same seed and given the same actions, the environment differs at step {step}"
            return


def answered(call: Callable[[], None]) -> Iterator[str]:
    """`reset` and `step` answer, in the form of the contract."""
    call()
    yield from ()


STEP_CHECKS: Final = tuple(check for check in checks_of(Moment, sys.modules[__name__]) if check is not reset_equal)
"""Tried after every step."""
UNMOVED: Final = "illegal_unmoved"
"""The name of everything that is wrong in the first step after a refused one."""
CHECKS: Final = (lanes_declared, answered, reset_equal, *STEP_CHECKS, illegal_refused, illegal_named, repeatable)
REFUSAL_EVERY: Final = 8
"""Steps from one illegal action to the next."""


def check_batch(env: BatchEnv, game: AnyGame, *, steps: int = 200, seed: int = 0) -> None:
    """Play random episodes and raise `ConformanceError` unless every lane equals the single game.

    It goes on after `steps` until an episode has ended. The game must have passed `check_game`. A shaped environment
    may pay what it wants.
    """
    if steps < 1:
        raise ValueError(f"steps must be at least 1, got {steps}")
    report = Report(f"the batch environment of {game.info.id} {game.info.preset}")
    _check_run(report, Run(env, game, seed), steps, max(steps, game.info.max_plies))
    if not report.faults:
        # A second seed: an environment that draws from a fixed one agrees with that one only.
        _check_run(report, Run(env, game, (seed + 1) & MAX_SEED), steps // 4, steps // 4)
    report.conclude()


def _check_run(report: Report, run: Run, steps: int, most: int) -> None:
    """Take `steps`, or up to `most` until an episode has ended.

    The first fault ends the run: a lane that has left the single game never comes back to it.
    """
    where = f"seed {run.seed} reset"
    if not report.run(lanes_declared, run, where) or not report.run(answered, run.reset, where):
        return
    report.run(reset_equal, run.moment, where)
    checks = [check for check in STEP_CHECKS if check is not reward_equal or not run.env.shaped]
    for step in range(1, most + 1):
        actions = run.choose(step)
        if report.faults or actions is None:
            return
        if step > steps and any(lane.episode for lane in run.lanes):
            break
        where, name = f"seed {run.seed} step {step}", None
        if step % REFUSAL_EVERY == 0:
            refusal = Refusal.of(run, actions, step // REFUSAL_EVERY)
            if not report.run(illegal_refused, refusal, where) or not report.run(illegal_named, refusal, where):
                return
            name = UNMOVED
        if not report.run(answered, lambda actions=actions: run.step(actions), where, name):
            return
        for lane, action in zip(run.lanes, actions, strict=True):
            lane.step(int(action))
        for check in checks:
            report.run(check, run.moment, where, name)
    if not report.faults:
        report.run(repeatable, run, f"seed {run.seed}")
