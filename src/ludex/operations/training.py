"""Training one run, or several that differ in seed or in swept values; `ludex train` and jobs.

Runs are trained in a row by this process, by the processes that torchrun started together, or each as a task of a Ray
cluster.
"""

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import BaseModel, Field

from ludex.core.errors import BadOption, RunPaused, Unsupported
from ludex.core.folders import runs_folder
from ludex.core.packages import require_packages
from ludex.core.registry import resolve, spec
from ludex.core.spec import GameSpec, TrainingSpec
from ludex.learn.config import WORKERS, leaves, load_config
from ludex.learn.experiments import Changes, begin, new_group, plan
from ludex.learn.launch import read_launch
from ludex.learn.learned import read_learned
from ludex.learn.loggers import check_loggers
from ludex.learn.runs import Row, Run, RunState
from ludex.learn.trainings import (
    amount_of,
    config_of,
    train_by,
    train_run,
    training_of,
    training_of_run,
)
from ludex.operations.learned import announce_measurement, measure_learning
from ludex.operations.operation import Context, Interrupted, Limits, Operation, Result, option
from ludex.operations.permissions import Permissions, texts_in
from ludex.operations.requests import ADDRESS, Address, JobRequest, Key, Name, check_workers

LONGEST_CONFIG: Final = 256
"""Characters of a configuration's name or path."""
SHIPPED: Final = re.compile(r"[A-Za-z0-9_-]+")
"""The name of a configuration that ships, and no path."""
Begin: TypeAlias = Callable[[], tuple[Run, Any]]
"""The run to train, with its configuration."""


MEASURED: Final = 20
"""Games per step after a quick training: intervals of about 20 percent to each side."""


def absolute_config(config: str) -> str:
    """A path that is found from every folder; a name is left alone.

    >>> absolute_config("minute")
    'minute'
    """
    return str(Path(config).absolute()) if config.endswith((".yaml", ".yml")) else config


class TrainRequest(JobRequest):
    """Train one run, or several that differ in seed or in swept values."""

    kind: Literal["train"]
    config: str | None = option(None, min_length=1, max_length=LONGEST_CONFIG, completion="configs")
    changes: dict[Key, Any] = option(
        {}, max_length=256, flag="set", parse="ludex.learn.config:parse_changes", repeated=True
    )
    minutes: float | None = option(None, gt=0, le=1e6)
    seeds: int = option(1, ge=1, le=100)
    sweep: dict[Key, Annotated[list[Any], Field(min_length=1, max_length=100)]] = option(
        {},
        max_length=16,
        metavar="KEY=A,B,...",
        parse="ludex.learn.experiments:parse_sweep",
        repeated=True,
        advanced=True,
    )
    name: Name | None = option(None, order=5)
    measured: int = option(0, suggestion=MEASURED, ge=0, le=1000, flag="measure", metavar="GAMES")
    log: list[Annotated[str, Field(max_length=64)]] = option(
        [], max_length=8, metavar="tensorboard|wandb", repeated=True, advanced=True
    )
    executor: Literal["local", "ray"] = option("local", order=30, advanced=True, job_only=True)
    address: Annotated[Address, replace(ADDRESS, job_only=True)] = "auto"

    @property
    def players(self) -> list[str]:
        """The texts of its changes, agents among them."""
        return texts_in([self.changes, self.sweep])

    @property
    def title(self) -> str:
        return self.config or ""

    def checked(self, limits: Limits | None, *, remote: Permissions | None) -> Self:
        """As declared, with the name of its configuration; begins no run."""
        super().checked(limits, remote=remote)
        if remote is not None and self.config is not None and not SHIPPED.fullmatch(self.config):
            raise BadOption(f"config: expected the name of one that ships, found {self.config!r}")
        game = spec(self.game)
        training = training_of(game, self.config)
        require_packages(*training.requires)
        check_loggers(self.log)
        shipped = self._load_config(training, {})
        for changes in self.plan(training):
            config = self._load_config(training, changes)
            _check_limits(config, shipped, limits)
            if remote is not None:
                remote.check_config(self.game, config, shipped)
            self.config_with(game, training, changes)
        name = self.config or training.default
        if limits is not None:
            # A job's process may start in another folder.
            name = absolute_config(name)
            if len(name) > LONGEST_CONFIG:
                raise BadOption(f"config: expected a path of at most {LONGEST_CONFIG} characters, found {name!r}")
        return self.model_copy(update={"config": name})

    def plan(self, training: TrainingSpec) -> list[Changes]:
        """The changes of the configuration in each run."""
        changes = dict(self.changes)
        if self.minutes is not None and "minutes" in training.config.model_fields:
            changes = {"minutes": self.minutes, **changes}
        return plan(training, self.config, changes, seeds=self.seeds, sweep=self.sweep)

    def pause_after(self, training: TrainingSpec) -> float | None:
        """After how many minutes each run pauses; None where the configuration has its own."""
        return None if "minutes" in training.config.model_fields else self.minutes

    def config_with(self, game: GameSpec, training: TrainingSpec, changes: Changes) -> Any:
        """The whole configuration of a run."""
        config = self._load_config(training, changes)
        return config if training.complete is None else resolve(training.complete)(game, config)

    def _load_config(self, training: TrainingSpec, changes: Changes) -> BaseModel:
        return load_config(training.config, training.configs, self.config or training.default, changes)


class TrainedRun(BaseModel):
    """A run, as far as it was trained."""

    run: str
    state: RunState
    changes: dict[str, Any] | None
    summary: dict[str, Any]


class TrainingResult(Result):
    """The summaries by run."""

    runs: dict[str, dict[str, Any] | None]
    group: str | None = Field(exclude=True)
    """The name of several runs together."""
    trained: list[TrainedRun] = Field(exclude=True)
    """In the order in which they were trained; empty in all processes of torchrun but the first."""

    @property
    def pause_reason(self) -> str | None:
        paused = [run.run for run in self.trained if run.state is RunState.PAUSED]
        return f"paused at a checkpoint: {', '.join(paused)}" if paused else None


def run(request: TrainRequest, context: Context) -> TrainingResult:
    """Train every run that is not finished yet."""
    game = spec(request.game)
    training = training_of(game, request.config)
    planned = request.plan(training)
    group = request.name or context.name
    if group is None and len(planned) > 1:
        group = new_group(game.id, request.config or training.default)
    begins = [partial(begin, game, training, request.config, changes, group) for changes in planned]
    if request.executor != "local":
        return _train_by_executor(begins, group, request, context)
    total = _total(training, [request.config_with(game, training, changes) for changes in planned])
    return _train(
        _Trainer(game, training, request.pause_after(training), request.log, group, request.measured, total, context),
        begins,
    )


def resume(game: GameSpec, name: str, minutes: float | None, log: Sequence[str], context: Context) -> TrainingResult:
    """Train a run on. Raises `BadOption` if it is of another game."""
    begun = Run.open(runs_folder(), name)
    if begun.game != game.id:
        raise BadOption(f"run {name!r} is of {begun.game}, not of {game.id}")
    training = training_of_run(game, begun)
    require_packages(*training.requires)
    check_loggers(log)
    config = config_of(begun)
    trainer = _Trainer(game, training, minutes, log, None, 0, _total(training, [config]), context)
    return _train(trainer, [lambda: (begun, config)])


@dataclass(frozen=True, slots=True)
class _Trainer:
    """What all runs of a training share."""

    game: GameSpec
    training: TrainingSpec
    minutes: float | None
    log: Sequence[str]
    group: str | None
    measured: int
    """Games per step that measure at the end what was learned; 0: none."""
    total: int | None
    """How much `advance` hears of in all; None if that is unknown."""
    context: Context

    def train_all(self, begins: Sequence[Begin]) -> TrainingResult:
        """Train run after run; one that was paused on request ends the others too."""
        runs: Iterable[tuple[Run, Any]] = (start() for start in begins)
        if self.context.works_on is not None:
            runs = [*runs]
            self.context.works_on({"runs": [run.name for run, _ in runs]})
        trained: list[TrainedRun] = []
        began = self.context.began
        with self.context.progress(f"training {self.game.id}", self.total) as advance:
            for number, (run, config) in enumerate(runs, 1):
                self.context.note(
                    f"run {run.name}" if len(begins) == 1 else f"run {number} of {len(begins)}: {run.name}"
                )
                summary = self._train(replace(run, began=began), config, advance)
                self._measure(run)
                trained.append(_describe_run(run, summary))
                paused = trained[-1].state is RunState.PAUSED
                if paused and (self.minutes is None or self.context.is_stopped()):
                    break
                began = time.perf_counter()
        return _result(trained, self.group)

    def _measure(self, run: Run) -> None:
        """Measure what a finished run has learned, once."""
        learned = read_learned(run)
        if self.measured and run.summary() is not None and not (learned and learned.complete):
            self.context.note(f"measuring what {run.name} has learned")
            measure_learning(run, self.measured, self.context)

    def follow_all(self, begins: Sequence[Begin]) -> TrainingResult:
        """Train in one of the other processes of torchrun: only the first writes files and prints."""
        for start in begins:
            run, config = start()
            try:
                if run.summary() is None:
                    resolve(self.training.run)(config, run, lambda amount: None)
            except RunPaused:
                if self.minutes is None:
                    break
        return _result([], self.group)

    def _how_to_resume(self, run: Run) -> str:
        """What a person does with a run that stopped before its end; `context.name` is the id of a job."""
        if self.context.name is not None:
            return f"go on with: ludex jobs resume {self.context.name}"
        if self.group is not None:
            return f"go on with the same command and --name {self.group}"
        return f"go on with: ludex train {self.game.id} --resume {run.name}"

    def _train(self, run: Run, config: Any, advance: Callable[[int], None]) -> Row:
        """Train a run to its end or to a pause, and return its summary."""
        # A run that is resumed may have ended before.
        summary = run.summary()
        if summary is not None:
            advance(amount_of(self.training, config) or 0)
            return summary
        self.context.stops((run,))
        if self.measured:
            announce_measurement(run)
        try:
            return train_run(self.training, run, config, advance, self.minutes, self.log)
        except RunPaused:
            self.context.note(f"paused; {self._how_to_resume(run)}")
            return {"run": run.name, "state": run.status.state}
        except KeyboardInterrupt:
            raise Interrupted(f"interrupted; {self._how_to_resume(run)}") from None


def _train(trainer: _Trainer, begins: Sequence[Begin]) -> TrainingResult:
    """Train in this process, or in those that torchrun started together."""
    launch = read_launch()
    if launch.size == 1:
        return trainer.train_all(begins)
    if not trainer.training.shared:
        game = trainer.game.id
        raise Unsupported(f"{game} is trained by one process, found {launch.size}: start it without torchrun")
    from ludex.learn.distributed import join_group

    with join_group(launch) as group:
        shared = [partial(group.broadcast_object, start) for start in begins]
        return trainer.train_all(shared) if group.is_main else trainer.follow_all(shared)


def _describe_run(run: Run, summary: Row) -> TrainedRun:
    return TrainedRun(run=run.name, state=run.status.state, changes=run.changes, summary=summary)


def _result(trained: list[TrainedRun], group: str | None) -> TrainingResult:
    return TrainingResult(runs={run.run: run.summary for run in trained}, group=group, trained=trained)


def _train_by_executor(
    begins: Sequence[Begin], group: str | None, request: TrainRequest, context: Context
) -> TrainingResult:
    runs = [start()[0] for start in begins]
    if context.works_on is not None:
        context.works_on({"runs": [run.name for run in runs]})
    training = training_of(spec(request.game), request.config)
    minutes, total = request.pause_after(training), _total(training, map(config_of, runs))
    with context.progress(f"training {request.game}", total) as advance:
        context.stops([run for run in runs if run.summary() is None])
        train_by(context.executor, runs, advance, minutes, request.log)
    return _result([_describe_run(run, run.summary() or {}) for run in runs], group)


def _total(training: TrainingSpec, configs: Iterable[Any]) -> int | None:
    amounts = [amount_of(training, config) for config in configs]
    return None if None in amounts else sum(amount or 0 for amount in amounts)


def _check_limits(config: BaseModel, base: BaseModel, limits: Limits | None) -> None:
    """Raise `BadOption` if a configuration has more workers than a job may have and than the one it changes."""
    before = {key: getattr(section, name) for key, section, name in leaves(base)}
    for key, section, name in leaves(config):
        workers = getattr(section, name)
        if type(section).model_fields[name].json_schema_extra == WORKERS and workers != before.get(key):
            # None is left to the learner.
            check_workers(workers or 0, limits, key)


TRAINING: Final = Operation(id="train", request=TrainRequest, run=run)
