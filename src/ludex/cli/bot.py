"""`ludex bot`: agents for other machines, over HTTP, and on the ladders of other servers."""

from typing import TYPE_CHECKING, Annotated

import typer

from ludex.core.errors import BadOption

if TYPE_CHECKING:
    from ludex.remote.bot_server import AgentOnBoards

app = typer.Typer(no_args_is_help=True, help="Let an agent play with other machines.")


@app.callback()
def bot() -> None:
    """Let an agent play with other machines."""


@app.command()
def serve(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="the agent, as anywhere else, such as hard or mcts")],
    *,
    host: Annotated[str, typer.Option(help="address to listen on; other machines need --token-env")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="port to listen on; 0 takes a free one")] = 9000,
    token_env: Annotated[
        str | None, typer.Option(metavar="VARIABLE", help="variable of the environment with the token of callers")
    ] = None,
) -> None:
    """Answer positions with an agent's moves until Ctrl-C. Any game that has such an agent is played."""
    from ludex.remote.address import read_key
    from ludex.remote.bot_server import BotServer

    token = read_key(token_env, "--token-env")
    if not token and host not in ("127.0.0.1", "localhost"):
        raise BadOption(f"--host {host}: other machines may call it, so it needs a token: --token-env VARIABLE")
    try:
        server = BotServer(_boards(agent), host=host, port=port, token=token)
    except OSError as error:
        raise BadOption(f"--port {port}: cannot listen there on {host}: {error.strerror}") from error
    print(f"{agent} plays at {server.url}; Ctrl-C ends it", flush=True)
    try:
        server.serve()
    except KeyboardInterrupt:
        """The way to end it."""
    finally:
        server.close()


@app.command()
def join(
    url: Annotated[str, typer.Argument(metavar="URL", help="page of the ladder, such as http://HOST/tournaments/NAME")],
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="the agent, as anywhere else, such as hard or mcts")],
    *,
    token_env: Annotated[
        str, typer.Option(metavar="VARIABLE", help="variable of the environment with the token of the bot")
    ] = "LUDEX_BOT_TOKEN",
) -> None:
    """Play on a ladder until Ctrl-C. The connection goes outward, and is made again when it is lost."""
    from ludex.cli.output import note
    from ludex.remote.address import read_key
    from ludex.remote.ladder import join as join_ladder

    boards = _boards(agent)
    try:
        join_ladder(url, read_key(token_env, "--token-env"), boards, note)
    except KeyboardInterrupt:
        """The way to end it."""
    finally:
        boards.close()


def _boards(agent: str) -> "AgentOnBoards":
    from ludex.operations.permissions import VISITOR
    from ludex.remote.bot_server import AgentOnBoards
    from ludex.store.services import lazy_services

    return AgentOnBoards(agent, lazy_services(), VISITOR.check_board)
