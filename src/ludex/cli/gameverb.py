"""`ludex VERB GAME`: one subcommand per game, built from its GameSpec on demand."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from ludex.core import registry

if TYPE_CHECKING:
    from ludex.core.game import AnyGame
    from ludex.core.spec import GameSpec

    Command = Any

_NO_GAME = "menu"


def keyword(name: str, annotation: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    """A parameter of a command, as Typer takes it."""
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def command_of(name: str, function: Callable[..., None], **settings: Any) -> "Command":
    """A function as a command of its own."""
    app = typer.Typer(add_completion=False, rich_markup_mode="rich")
    app.command(name, **settings)(function)
    return typer.main.get_command(app)


class LazyCommand(TyperCommand):
    """A command that is built when its options are asked for: a list of commands needs its name and summary alone."""

    def __init__(self, name: str, summary: str, build: "Callable[[], Command]") -> None:
        super().__init__(name, callback=None, help=summary, short_help=summary, rich_markup_mode="rich")
        self._build = build

    @cached_property
    def _command(self) -> "Command":
        return self._build()

    def get_params(self, ctx: Any) -> Any:
        return self._command.get_params(ctx)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        self._command.format_help(ctx, formatter)

    def invoke(self, ctx: Any) -> Any:
        return self._command.invoke(ctx)


@dataclass(frozen=True)
class Flag:
    """A flag that a game defines; the game's own model checks its value."""

    name: str
    metavar: str
    help: str
    default: str | None = None
    known: tuple[str, ...] = ()
    """Values that shell completion offers; others may be given."""

    def offer(self) -> tuple[str, ...]:
        return self.known


class GameVerb(TyperGroup):
    """A verb whose flags depend on the game.

    `function` is an ordinary Typer function with one more parameter, `board` or `spec`, filled from the game's flags.
    """

    def __init__(
        self,
        function: Callable[..., None],
        flags: "Callable[[GameSpec], list[Flag]]",
        bind: "Callable[[GameSpec, dict[str, Any]], dict[str, Any]]",
        without_game: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(
            name=function.__name__.rstrip("_").replace("_", "-"),
            help=inspect.getdoc(function),
            no_args_is_help=without_game is None,
            subcommand_metavar="GAME [ARGS]..." if without_game is None else "[GAME] [ARGS]...",
            rich_markup_mode="rich",
        )
        self._without_game = without_game
        self._function = function
        self._flags = flags
        self._bind = bind

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # A shell that completes the game's name parses as well, and is offered the games.
        menu = not args and self._without_game is not None and not ctx.resilient_parsing
        return super().parse_args(ctx, [_NO_GAME] if menu else args)

    def list_commands(self, ctx: Any) -> list[str]:
        return [*registry.summaries()]

    def get_command(self, ctx: Any, cmd_name: str) -> "Command":
        """The verb for one game. Raises `UnknownGame`."""
        if cmd_name == _NO_GAME and self._without_game is not None:
            return command_of(_NO_GAME, self._without_game, short_help="Choose by a menu.")
        if cmd_name not in registry.names() and ctx.resilient_parsing:
            # A shell that completes what follows a misspelt game is offered the games.
            return None
        summary = registry.summaries().get(cmd_name)
        # A misspelt or broken game is refused at once.
        return (
            self._for_game(cmd_name)
            if summary is None
            else LazyCommand(cmd_name, plain(summary), partial(self._for_game, cmd_name))
        )

    def _for_game(self, name: str) -> "Command":
        spec = registry.spec(name)
        return command_for(spec, name, plain(spec.summary), self._function, self._flags(spec), self._bind)


def command_for(
    spec: "GameSpec",
    name: str,
    summary: str,
    function: Callable[..., None],
    flags: list[Flag],
    bind: "Callable[[GameSpec, dict[str, Any]], dict[str, Any]]",
) -> "Command":
    """A function as a command for one game: the game's flags come in, and what `bind` makes of them fills the rest."""

    def run(**values: Any) -> None:
        typed = {flag.name: values.pop(parameter) for flag, parameter in _parameters(function, flags)}
        bound = bind(spec, {name: value for name, value in typed.items() if value is not None})
        function(**bound, **values)

    run.__doc__ = f"{inspect.getdoc(function)}\n\n{plain(spec.title)}: {plain(spec.summary)}"
    run.__signature__ = _signature(function, flags)  # type: ignore[attr-defined]
    return command_of(name, run, short_help=summary)


def board_verb(function: Callable[..., None], without_game: Callable[[], None] | None = None) -> GameVerb:
    """A verb that needs a game on a board: its parameter `board` is made from --preset and the game's options."""

    def bind(spec: "GameSpec", given: dict[str, Any]) -> dict[str, Any]:
        return {"board": board_of(spec, given)}

    return GameVerb(function, board_flags, bind, without_game)


def board_flags(spec: "GameSpec") -> list[Flag]:
    """--preset, and a flag for each option of the game."""
    presets = (*spec.presets, *spec.aliases)
    flags = [Flag("preset", "NAME", f"board: {', '.join(presets)}", spec.default_preset, presets)]
    for name, field in spec.options.model_fields.items():
        flags.append(Flag(name, "VALUE", f"{field.description or name} (from the preset unless given)"))
    return flags


def board_of(spec: "GameSpec", given: dict[str, Any]) -> "AnyGame":
    """The board that these flags describe."""
    return registry.make(spec.id, given.pop("preset"), **given)


def plain(text: str) -> str:
    """A text with rich's markup escaped."""
    from rich.markup import escape

    return escape(text)


def _own(function: Callable[..., None]) -> list[inspect.Parameter]:
    """The verb's own parameters: all but those that are filled."""
    filled = {"board", "spec", "changes", "progress"}
    return [p for p in inspect.signature(function, eval_str=True).parameters.values() if p.name not in filled]


def _parameters(function: Callable[..., None], flags: list[Flag]) -> list[tuple[Flag, str]]:
    """Each flag with its parameter's name: one that the verb has already becomes `--game-name`."""
    names = {parameter.name for parameter in _own(function)}
    return [(flag, f"game_{flag.name}" if flag.name in names else flag.name) for flag in flags]


def _signature(function: Callable[..., None], flags: list[Flag]) -> inspect.Signature:
    brought = []
    for flag, parameter in _parameters(function, flags):
        name = f"--{parameter.replace('_', '-')}"
        option = typer.Option(name, metavar=flag.metavar, help=flag.help, autocompletion=flag.offer)
        brought.append(keyword(parameter, Annotated[str | None, option], flag.default))
    return inspect.Signature([*_own(function), *brought])
