"""`ludex train`: train an agent."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli import completion, exits, parameters
from ludex.cli.gameverb import Flag, GameVerb

if TYPE_CHECKING:
    from ludex.core.spec import GameSpec, TrainingSpec
    from ludex.learn.runs import Run


def train(
    spec: Any,
    changes: dict[str, str],
    *,
    config: Annotated[
        str | None,
        typer.Option(help="a shipped configuration, or a path to a .yaml file", autocompletion=completion.configs),
    ] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="change a key: a.b=value; may be repeated")] = None,
    resume: Annotated[
        str | None,
        typer.Option(metavar="RUN", help="resume an interrupted run", autocompletion=completion.runs),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            help="minutes of training, where the configuration has them; else pause at a checkpoint after so many",
        ),
    ] = None,
    as_json: parameters.Json = False,
) -> None:
    """Train an agent; the run's folder keeps configuration, metrics, checkpoints and summary."""
    from importlib.util import find_spec

    from ludex.core.errors import BadOption, MissingDependency, Unsupported
    from ludex.learn.launch import launched

    if resume is not None and (config is not None or changes or set_):
        raise BadOption("--resume goes on with the run's own configuration: no other option fits beside it")
    training = _training(spec, config, resume)
    missing = [name for name in training.requires if find_spec(name) is None]
    if missing:
        raise MissingDependency(f"{', '.join(missing)} is not installed: pip install 'ludex[train]'")
    given = [*(f"{key}={value}" for key, value in changes.items()), *(set_ or [])]
    if minutes is not None and resume is None and "minutes" in training.config.model_fields:
        given, minutes = [f"minutes={minutes}", *given], None
    launch = launched()
    if launch.size == 1:
        _lead(spec, training, *_begun(spec, training, config, given, resume), minutes, as_json)
        return
    if not training.shared:
        raise Unsupported(f"{spec.id} is trained by one process, found {launch.size}: start it without torchrun")
    from ludex.learn.distributed import joined

    with joined(launch) as group:
        run, chosen = group.broadcast_object(lambda: _begun(spec, training, config, given, resume))
        if group.is_main:
            _lead(spec, training, run, chosen, minutes, as_json)
        else:
            _follow(training, run, chosen)


def _training(spec: "GameSpec", config: str | None, resume: str | None) -> "TrainingSpec":
    """The training that a configuration or an earlier run belongs to."""
    from ludex.learn.trainings import training_of, training_of_run

    if resume is None or config is not None:
        return training_of(spec, config)
    return training_of_run(spec, _opened(spec, resume))


def _opened(spec: "GameSpec", resume: str) -> "Run":
    from ludex.core.errors import BadOption
    from ludex.core.folders import runs_folder
    from ludex.learn.runs import Run

    run = Run.open(runs_folder(), resume)
    if run.game != spec.id:
        raise BadOption(f"run {resume!r} is of {run.game}, not of {spec.id}")
    return run


def _begun(
    spec: "GameSpec", training: "TrainingSpec", config: str | None, given: list[str], resume: str | None
) -> "tuple[Run, Any]":
    """The run to work on, new or an earlier one, and its configuration."""
    from ludex.core.folders import runs_folder
    from ludex.core.registry import resolve
    from ludex.learn.config import dump_config, load_config, parse_changes, parse_config
    from ludex.learn.runs import Run

    if resume is None:
        name = training.default if config is None else config
        chosen = load_config(training.config, training.configs, name, parse_changes(given))
        if training.complete is not None:
            chosen = resolve(training.complete)(spec, chosen)
        return Run.create(runs_folder(), spec.id, name, dump_config(chosen)), chosen
    run = _opened(spec, resume)
    return run, parse_config(training.config, run.config_text, f"{run.name}/config.yaml")


def _lead(
    spec: "GameSpec", training: "TrainingSpec", run: "Run", chosen: Any, minutes: float | None, as_json: bool
) -> None:
    """Train in the process that holds the run, alone or the first of several."""
    from threading import Timer

    from ludex.cli.output import emit, note, progress
    from ludex.core.errors import RunPaused
    from ludex.core.registry import resolve

    note(f"run {run.name}")
    going_on = f"go on with: ludex train {spec.id} --resume {run.name}"
    limit = Timer(0.0 if minutes is None else 60 * minutes, run.request_pause)
    try:
        with run.held(), progress(f"training {spec.id}", getattr(chosen, training.amount)) as advance:
            if minutes is not None:
                limit.start()
            summary = resolve(training.run)(chosen, run, advance)
            run.finish(summary)
    except RunPaused:
        note(f"paused; {going_on}")
        summary = {"run": run.name, "state": run.status.state}
    except KeyboardInterrupt:
        note(f"interrupted; {going_on}")
        raise typer.Exit(exits.INTERRUPTED) from None
    finally:
        limit.cancel()
    emit(summary, as_json, lambda: _render(summary))


def _follow(training: "TrainingSpec", run: "Run", chosen: Any) -> None:
    """Train in one of the other processes: only the first writes files and prints."""
    from ludex.core.registry import resolve

    try:
        resolve(training.run)(chosen, run, lambda amount: None)
    except KeyboardInterrupt:
        raise typer.Exit(exits.INTERRUPTED) from None


def _render(summary: dict[str, Any]) -> Any:
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for key, value in summary.items():
        table.add_row(key, str(value))
    return table


def _flags(spec: "GameSpec") -> list[Flag]:
    """Every scalar at the top of the game's training configurations, except those that the verb has itself."""
    from ludex.learn.trainings import trainings

    found: dict[str, Flag] = {}
    for training in trainings(spec):
        for name, field in training.config.model_fields.items():
            kind = _scalar(field.annotation)
            if kind is not None and name not in found and name != "minutes":
                found[name] = Flag(name, kind.upper(), f"{field.description or name} (else the config's)")
    return [*found.values()]


def _scalar(annotation: Any) -> str | None:
    """The name of a scalar type, which may be one of several texts or optional; None for others.

    >>> _scalar(int | None), _scalar(list[int])
    ('int', None)
    """
    from types import NoneType, UnionType
    from typing import Literal, get_args, get_origin

    if annotation in (int, float, str, bool):
        return str(annotation.__name__)
    if get_origin(annotation) is Literal:
        # A single text is no choice: it only names the kind of a configuration.
        return "str" if len(get_args(annotation)) > 1 else None
    if get_origin(annotation) is UnionType:
        inner = [one for one in get_args(annotation) if one is not NoneType]
        return _scalar(inner[0]) if len(inner) == 1 else None
    return None


def _bind(spec: "GameSpec", given: dict[str, Any]) -> dict[str, Any]:
    return {"spec": spec, "changes": given}


command = GameVerb(train, _flags, _bind)
