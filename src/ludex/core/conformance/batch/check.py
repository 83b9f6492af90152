"""`check_batch`: random episodes in every lane, compared with the single game that draws from the same words."""

from collections.abc import Callable, Iterator
from typing import Final

from ludex.core.batch import BatchEnv
from ludex.core.conformance.batch.run import Refusal, Run, illegal_named, illegal_refused, lanes_declared, repeatable
from ludex.core.conformance.batch.steps import (
    auto_reset,
    episode_counted,
    final_observation,
    mask_equal,
    observation_equal,
    player_equal,
    reset_equal,
    reward_equal,
    reward_form,
    terminated_equal,
    truncated_rightly,
)
from ludex.core.conformance.report import Check, Report
from ludex.core.game import AnyGame
from ludex.core.seeding import MASK


def answered(call: Callable[[], None]) -> Iterator[str]:
    """`reset` and `step` answer, in the form of the contract."""
    call()
    yield from ()


STEP_CHECKS: Final[tuple[Check, ...]] = (
    terminated_equal,
    truncated_rightly,
    reward_form,
    reward_equal,
    episode_counted,
    observation_equal,
    mask_equal,
    player_equal,
    auto_reset,
    final_observation,
)
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
        _check_run(report, Run(env, game, (seed + 1) & MASK), steps // 4, steps // 4)
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
        actions = run.shadow.choose(step)
        if report.faults or actions is None:
            return
        if step > steps and any(lane.episode for lane in run.shadow.lanes):
            break
        where, name = f"seed {run.seed} step {step}", None
        if step % REFUSAL_EVERY == 0:
            refusal = Refusal.of(run, actions, step // REFUSAL_EVERY)
            if not report.run(illegal_refused, refusal, where) or not report.run(illegal_named, refusal, where):
                return
            name = UNMOVED
        if not report.run(answered, lambda actions=actions: run.step(actions), where, name):
            return
        run.shadow.step(actions)
        for check in checks:
            report.run(check, run.moment, where, name)
    if not report.faults:
        report.run(repeatable, run, f"seed {run.seed}")
