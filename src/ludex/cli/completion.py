"""Completions for shells, and the scripts that install them."""

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer
from typer.completion import install_callback, show_callback

from ludex.core import registry

if TYPE_CHECKING:
    from ludex.core.spec import GameSpec

Shell = Literal["this", "bash", "zsh", "fish", "powershell", "pwsh"]
FLAGS: Final = ("--install-completion", "--show-completion")


def _install(ctx: typer.Context, value: str | None) -> None:
    install_callback(ctx, _NO_PARAMETER, _shell_name(value))


def _show(ctx: typer.Context, value: str | None) -> None:
    show_callback(ctx, _NO_PARAMETER, _shell_name(value))


def _shell_name(shell: str | None) -> str | bool | None:
    """The shell as Typer takes it: True detects the current shell."""
    return True if shell == "this" else shell


_NO_PARAMETER: Any = None
"""Typer's callbacks take the parameter and do not use it."""
Install = Annotated[
    Shell | None,
    typer.Option(
        FLAGS[0],
        metavar="[SHELL]",
        callback=_install,
        is_eager=True,
        help="install completion for bash, zsh, fish or powershell; this shell if none is named",
    ),
]
Show = Annotated[
    Shell | None,
    typer.Option(
        FLAGS[1], metavar="[SHELL]", callback=_show, is_eager=True, help="print the script that would be installed"
    ),
]


def with_shell(arguments: list[str]) -> list[str]:
    """The arguments, with `this` after a final flag that names no shell.

    >>> with_shell(["--show-completion"]), with_shell(["--show-completion", "zsh"])
    (['--show-completion', 'this'], ['--show-completion', 'zsh'])
    """
    return [*arguments, "this"] if arguments and arguments[-1] in FLAGS else arguments


def games() -> list[str]:
    """Every game."""
    return registry.names()


def games_with_rankings() -> list[str]:
    """The games with rankings."""
    return [spec.id for spec in registry.available()[0] if spec.learning.rankings is not None]


def ranked_presets(ctx: typer.Context) -> list[str]:
    """The boards of the game that `--game` names, else of all games with rankings."""
    named = ctx.params.get("game")
    return [preset for game in games_with_rankings() if named in (None, game) for preset in registry.spec(game).presets]


def agent(ctx: typer.Context) -> list[tuple[str, str]]:
    """The agents and levels of the game, each with its summary."""
    game = _game_of(ctx)
    levels = {name: level.description.text() for name, level in game.levels.items()}
    return [*{**levels, **{name: described.summary for name, described in game.agents.items()}}.items()]


def agents(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """The agents that may follow the comma-separated ones already named."""
    prefix = incomplete[: incomplete.rfind(",") + 1]
    return [(prefix + name, summary) for name, summary in agent(ctx)]


def boards(ctx: typer.Context) -> list[str]:
    """The boards of the game."""
    return list(_game_of(ctx).presets)


def configs(ctx: typer.Context) -> list[str]:
    """The configurations that ship for the game."""
    from ludex.learn.trainings import training_names

    return training_names(_game_of(ctx))


def runs() -> list[str]:
    """The training runs."""
    from ludex.core.folders import runs_folder
    from ludex.learn.runs import list_runs

    return [run.name for run in list_runs(runs_folder())]


def jobs() -> list[str]:
    """The jobs of the laboratory."""
    from ludex.lab.jobs import list_jobs

    return [job.id for job in list_jobs()]


def _game_of(ctx: typer.Context) -> "GameSpec":
    """The game of `ludex VERB GAME`, whose command has the game's name, or of `ludex jobs start OPERATION GAME`."""
    # An argument before the word that is completed is not parsed yet.
    names = (ctx.params["game"], *ctx.args) if "game" in ctx.params else (ctx.info_name,)
    return registry.spec(next((str(name) for name in names if name), ""))
