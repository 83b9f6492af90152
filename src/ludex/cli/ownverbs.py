"""`ludex GAME VERB`: the verbs of one game and those of every game's networks, built from its GameSpec on demand."""

import inspect
import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from ludex.cli import completion, exits, parameters
from ludex.cli.gameverb import Flag, board_flags, board_of, command_for, keyword, plain
from ludex.cli.operations import note_interruption
from ludex.cli.output import emit, progress
from ludex.core import registry

if TYPE_CHECKING:
    from ludex.core.spec import GameSpec, Ref
    from ludex.core.verb import VerbResult


_EXECUTOR_FLAGS = (
    keyword("executor", parameters.Executor, "local"),
    keyword("workers", parameters.Workers, 1),
    keyword("address", parameters.Address, "auto"),
)
"""The flags that select where the tasks of a verb run, in the order of `executor_of`."""
_AS_JSON = keyword("as_json", parameters.Json, False)


class WithGames(TyperGroup):
    """The root: a name that is not a verb may be a game. Help lists no games, so that it loads none."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, with_games_of_folders(completion.with_shell(args)))

    def get_params(self, ctx: Any) -> Any:
        parameters = super().get_params(ctx)
        for parameter in parameters:
            # Typer loads pydantic to check a value: what was not given needs no check.
            process = partial(_process_given, parameter.default, parameter.process_value)
            vars(parameter).setdefault("process_value", process)
        return parameters

    def list_commands(self, ctx: Any) -> list[str]:
        # A shell that completes a name is offered the games as well.
        return super().list_commands(ctx) + (registry.names() if ctx.resilient_parsing else [])

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A verb, or the verbs of a game."""
        command = super().get_command(ctx, cmd_name)
        return OwnVerbs(registry.spec(cmd_name)) if command is None and cmd_name in registry.names() else command


def with_games_of_folders(arguments: list[str]) -> list[str]:
    """The arguments, with the game's name for every folder of a package with a game, which is made known.

    `check` and `serve` take the folder itself, and `new` makes one.
    """
    if {"check", "serve", "new"} & {*arguments[:2]}:
        return arguments
    return [_game_of_folder(argument) for argument in arguments]


def _game_of_folder(argument: str) -> str:
    from pathlib import Path

    if argument.startswith("-") or not os.path.isfile(file := os.path.join(argument, "pyproject.toml")):
        return argument
    if registry.GAME_GROUP not in Path(file).read_text(encoding="utf-8"):
        return argument
    from ludex.core.source_package import game_of

    return argument if argument in registry.names() else game_of(Path(argument))


def _process_given(default: Any, process: Callable[[Any, Any], Any], context: Any, value: Any) -> Any:
    return value if value is None or value == default else process(context, value)


def game_verbs(spec: "GameSpec") -> "dict[str, Ref]":
    """What `ludex GAME NAME` runs, by name: the game's own verbs, then those of every game."""
    return {
        **spec.tools.verbs,
        "export": "ludex.cli.network_verbs:export",
        "measure": spec.tools.measure or "ludex.cli.network_verbs:measure",
    }


class OwnVerbs(TyperGroup):
    """The verbs of one game."""

    def __init__(self, spec: "GameSpec") -> None:
        super().__init__(
            name=spec.id,
            help=f"{plain(spec.title)}: {plain(spec.summary)}",
            no_args_is_help=True,
            subcommand_metavar="VERB [ARGS]...",
            rich_markup_mode="rich",
        )
        self._spec = spec

    def list_commands(self, ctx: Any) -> list[str]:
        return list(game_verbs(self._spec))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        verbs = game_verbs(self._spec)
        if cmd_name not in verbs:
            return None
        verb = registry.resolve(verbs[cmd_name])
        accepted = inspect.signature(verb).parameters

        def bind(spec: "GameSpec", given: dict[str, Any]) -> dict[str, Any]:
            filled = {"board": board_of(spec, given)} if "board" in accepted else {}
            return filled | ({"progress": progress} if "progress" in accepted else {})

        flags: list[Flag] = board_flags(self._spec) if "board" in accepted else []
        summary = plain((inspect.getdoc(verb) or "").partition("\n")[0])
        return command_for(self._spec, cmd_name, summary, _printing(verb), flags, bind)


def _printing(verb: "Callable[..., VerbResult]") -> Callable[..., None]:
    """The verb as a function that prints its result, with --json."""

    own = inspect.signature(verb, eval_str=True).parameters
    executor_flags = _EXECUTOR_FLAGS if "executor" in own else ()

    def run(*, as_json: bool, **values: Any) -> None:
        from ludex.operations.requests import executor_of

        if executor_flags:
            values["executor"] = executor_of(*(values.pop(parameter.name) for parameter in executor_flags))
        with note_interruption():
            result = verb(**values)
        emit(result.document, as_json, result.render)
        if result.document.get("interrupted"):
            raise typer.Exit(exits.INTERRUPTED)

    flags = [parameter for name, parameter in own.items() if name != "executor"]
    run.__doc__ = inspect.getdoc(verb)
    run.__signature__ = inspect.Signature([*flags, *executor_flags, _AS_JSON])  # type: ignore[attr-defined]
    return run
