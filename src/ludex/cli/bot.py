"""`ludex bot`: agents for other machines, over HTTP."""

from typing import Annotated

import typer

from ludex.core.errors import BadOption

app = typer.Typer(no_args_is_help=True, help="Serve an agent to other machines, over HTTP.")


@app.callback()
def bot() -> None:
    """Serve an agent to other machines, over HTTP."""


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
    from ludex.operations.permissions import VISITOR
    from ludex.remote.address import read_key
    from ludex.remote.bot_server import BotServer
    from ludex.store.services import lazy_services

    token = read_key(token_env, "--token-env")
    if not token and host not in ("127.0.0.1", "localhost"):
        raise BadOption(f"--host {host}: other machines may call it, so it needs a token: --token-env VARIABLE")
    try:
        server = BotServer(
            agent, host=host, port=port, token=token, services=lazy_services(), check_board=VISITOR.check_board
        )
    except OSError as error:
        raise BadOption(f"--port {port}: cannot listen there on {host}: {error.strerror}") from error
    print(f"{agent} plays at {server.url}; Ctrl-C ends it", flush=True)
    try:
        server.serve()
    except KeyboardInterrupt:
        """The way to end it."""
    finally:
        server.close()
