"""Commands made from operations: flags from their descriptions, requests from flags, and what runs them."""

import inspect
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from ludex.cli import completion, exits, parameters
from ludex.cli.gameverb import GameVerb, board_verb, keyword
from ludex.cli.output import emit, note, progress, progress_lines
from ludex.core.registry import resolve
from ludex.operations.description import OPERATIONS, OptionField, describe

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ludex.operations.operation import Request, Result

_LONG: Final = ("train", "tune", "tournament")
"""Operations of minutes and hours, whose progress is printed where there is no terminal, too."""
BEGAN: Final = ContextVar[float]("began")
"""When the command began, by `time.perf_counter`."""
_TYPES: Final = {"integer": int, "number": float, "boolean": bool}


def command_fields(operation: str) -> list[OptionField]:
    """The options of a command that runs an operation at once."""
    return [field for field in describe(operation).fields if not field.job_only]


def flag_of(field: OptionField) -> inspect.Parameter:
    """The parameter of an option, as Typer takes it."""
    plain = field.parse is None and not field.repeated
    base: Any = _TYPES.get(field.kind, str) if plain else str
    if field.kind == "choice" and plain:
        base = Literal[tuple(field.choices)]
    if field.repeated:
        base = list[str]
    default = field.default if plain else None
    if field.argument:
        argument = typer.Argument(metavar=field.metavar, help=field.help["en"])
        return keyword(_parameter(field), Annotated[base, argument])
    flag = f"{field.flag}/--no-{field.flag[2:]}" if field.kind == "boolean" and default else field.flag
    option = typer.Option(
        flag,
        metavar=field.metavar,
        min=field.least if base in (int, float) else None,
        max=field.most if base in (int, float) else None,
        help=f"{field.help['en']}; may be repeated" if field.repeated else field.help["en"],
        show_default=field.default_text or True,
        autocompletion=None if field.completion is None else getattr(completion, field.completion),
    )
    optional = default is None and not field.required
    annotation: Any = Annotated[base | None if optional else base, option]
    return keyword(_parameter(field), annotation, inspect.Parameter.empty if field.required else default)


def take_values(fields: Sequence[OptionField], values: dict[str, Any]) -> dict[str, Any]:
    """Take the values of flags out of all values, as the request has them; what was not given is left out."""
    options = {}
    for field in fields:
        value = values.pop(_parameter(field))
        if value is not None:
            options[field.name] = value if field.parse is None else resolve(field.parse)(value)
    return options


def operation_verb(operation: str, function: Callable[..., None]) -> GameVerb:
    """`ludex VERB GAME` of an operation on a board; the function gets the checked request, and prints its result."""
    fields = command_fields(operation)

    def run(board: Any, **values: Any) -> None:
        options = {"game": board.info.id, "preset": board.info.preset, **take_values(fields, values)}
        function(request_of(operation, options), **values)

    return board_verb(with_flags(run, function, fields, operation))


def printing_verb(operation: str, name: str, render: "Callable[[Any], RenderableType]") -> GameVerb:
    """`ludex VERB GAME` of an operation whose result is printed as it is."""

    def run(request: Any, *, as_json: parameters.Json = False) -> None:
        result = perform(operation, request)
        emit(result.model_dump(mode="json"), as_json, lambda: render(result))
        exit_if_interrupted(result)

    run.__name__ = name
    return operation_verb(operation, run)


def with_flags(
    run: Callable[..., None],
    function: Callable[..., None],
    fields: Sequence[OptionField],
    operation: str,
    game: Any = None,
) -> Callable[..., None]:
    """`run` under the name of a function, with its keywords and a flag per option; `game` annotates an argument."""
    keywords = inspect.signature(function, eval_str=True).parameters.values()
    own = [parameter for parameter in keywords if parameter.kind is inspect.Parameter.KEYWORD_ONLY]
    run.__name__ = function.__name__
    run.__doc__ = describe(operation).help["en"]
    parameters = [*([] if game is None else [keyword("game", game)]), *map(flag_of, fields), *own]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return run


def request_of(operation: str, options: dict[str, Any]) -> "Request":
    """The request of a command, which has no limits. Raises what is wrong with it."""
    request: Request = resolve(OPERATIONS[operation]).parse(options)
    return request.checked(None, remote=None)


def perform(operation: str, request: "Request", **context: Any) -> "Result":
    """Run an operation for a person, with a progress bar; an interruption without a result ends the command."""
    with note_interruption():
        result: Result = resolve(OPERATIONS[operation]).run(request, make_context(operation, request, **context))
    return result


@contextmanager
def note_interruption() -> Iterator[None]:
    """Say what an interruption without a result says, and end the command with its code."""
    from ludex.operations.operation import Interrupted

    try:
        yield
    except Interrupted as interruption:
        note(str(interruption))
        raise typer.Exit(exits.INTERRUPTED) from None


def make_context(operation: str, request: "Request | None" = None, **context: Any) -> Any:
    """What a command gives to an operation."""
    from ludex.core.executor import InProcess
    from ludex.operations.operation import Context

    isolated = resolve(OPERATIONS[operation]).isolated
    executor = InProcess() if request is None else request.make_executor(isolated=isolated)
    lines = progress_lines if operation in _LONG else progress
    began = BEGAN.get(time.perf_counter())
    return Context(executor=executor, progress=lines, note=note, began=began, **context)


def exit_if_interrupted(result: "Result") -> None:
    """End the command with the code of an interruption if the result is of one."""
    if result.is_partial:
        raise typer.Exit(exits.INTERRUPTED)


def _parameter(field: OptionField) -> str:
    return field.flag.removeprefix("--").replace("-", "_")
