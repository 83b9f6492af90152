"""`ludex ladder`: tournaments of invited bots, which connect by `ludex bot join`."""

from typing import Annotated

import typer

from ludex.cli import completion, parameters
from ludex.cli.output import emit

app = typer.Typer(no_args_is_help=True, help="Make ladders, on which invited bots play each other.")
Name = Annotated[str, typer.Argument(metavar="NAME", help="name of the ladder")]


@app.callback()
def ladder() -> None:
    """Make ladders, on which invited bots play each other."""


@app.command()
def create(
    name: Name,
    game: Annotated[str, typer.Argument(metavar="GAME", autocompletion=completion.games)],
    *,
    preset: Annotated[str | None, typer.Option(help="board; the game's default if none is named")] = None,
    clock: Annotated[str, typer.Option(metavar="SECONDS[+INCREMENT]", help="time of each bot for a game")] = "60+1",
    opening_plies: Annotated[int, typer.Option(min=0, max=64, help="random moves at the beginning of a game")] = 2,
    games: Annotated[int, typer.Option(min=2, max=10**5, help="most games of two bots against each other")] = 200,
    seed: Annotated[int, typer.Option(min=0, max=2**63, help="seed of openings and dice")] = 0,
    as_json: parameters.Json = False,
) -> None:
    """Begin a ladder. `ludex serve` shows it at /tournaments/NAME."""
    from ludex.core.clock import Clock
    from ludex.core.folders import tournaments_folder
    from ludex.core.registry import make
    from ludex.remote.ladder import make_ladder

    board = make(game, preset)
    make_ladder(
        tournaments_folder(),
        name,
        board,
        clock=Clock.parse(clock),
        opening_plies=opening_plies,
        games=games,
        seed=seed,
    )
    document = {"name": name, "game": board.info.id, "preset": board.info.preset}
    emit(
        document,
        as_json,
        lambda: f"{name}: {board.info.id} {board.info.preset}; invite bots: ludex ladder invite {name} BOT",
    )


@app.command()
def invite(
    name: Name,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="the bot's name")],
    as_json: parameters.Json = False,
) -> None:
    """Print a token for a bot. It is kept nowhere; a bot that had one needs this one from now on."""
    from ludex.core.folders import tournaments_folder
    from ludex.remote.ladder import invite as invite_bot

    token = invite_bot(tournaments_folder(), name, bot)
    emit({"name": name, "bot": bot, "token": token}, as_json, lambda: token)
