"""The `ludex` command: its verbs, its errors and its exit codes."""

import os
import sys
import time
from functools import cache
from inspect import isfunction
from typing import Annotated, Any, Final

import typer
from typer._completion_classes import completion_init

from ludex import __version__
from ludex.cli import completion, exits
from ludex.cli.operations import BEGAN
from ludex.cli.output import note
from ludex.cli.ownverbs import WithGames
from ludex.core.errors import LudexError
from ludex.core.log import configure
from ludex.core.registry import resolve
from ludex.kernels.compilations import on_compilation

_EXITS = " · ".join(f"[bold]{code}[/] {meaning}" for code, meaning in exits.MEANINGS.items())

app = typer.Typer(
    cls=WithGames,
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    epilog=f"`ludex GAME --help` lists the verbs of one game alone.\n\nExit codes: {_EXITS}",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(requested: bool) -> None:
    if requested:
        print(f"ludex {__version__}")
        raise typer.Exit


@cache
def note_compilation() -> None:
    """Say once what a person waits for."""
    note("compiling for this computer, which takes some seconds; kept for the next time")


@app.callback()
def ludex(
    verbose: Annotated[
        int, typer.Option("-v", "--verbose", count=True, help="log to standard error; -vv for more")
    ] = 0,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version")
    ] = False,
    install_completion: completion.Install = None,
    show_completion: completion.Show = None,
) -> None:
    """A laboratory and an arcade for machine players on grid games."""
    configure(verbose)
    if sys.stderr.isatty():
        on_compilation(lambda kernel: note_compilation())


_COMMANDS: Final[dict[str, Any]] = {
    name: resolve(f"ludex.cli.{reference}")
    for name, reference in {
        "serve": "serve:command",
        "login": "login:login",
        "play": "play:command",
        "games": "games:games",
        "match": "match:command",
        "tournament": "tournament:command",
        "eval": "eval:command",
        "eval-llm": "eval_llm:command",
        "train": "train:command",
        "tune": "tune:command",
        "runs": "runs:app",
        "jobs": "jobs:app",
        "agents": "agents:app",
        "analyse": "analyse:command",
        "replay": "replay:replay",
        "review": "review:command",
        "matches": "matches:app",
        "puzzles": "puzzles:app",
        "rankings": "rankings:app",
        "backup": "backup:backup",
        "restore": "backup:restore",
        "perft": "perft:command",
        "engine": "engine:command",
        "bot": "bot:app",
        "ladder": "ladder:app",
        "mcp": "mcp:mcp",
        "bench": "bench:command",
        "new": "new:app",
        "check": "check:check",
        "warmup": "warmup:warmup",
        "doctor": "doctor:doctor",
        "openapi": "serve:openapi",
    }.items()
}
"""In the order of the help: functions, groups of commands, and commands made on demand."""
for _name, _entry in _COMMANDS.items():
    if isinstance(_entry, typer.Typer):
        app.add_typer(_entry, name=_name)
    elif isfunction(_entry):
        app.command(_name)(_entry)


def command() -> Any:
    """The whole command line, games included."""
    completion_init()
    root: Any = typer.main.get_command(app)
    root.commands = {name: root.commands.get(name, entry) for name, entry in _COMMANDS.items()}
    return root


def main() -> None:
    """Run, and turn every LudexError into one line and an exit code."""
    BEGAN.set(time.perf_counter())
    try:
        command()(prog_name="ludex")
    except LudexError as error:
        note(f"error [{error.code}]: {error.message}")
        sys.exit(exits.exit_code(error))
    except OSError as error:
        # Standard output is full or gone: what is left in its buffer must not fail once more when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        note(f"error [output]: {error.strerror or error}")
        sys.exit(exits.FAILURE)
