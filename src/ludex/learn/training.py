"""Training one run to its end: the one function behind `ludex train`, jobs and executors."""

import importlib.util
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ludex.core.errors import MissingDependency
from ludex.core.registry import resolve
from ludex.core.spec import TrainingSpec
from ludex.learn.loggers import logging_to
from ludex.learn.runs import Row, Run


def require_installed(training: TrainingSpec) -> None:
    """Raise `MissingDependency` for a package that the training needs and does not find."""
    missing = [name for name in training.requires if importlib.util.find_spec(name) is None]
    if missing:
        raise MissingDependency(f"{', '.join(missing)} is not installed: pip install 'ludex[train]'")


def train_run(
    training: TrainingSpec,
    run: Run,
    chosen: Any,
    advance: Callable[[int], None],
    minutes: float | None = None,
    loggers: Sequence[str] = (),
) -> Row:
    """Train a run from where it stands, and return its summary; after so many minutes it pauses at a checkpoint.

    Its metrics go to the tools that `loggers` names too, see `ludex.learn.loggers`.

    Raises `RunPaused`, and `BadRun` if another process trains it.
    """
    with run.held(), _paused_after(minutes, run), logging_to(run, loggers) as logged:
        summary: Row = resolve(training.run)(chosen, logged, advance)
        run.finish(summary)
    return summary


def amount_of(training: TrainingSpec, chosen: Any) -> int | None:
    """How much `advance` will hear of in all; None if that is unknown."""
    found: int | None = getattr(chosen, training.amount)
    return found


@contextmanager
def _paused_after(minutes: float | None, run: Run) -> Iterator[None]:
    if minutes is None:
        yield
        return
    timer = threading.Timer(60 * minutes, run.request_pause)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
