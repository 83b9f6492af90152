"""`ludex train`: train an agent."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli import completion, exits, parameters
from ludex.cli.gameverb import Flag, GameVerb

if TYPE_CHECKING:
    from ludex.core.spec import GameSpec
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
        float | None, typer.Option(min=0.01, help="pause at a checkpoint after so many minutes; resume with --resume")
    ] = None,
    as_json: parameters.Json = False,
) -> None:
    """Train an agent; the run's folder keeps configuration, metrics, checkpoints and summary."""
    from importlib.util import find_spec

    from ludex.core.errors import MissingDependency, Unsupported
    from ludex.learn.launch import launched

    if spec.learning.training is None:
        raise Unsupported(f"{spec.id} has nothing to train")
    training = spec.learning.training
    missing = [name for name in training.requires if find_spec(name) is None]
    if missing:
        raise MissingDependency(f"{', '.join(missing)} is not installed: pip install 'ludex[train]'")
    given = [*(f"{key}={value}" for key, value in changes.items()), *(set_ or [])]
    launch = launched()
    if launch.size == 1:
        _lead(spec, *_begun(spec, config, given, resume), minutes, as_json)
        return
    if not training.shared:
        raise Unsupported(f"{spec.id} is trained by one process, found {launch.size}: start it without torchrun")
    from ludex.learn.distributed import joined

    with joined(launch) as group:
        run, chosen = group.broadcast_object(lambda: _begun(spec, config, given, resume))
        if group.is_main:
            _lead(spec, run, chosen, minutes, as_json)
        else:
            _follow(spec, run, chosen)


def _begun(spec: "GameSpec", config: str | None, given: list[str], resume: str | None) -> "tuple[Run, Any]":
    """The run to work on, new or an earlier one, and its configuration."""
    from ludex.core.errors import BadOption
    from ludex.core.folders import runs_folder
    from ludex.learn.config import dump_config, load_config, parse_changes, parse_config
    from ludex.learn.runs import Run

    training = spec.learning.training
    assert training is not None
    if resume is None:
        name = training.default if config is None else config
        chosen = load_config(training.config, training.configs, name, parse_changes(given))
        return Run.create(runs_folder(), spec.id, name, dump_config(chosen)), chosen
    if config is not None or given:
        raise BadOption("--resume goes on with the run's own configuration: no other option fits beside it")
    run = Run.open(runs_folder(), resume)
    if run.game != spec.id:
        raise BadOption(f"run {resume!r} is of {run.game}, not of {spec.id}")
    return run, parse_config(training.config, run.config_text, f"{run.name}/config.yaml")


def _lead(spec: "GameSpec", run: "Run", chosen: Any, minutes: float | None, as_json: bool) -> None:
    """Train in the process that holds the run, alone or the first of several."""
    from threading import Timer

    from ludex.cli.output import emit, note, progress
    from ludex.core.errors import RunPaused
    from ludex.core.registry import resolve

    training = spec.learning.training
    assert training is not None
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


def _follow(spec: "GameSpec", run: "Run", chosen: Any) -> None:
    """Train in one of the other processes: only the first writes files and prints."""
    from ludex.core.registry import resolve

    assert spec.learning.training is not None
    try:
        resolve(spec.learning.training.run)(chosen, run, lambda amount: None)
    except KeyboardInterrupt:
        raise typer.Exit(exits.INTERRUPTED) from None


def _render(summary: dict[str, Any]) -> Any:
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for key, value in summary.items():
        table.add_row(key, str(value))
    return table


def _flags(spec: "GameSpec") -> list[Flag]:
    """Every scalar at the top of the training configuration."""
    fields = spec.learning.training.config.model_fields if spec.learning.training else {}
    scalars = {name: field for name, field in fields.items() if field.annotation in (int, float, str, bool)}
    return [
        Flag(
            name,
            getattr(field.annotation, "__name__", "value").upper(),
            f"{field.description or name} (else the config's)",
        )
        for name, field in scalars.items()
    ]


def _bind(spec: "GameSpec", given: dict[str, Any]) -> dict[str, Any]:
    return {"spec": spec, "changes": given}


command = GameVerb(train, _flags, _bind)
