"""`ludex mcp`: Ludex for assistants that speak the Model Context Protocol."""

import socket
from typing import Annotated

import typer

from ludex.core.errors import BadOption

HOST = "127.0.0.1"
"""This machine alone."""


def mcp(
    *,
    http: Annotated[bool, typer.Option("--http", help="over HTTP on this machine instead of standard input")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="port of --http")] = 8765,
) -> None:
    """Serve games, advice, reviews and puzzles to an assistant, by the Model Context Protocol."""
    from ludex.assistant.server import make_server
    from ludex.cli.output import note
    from ludex.store.services import lazy_services

    server = make_server(lazy_services())
    if not http:
        server.run("stdio")
        return
    import uvicorn

    try:
        listener = socket.create_server((HOST, port))
    except OSError as error:
        raise BadOption(f"--port {port}: cannot listen there: {error.strerror}") from error
    note(f"Ludex listens at http://{HOST}:{listener.getsockname()[1]}/mcp; Ctrl-C ends it")
    # The SDK refuses other hosts and origins there.
    app = server.streamable_http_app(host=HOST)
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])
