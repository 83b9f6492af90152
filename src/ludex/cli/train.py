"""`ludex train`: make an agent stronger."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli import exits, parameters
from ludex.cli.gameverb import Flag, GameVerb

if TYPE_CHECKING:
    from ludex.core.spec import GameSpec


def train(
    spec: Any,
    changes: dict[str, str],
    *,
    config: Annotated[str | None, typer.Option(help="a shipped configuration, or a path to a .yaml file")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="change a key: a.b=value; may be repeated")] = None,
    resume: Annotated[str | None, typer.Option(metavar="RUN", help="go on with a run that was stopped")] = None,
    as_json: parameters.Json = False,
) -> None:
    """Train an agent; the run's folder keeps configuration, metrics, checkpoints and summary."""
    from importlib.util import find_spec

    from ludex.cli.output import emit, note, progress
    from ludex.core.errors import BadOption, MissingDependency, Unsupported
    from ludex.core.folders import runs_folder
    from ludex.core.registry import resolve
    from ludex.learn.config import dump_config, load_config, parse_changes, parse_config
    from ludex.learn.runs import Run

    if spec.training is None:
        raise Unsupported(f"{spec.id} has nothing to train")
    training = spec.training
    missing = [name for name in training.requires if find_spec(name) is None]
    if missing:
        raise MissingDependency(f"{', '.join(missing)} is not installed: pip install 'ludex[train]'")
    if resume is not None:
        if config is not None or set_ or changes:
            raise BadOption("--resume goes on with the run's own configuration: no other option fits beside it")
        run = Run.open(runs_folder(), resume)
        if run.game != spec.id:
            raise BadOption(f"run {resume!r} is of {run.game}, not of {spec.id}")
        chosen = parse_config(training.config, run.config_text, f"{run.name}/config.yaml")
    else:
        given = parse_changes([*(f"{key}={value}" for key, value in changes.items()), *(set_ or [])])
        name = training.default if config is None else config
        chosen = load_config(training.config, training.configs, name, given)
        run = Run.create(runs_folder(), spec.id, name, dump_config(chosen))
    note(f"run {run.name}")
    try:
        with run.held(), progress(f"training {spec.id}", getattr(chosen, training.amount)) as advance:
            summary = resolve(training.run)(chosen, run, advance)
            run.finish(summary)
    except KeyboardInterrupt:
        note(f"interrupted; go on with: ludex train {spec.id} --resume {run.name}")
        raise typer.Exit(exits.INTERRUPTED) from None
    emit(summary, as_json, lambda: _told(summary))


def _told(summary: dict[str, Any]) -> Any:
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for key, value in summary.items():
        table.add_row(key, str(value))
    return table


def _flags(spec: "GameSpec") -> list[Flag]:
    """Every scalar at the top of the training configuration."""
    fields = spec.training.config.model_fields if spec.training else {}
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
