"""Jobs that train one run, or several: in a row in the job's process, or each as a task of a Ray cluster."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

from ludex.core.errors import BadOption, RunPaused
from ludex.core.executor import Executor
from ludex.core.log import in_workers, logger
from ludex.core.options import is_local
from ludex.core.registry import resolve, spec
from ludex.core.spec import TrainingSpec
from ludex.lab.executors import executor_of
from ludex.lab.job import Job
from ludex.lab.limits import JobLimits
from ludex.lab.requests import TrainRequest
from ludex.lab.tournaments import check_workers
from ludex.lab.watch import Watch
from ludex.learn.config import WORKERS, leaves, load_config, parse_config
from ludex.learn.experiments import Changes, begin, plan
from ludex.learn.loggers import check_loggers
from ludex.learn.runs import Row, Run
from ludex.learn.trainings import amount_of, require_installed, train_run, training_of, training_of_run

SHIPPED: Final = re.compile(r"[A-Za-z0-9_-]+")
"""The name of a configuration that ships, and no path."""
log = logger("lab.training")


def checked(request: TrainRequest, limits: JobLimits, *, remote: bool) -> TrainRequest:
    """The request with the name of its configuration; raises what is wrong with it, and begins no run."""
    if remote and request.config is not None and not SHIPPED.fullmatch(request.config):
        raise BadOption(f"config: expected the name of one that ships, found {request.config!r}")
    game = spec(request.game)
    training = training_of(game, request.config)
    require_installed(training)
    check_loggers(request.log)
    for changes in _planned(request, training):
        chosen = _loaded(request, training, changes)
        shipped = _loaded(request, training, {})
        _check_limits(chosen, shipped, limits)
        if remote:
            _check_public(chosen, shipped)
        if training.complete is not None:
            resolve(training.complete)(game, chosen)
    return request.model_copy(update={"config": request.config or training.default})


def work(job: Job, request: TrainRequest, watch: Watch) -> dict[str, Any]:
    """Train every run that is not finished yet, and return the summaries by name."""
    training = training_of(spec(request.game), request.config)
    group = request.name or job.id
    begun = [
        begin(spec(request.game), training, request.config, changes, group) for changes in _planned(request, training)
    ]
    job.set_work(runs=[run.name for run, _ in begun])
    amounts = [amount_of(training, chosen) for _, chosen in begun]
    watch.begin(None if None in amounts else sum(amount or 0 for amount in amounts))
    minutes = None if "minutes" in training.config.model_fields else request.minutes
    if request.executor == "local":
        for run, chosen in begun:
            _train_here(training, run, chosen, watch, minutes, request.log)
    else:
        executor = executor_of(request.executor, 1, request.address, in_workers())
        train_by(executor, [run for run, _ in begun], watch, minutes, request.log)
    return {"runs": {run.name: run.summary() for run, _ in begun}}


def train_by(
    executor: Executor, runs: Sequence[Run], watch: Watch, minutes: float | None = None, loggers: Sequence[str] = ()
) -> None:
    """Train runs as tasks of an executor, whose workers must reach the folder of runs. Raises `RunPaused`."""
    open_runs = [run for run in runs if run.summary() is None]
    watch.pausable = open_runs
    for run in runs:
        if run not in open_runs:
            watch.advance(_amount(run))
    paused = []
    tasks = [RunTask(str(run.folder.absolute()), minutes, tuple(loggers)) for run in open_runs]
    for index, summary in executor.run(train_task, tasks):
        if summary is None:
            paused.append(open_runs[index].name)
        else:
            watch.advance(_amount(open_runs[index]))
    if paused:
        raise RunPaused(f"paused at a checkpoint: {', '.join(paused)}")


@dataclass(frozen=True, slots=True)
class RunTask:
    """A run to train from where it stands."""

    folder: str
    minutes: float | None = None
    loggers: tuple[str, ...] = ()


def train_task(task: RunTask) -> Row | None:
    """In a worker: train a run, and return its summary; None if it was paused."""
    run = Run(Path(task.folder))
    training = training_of_run(spec(run.game), run)
    try:
        return train_run(training, run, _config(training, run), lambda amount: None, task.minutes, task.loggers)
    except RunPaused:
        return None


def _train_here(
    training: TrainingSpec, run: Run, chosen: Any, watch: Watch, minutes: float | None, loggers: Sequence[str]
) -> None:
    if run.summary() is not None:
        watch.advance(amount_of(training, chosen) or 0)
        return
    log.info("train", run=run.name)
    watch.pausable = (run,)
    train_run(training, run, chosen, watch.advance, minutes, loggers)


def _planned(request: TrainRequest, training: TrainingSpec) -> list[Changes]:
    changes = dict(request.changes)
    if request.minutes is not None and "minutes" in training.config.model_fields:
        changes = {"minutes": request.minutes, **changes}
    return plan(training, request.config, changes, seeds=request.seeds, sweep=request.sweep)


def _loaded(request: TrainRequest, training: TrainingSpec, changes: Changes) -> BaseModel:
    return load_config(training.config, training.configs, request.config or training.default, changes)


def _check_limits(config: BaseModel, base: BaseModel, limits: JobLimits) -> None:
    """Raise `BadOption` if a configuration has more workers than a job may have and than the one it changes."""
    before = {key: getattr(section, name) for key, section, name in leaves(base)}
    for key, section, name in leaves(config):
        workers = getattr(section, name)
        if type(section).model_fields[name].json_schema_extra == WORKERS and workers != before.get(key):
            # None is left to the learner.
            check_workers(workers or 0, limits, key)


def _check_public(config: BaseModel, shipped: BaseModel) -> None:
    """Raise `BadOption` if a configuration names other files of the server than the one that ships."""
    before = {key: getattr(section, name) for key, section, name in leaves(shipped)}
    for key, section, name in leaves(config):
        if is_local(type(section).model_fields[name]) and getattr(section, name) != before.get(key):
            raise BadOption(f"{key}: it names files of the server, and cannot be set from the web")


def _config(training: TrainingSpec, run: Run) -> Any:
    return parse_config(training.config, run.config_text, f"{run.name}/config.yaml")


def _amount(run: Run) -> int:
    training = training_of_run(spec(run.game), run)
    return amount_of(training, _config(training, run)) or 0
