"""`ludex train`: train an agent."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli import completion, exits, parameters
from ludex.cli.gameverb import Flag, GameVerb

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ludex.core.spec import GameSpec, TrainingSpec
    from ludex.learn.runs import Row, Run

    Begin = Callable[[], tuple[Run, Any]]


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
    seeds: Annotated[
        int, typer.Option(min=1, help="runs, one per seed: the configuration's own, and others drawn from it")
    ] = 1,
    sweep: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=A,B,...", help="runs, one per value of a key; may be repeated for every combination"),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(help="the name of these runs together; the same command with the same name goes on with them"),
    ] = None,
    log: Annotated[
        list[str] | None,
        typer.Option(metavar="tensorboard|wandb", help="write the metrics for another tool too; may be repeated"),
    ] = None,
    as_json: parameters.Json = False,
) -> None:
    """Train an agent, or several by --seeds and --sweep.

    A run's folder keeps configuration, metrics, checkpoints and summary.
    """
    from functools import partial

    from ludex.cli.output import emit
    from ludex.core.errors import BadOption, Unsupported
    from ludex.learn.config import parse_changes
    from ludex.learn.experiments import begin, new_group, parse_sweep, plan
    from ludex.learn.launch import launched
    from ludex.learn.loggers import check_loggers
    from ludex.learn.trainings import require_installed

    if resume is not None and (config is not None or changes or set_ or seeds > 1 or sweep or name is not None):
        raise BadOption("--resume goes on with the run's own configuration: no other option fits beside it")
    training = _training(spec, config, resume)
    require_installed(training)
    given = [*(f"{key}={value}" for key, value in changes.items()), *(set_ or [])]
    if minutes is not None and resume is None and "minutes" in training.config.model_fields:
        given, minutes = [f"minutes={minutes}", *given], None
    loggers = log or []
    check_loggers(loggers)
    launch = launched()
    if launch.size > 1 and not training.shared:
        raise Unsupported(f"{spec.id} is trained by one process, found {launch.size}: start it without torchrun")
    if resume is not None:
        begins = [lambda: _resumed(spec, training, resume)]
    else:
        planned = plan(training, config, parse_changes(given), seeds=seeds, sweep=parse_sweep(sweep or []))
        if name is None and len(planned) > 1:
            name = new_group(spec.id, config or training.default)
        begins = [partial(begin, spec, training, config, one, name) for one in planned]
    going_on = None if name is None else f"go on with the same command and --name {name}"
    if launch.size == 1:
        trained = _lead_all(spec, training, begins, minutes, going_on, loggers)
    else:
        from ludex.learn.distributed import joined

        with joined(launch) as group:
            shared = [partial(group.broadcast_object, one) for one in begins]
            if not group.is_main:
                _follow_all(training, shared, minutes)
                return
            trained = _lead_all(spec, training, shared, minutes, going_on, loggers)
    if name is None:
        emit(trained[0]["summary"], as_json, lambda: _render(trained[0]["summary"]))
    else:
        document = {"group": name, "runs": trained}
        emit(document, as_json, lambda: _render_all(document))


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


def _resumed(spec: "GameSpec", training: "TrainingSpec", resume: str) -> "tuple[Run, Any]":
    """An earlier run to work on, and its configuration."""
    from ludex.learn.config import parse_config

    run = _opened(spec, resume)
    return run, parse_config(training.config, run.config_text, f"{run.name}/config.yaml")


def _lead_all(
    spec: "GameSpec",
    training: "TrainingSpec",
    begins: "Sequence[Begin]",
    minutes: float | None,
    going_on: str | None,
    loggers: "Sequence[str]",
) -> list[dict[str, Any]]:
    """Train run after run in the process that holds them; one that was paused on request ends the others too."""
    from ludex.cli.output import note
    from ludex.learn.runs import RunState

    trained = []
    for number, begin in enumerate(begins, 1):
        run, chosen = begin()
        note(f"run {run.name}" if len(begins) == 1 else f"run {number} of {len(begins)}: {run.name}")
        # A run that is resumed may have ended before.
        summary = run.summary()
        if summary is None:
            summary = _lead(spec, training, run, chosen, minutes, going_on, loggers)
        state = run.status.state
        trained.append({"run": run.name, "state": state, "changes": run.changes, "summary": summary})
        if state is RunState.PAUSED and minutes is None:
            break
    return trained


def _lead(
    spec: "GameSpec",
    training: "TrainingSpec",
    run: "Run",
    chosen: Any,
    minutes: float | None,
    going_on: str | None,
    loggers: "Sequence[str]",
) -> "Row":
    """Train a run, alone or as the first of several processes; returns its summary."""
    from ludex.cli.output import note, progress
    from ludex.core.errors import RunPaused
    from ludex.learn.trainings import amount_of, train_run

    going_on = going_on or f"go on with: ludex train {spec.id} --resume {run.name}"
    try:
        with progress(f"training {spec.id}", amount_of(training, chosen)) as advance:
            summary = train_run(training, run, chosen, advance, minutes, loggers)
    except RunPaused:
        note(f"paused; {going_on}")
        summary = {"run": run.name, "state": run.status.state}
    except KeyboardInterrupt:
        note(f"interrupted; {going_on}")
        raise typer.Exit(exits.INTERRUPTED) from None
    return summary


def _follow_all(training: "TrainingSpec", begins: "Sequence[Begin]", minutes: float | None) -> None:
    """Train in one of the other processes: only the first writes files and prints."""
    from ludex.core.errors import RunPaused
    from ludex.core.registry import resolve

    for begin in begins:
        run, chosen = begin()
        try:
            if run.summary() is None:
                resolve(training.run)(chosen, run, lambda amount: None)
        except RunPaused:
            if minutes is None:
                return
        except KeyboardInterrupt:
            raise typer.Exit(exits.INTERRUPTED) from None


def _render(summary: dict[str, Any]) -> Any:
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for key, value in summary.items():
        table.add_row(key, str(value))
    return table


def _render_all(document: dict[str, Any]) -> Any:
    from rich.table import Table

    table = Table("run", "state", "changes", box=None, header_style="bold")
    for run in document["runs"]:
        table.add_row(run["run"], run["state"], " ".join(f"{key}={value}" for key, value in run["changes"].items()))
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
