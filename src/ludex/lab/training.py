"""Jobs that train one run, or several in a row."""

import re
from typing import Any, Final

from ludex.core.errors import BadOption
from ludex.core.folders import runs_folder
from ludex.core.registry import resolve, spec
from ludex.core.spec import TrainingSpec
from ludex.lab.jobs import Job
from ludex.lab.requests import TrainRequest
from ludex.lab.watch import Watch
from ludex.learn.config import dump_config, load_config, parse_config
from ludex.learn.runs import Run
from ludex.learn.training import amount_of, require_installed, train_run
from ludex.learn.trainings import training_of

SHIPPED: Final = re.compile(r"[A-Za-z0-9_-]+")
"""The name of a configuration that ships, and no path."""


def checked(request: TrainRequest, *, remote: bool) -> TrainRequest:
    """The request with the name of its configuration; raises what is wrong with it, and begins no run."""
    if remote and request.config is not None and not SHIPPED.fullmatch(request.config):
        raise BadOption(f"config: expected the name of one that ships, found {request.config!r}")
    if request.seeds > 1 or request.sweep:
        raise BadOption("a job trains one run so far: no seeds and no sweep")
    training = training_of(spec(request.game), request.config)
    require_installed(training)
    _configured(request, training)
    return request.model_copy(update={"config": request.config or training.default})


def work(job: Job, request: TrainRequest, watch: Watch) -> dict[str, Any]:
    """Train, and return the summary of the run."""
    training = training_of(spec(request.game), request.config)
    run, chosen = _begun(job, request, training)
    watch.soft_pause = run.request_pause
    watch.begin(amount_of(training, chosen))
    minutes = None if "minutes" in training.config.model_fields else request.minutes
    return {"runs": {run.name: train_run(training, run, chosen, watch.advance, minutes)}}


def _configured(request: TrainRequest, training: TrainingSpec) -> Any:
    changes = dict(request.changes)
    if request.minutes is not None and "minutes" in training.config.model_fields:
        changes = {"minutes": request.minutes, **changes}
    chosen = load_config(training.config, training.configs, request.config or training.default, changes)
    return chosen if training.complete is None else resolve(training.complete)(spec(request.game), chosen)


def _begun(job: Job, request: TrainRequest, training: TrainingSpec) -> tuple[Run, Any]:
    if job.runs:
        run = Run.open(runs_folder(), job.runs[0])
        return run, parse_config(training.config, run.config_text, f"{run.name}/config.yaml")
    chosen = _configured(request, training)
    run = Run.create(runs_folder(), request.game, request.config or training.default, dump_config(chosen))
    job.set_work(runs=[run.name])
    return run, chosen
