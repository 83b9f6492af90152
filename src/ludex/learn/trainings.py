"""The trainings of a game, its own and the learner for every game, and the one function that trains a run.

`train_run` is behind `ludex train`, jobs and executors.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from ludex.core.errors import BadConfig, LudexError, RunPaused, UnknownGame, Unsupported
from ludex.core.executor import Executor
from ludex.core.registry import make, resolve
from ludex.core.registry import spec as spec_of
from ludex.core.spec import GameSpec, TrainedAgentSpec, TrainingSpec
from ludex.learn.alphazero.config import ALPHAZERO_METRICS, AlphaZeroConfig
from ludex.learn.config import EXTENDS, config_names, parse_config, parse_keys
from ludex.learn.loggers import logging_to
from ludex.learn.runs import Row, Run
from ludex.search.model import require_learnable

GENERIC: Final = "alphazero"
ALPHAZERO: Final = TrainingSpec(
    config=AlphaZeroConfig,
    configs="ludex.learn.alphazero.configs",
    default=GENERIC,
    run="ludex.learn.alphazero.train:train",
    complete="ludex.learn.alphazero.config:complete",
    amount="iterations",
    requires=("torch", "onnx", "onnxscript"),
    shared=True,
    headline="rating",
    metrics=ALPHAZERO_METRICS,
    knobs=("minutes", "preset", "search.simulations"),
    documentation="ludex.learn.alphazero.configs",
    trained=TrainedAgentSpec(agent="zero", option="net", format="onnx", board="preset"),
)
MINUTE: Final = "minute"
"""The configuration that takes a minute or a few on two cores; every game that can be trained has one."""


def is_learnable(spec: GameSpec) -> bool:
    """Whether the generic learner can learn the game's default board."""
    try:
        require_learnable(make(spec.id))
    except Unsupported:
        return False
    return True


def trainings(spec: GameSpec) -> list[TrainingSpec]:
    """The trainings that a game offers, its own first."""
    own = [] if spec.learning.training is None else [spec.learning.training]
    return [*own, ALPHAZERO] if is_learnable(spec) else own


def training_names(spec: GameSpec) -> list[str]:
    """The configurations that can be named for a game, its own first; of two with one name its own counts."""
    return [*dict.fromkeys(name for training in trainings(spec) for name in config_names(training.configs))]


def training_of(spec: GameSpec, config: str | None) -> TrainingSpec:
    """The training of a configuration: the name of a file, a path, or None for the game's default.

    Raises `Unsupported` if the game has none, or cannot be learned by the one that is named.
    """
    own = spec.learning.training
    shipped = own is not None and config is not None and config in config_names(own.configs)
    if own is not None and not (_is_generic(own, config) if shipped else _names_generic_file(config)):
        return own
    if own is None and config is None and not is_learnable(spec):
        raise Unsupported(f"{spec.id} has nothing to train")
    require_learnable(make(spec.id))
    # A game may ship configurations of the generic learner among its own.
    return replace(ALPHAZERO, configs=own.configs) if own is not None and shipped else ALPHAZERO


def training_of_run(spec: GameSpec, run: Run) -> TrainingSpec:
    """The training that a run belongs to."""
    return training_of(spec, GENERIC if _names_generic(run.config_text) else None)


def config_of(run: Run) -> Any:
    """The configuration that a run keeps."""
    training = training_of_run(spec_of(run.game), run)
    return parse_config(training.config, run.config_text, f"{run.name}/config.yaml")


def headline_of(run: Run) -> str | None:
    """The metric that matters in a run, as its training declares it."""
    try:
        return training_of_run(spec_of(run.game), run).headline
    except (UnknownGame, Unsupported):
        # The package of the game may be gone; its runs can still be read.
        return None


def minutes_of(run: Run) -> float | None:
    """How long the configuration of a run trains; None where it ends otherwise, or cannot be read any more."""
    try:
        minutes: float | None = getattr(config_of(run), "minutes", None)
    except LudexError:
        return None
    return minutes


def _is_generic(own: TrainingSpec, config: str | None) -> bool:
    return _names_generic(files(own.configs).joinpath(f"{config}.yaml").read_text(encoding="utf-8"))


def _names_generic_file(config: str | None) -> bool:
    """Whether a configuration that is not the game's own is one of the generic learner."""
    if config is None or config in config_names(ALPHAZERO.configs):
        return config is not None
    path = Path(config)
    # A file that cannot be read is reported where it is loaded.
    return config.endswith((".yaml", ".yml")) and path.is_file() and _names_generic(path.read_text(encoding="utf-8"))


def _names_generic(text: str) -> bool:
    try:
        data = parse_keys(text, "")
    except BadConfig:
        return False
    return GENERIC in (data.get("algorithm"), data.get(EXTENDS))


def train_run(
    training: TrainingSpec,
    run: Run,
    config: Any,
    advance: Callable[[int], None],
    minutes: float | None = None,
    loggers: Sequence[str] = (),
) -> Row:
    """Train a run from where it stands, and return its summary; after so many minutes it pauses at a checkpoint.

    Its metrics go to the tools that `loggers` names too, see `ludex.learn.loggers`.

    Raises `RunPaused`, and `BadRun` if another process trains it.
    """
    with run.lock(), _pause_after(minutes, run), logging_to(run, loggers) as logged:
        summary: Row = resolve(training.run)(config, logged, advance)
        run.finish(summary)
    return summary


def train_by(
    executor: Executor,
    runs: Sequence[Run],
    advance: Callable[[int], None],
    minutes: float | None = None,
    loggers: Sequence[str] = (),
) -> None:
    """Train runs as tasks of an executor, whose workers must reach the folder of runs."""
    open_runs = [run for run in runs if run.summary() is None]
    for run in runs:
        if run not in open_runs:
            advance(_amount(run))
    tasks = [RunTask(str(run.folder.absolute()), minutes, tuple(loggers)) for run in open_runs]
    for index, summary in executor.run(train_task, tasks):
        if summary is not None:
            advance(_amount(open_runs[index]))


@dataclass(frozen=True, slots=True)
class RunTask:
    """A run to train from where it stands."""

    folder: str
    minutes: float | None = None
    loggers: tuple[str, ...] = ()


def train_task(task: RunTask) -> Row | None:
    """In a worker: train a run, and return its summary; None if it was paused."""
    run = Run(Path(task.folder))
    training = training_of_run(spec_of(run.game), run)
    try:
        return train_run(training, run, config_of(run), lambda amount: None, task.minutes, task.loggers)
    except RunPaused:
        return None


def amount_of(training: TrainingSpec, config: Any) -> int | None:
    """How much `advance` will hear of in all; None if that is unknown."""
    amount: int | None = getattr(config, training.amount)
    return amount


def _amount(run: Run) -> int:
    """The same for the configuration that a run keeps; 0 if it is unknown."""
    return amount_of(training_of_run(spec_of(run.game), run), config_of(run)) or 0


@contextmanager
def _pause_after(minutes: float | None, run: Run) -> Iterator[None]:
    if minutes is None:
        yield
        return
    spent = 0.0 if run.began is None else time.perf_counter() - run.began
    timer = threading.Timer(60 * minutes - spent, run.request_pause)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
