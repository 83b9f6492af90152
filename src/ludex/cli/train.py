"""`ludex train`: train an agent."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli import completion, parameters
from ludex.cli.gameverb import Flag, GameVerb
from ludex.cli.operations import (
    command_fields,
    make_context,
    note_interruption,
    perform,
    request_of,
    take_values,
    with_flags,
)
from ludex.cli.output import emit, facts_of, table_of
from ludex.core.errors import BadOption

if TYPE_CHECKING:
    from ludex.core.spec import GameSpec
    from ludex.operations.training import TrainingResult

_FIELDS = command_fields("train")


def train(
    spec: Any,
    changes: dict[str, str],
    *,
    resume: Annotated[
        str | None,
        typer.Option(metavar="RUN", help="resume an interrupted run", autocompletion=completion.runs),
    ] = None,
    as_json: parameters.Json = False,
    **values: Any,
) -> None:
    """Train, and print the summaries; `changes` are the game's own flags."""
    values["set"] = [*(f"{key}={value}" for key, value in changes.items()), *(values["set"] or [])] or None
    options = take_values(_FIELDS, values)
    if resume is None:
        result: Any = perform("train", request_of("train", {"game": spec.id, **options}))
    else:
        result = _resume(spec, resume, options)
    # Only the first of several processes has something to print.
    if result.trained:
        _emit(result, as_json)


def _resume(spec: "GameSpec", resume: str, options: dict[str, Any]) -> Any:
    from ludex.operations import training

    fitting: dict[str, Any] = {key: options.pop(key) for key in ("minutes", "log") if key in options}
    if any((key, value) not in (("seeds", 1), ("measured", 0)) for key, value in options.items()):
        raise BadOption("--resume goes on with the run's own configuration: no other option fits beside it")
    request = training.TRAINING.parse({"game": spec.id, **fitting})
    with note_interruption():
        return training.resume(spec, resume, request.minutes, request.log, make_context("train"))


def _emit(result: "TrainingResult", as_json: bool) -> None:
    runs = [run.model_dump(mode="json") for run in result.trained]
    if result.group is None:
        emit(runs[0]["summary"], as_json, lambda: facts_of(runs[0]["summary"]))
    else:
        emit({"group": result.group, "runs": runs}, as_json, lambda: _render_all(runs))


def _render_all(runs: list[dict[str, Any]]) -> Any:
    changes = [" ".join(f"{key}={value}" for key, value in run["changes"].items()) for run in runs]
    rows = [(run["run"], run["state"], text) for run, text in zip(runs, changes, strict=True)]
    return table_of("run", "state", "changes", rows=rows)


def _flags(spec: "GameSpec") -> list[Flag]:
    """Every scalar at the top of the game's training configurations, except those that the verb has itself."""
    from ludex.learn.trainings import trainings

    flags: dict[str, Flag] = {}
    for training in trainings(spec):
        for name, field in training.config.model_fields.items():
            kind = _scalar(field.annotation)
            if kind is not None and name not in flags and name != "minutes":
                flags[name] = Flag(name, kind.upper(), f"{field.description or name} (else the config's)")
    return [*flags.values()]


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
        inner = [part for part in get_args(annotation) if part is not NoneType]
        return _scalar(inner[0]) if len(inner) == 1 else None
    return None


def _bind(spec: "GameSpec", given: dict[str, Any]) -> dict[str, Any]:
    return {"spec": spec, "changes": given}


command = GameVerb(with_flags(train, train, _FIELDS, "train"), _flags, _bind)
