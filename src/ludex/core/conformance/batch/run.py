"""One seed's run of a batch environment, with the single games beside it, and the checks of running it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludex.core.batch import BatchEnv
from ludex.core.conformance.batch.lanes import Moment, Shadow
from ludex.core.conformance.instruments.fingerprint import fingerprint
from ludex.core.conformance.report import told
from ludex.core.errors import IllegalAction
from ludex.core.game import Action, AnyGame, legal_actions


class Run:
    """The environment, the single games, and what has happened."""

    def __init__(self, env: BatchEnv, game: AnyGame, seed: int) -> None:
        self.env = env
        self.shadow = Shadow(game, seed, env.num_lanes)
        self.seed = seed
        self.moment: Moment
        """What the last call returned; its arrays live until the next one."""
        self.played: list[NDArray[np.int64]] = []
        self.traces: list[bytes] = []
        """Fingerprints of what the reset and every step returned."""

    def reset(self) -> None:
        obs, info = self.env.reset(self.seed)
        self.moment = Moment(self.shadow, obs, info)
        self.traces.append(self._trace())

    def step(self, actions: NDArray[np.int64]) -> None:
        obs, reward, terminated, truncated, info = self.env.step(actions.copy())
        self.moment = Moment(self.shadow, obs, info, reward, terminated, truncated)
        self.played.append(actions)
        self.traces.append(self._trace())

    def _trace(self) -> bytes:
        moment = self.moment
        info = {key: moment.info[key] for key in ("mask", "player", "episode")}
        return fingerprint([moment.obs, info, moment.reward, moment.terminated, moment.truncated])


@dataclass(frozen=True, slots=True)
class Refusal:
    """A step with illegal actions, and what came of it."""

    bad: dict[int, Action]
    """The illegal actions by lane, first lane first."""
    error: Exception | None

    @classmethod
    def of(cls, run: Run, actions: NDArray[np.int64], number: int) -> "Refusal":
        """Spoil the actions of one lane, or of two, and try them."""
        spoiled, size = actions.copy(), len(actions)
        for lane in sorted({number % size, (number + number // size) % size}):
            mask = run.shadow.lanes[lane].mask
            outside = [len(mask), -1, -len(mask)][number % 3]
            spoiled[lane] = next(iter(legal_actions(~mask)[number % 5 :]), outside)
        bad = {int(lane): int(spoiled[lane]) for lane in np.flatnonzero(spoiled != actions)}
        try:
            run.env.step(spoiled)
        except Exception as error:
            return cls(bad, error)
        return cls(bad, None)


def lanes_declared(run: Run) -> Iterator[str]:
    """The environment has lanes, and the actions of the game."""
    expected = run.shadow.game.info.num_actions
    if run.env.num_lanes < 1 or run.env.num_actions != expected:
        yield f"{run.env.num_lanes} lanes of {run.env.num_actions} actions, expected at least one lane of {expected}"


def illegal_refused(refusal: Refusal) -> Iterator[str]:
    """An illegal action in one lane raises `IllegalAction`."""
    if refusal.error is None:
        yield f"illegal actions {refusal.bad} (by lane) were executed, expected IllegalAction"
    elif not isinstance(refusal.error, IllegalAction):
        yield f"illegal actions {refusal.bad} (by lane) raised {told(refusal.error)}, expected IllegalAction"


def illegal_named(refusal: Refusal) -> Iterator[str]:
    """The error names the first lane with an illegal action."""
    first = min(refusal.bad)
    if isinstance(refusal.error, IllegalAction) and not re.search(rf"\b{first}\b", str(refusal.error)):
        yield f"the error {str(refusal.error)!r} does not name lane {first}, the first with an illegal action"


def repeatable(run: Run) -> Iterator[str]:
    """The same seed and actions give the same run."""
    again = Run(run.env, run.shadow.game, run.seed)
    again.reset()
    for actions in run.played:
        again.step(actions)
    for step, (one, other) in enumerate(zip(run.traces, again.traces, strict=True)):
        if one != other:
            yield f"reset with the same seed and given the same actions, the environment differs at step {step}"
            return
