"""The tools as a server of the Model Context Protocol, over standard input and output or over HTTP."""

import functools
from collections.abc import Callable
from typing import Any, Final

from ludex import __version__
from ludex.assistant.session import Session
from ludex.core.errors import LudexError, MissingDependency
from ludex.core.services import Services

INSTRUCTIONS: Final = (
    "Ludex plays grid games. Begin with list_games, then new_match; play moves in the game's notation, which rules "
    "explains. A line of moves is written GAME BOARD: MOVE MOVE, such as 'tictactoe 3x3x3: b2 a1'."
)


def make_server(services: Services | None = None) -> Any:
    """The server with its tools. Raises `MissingDependency` without the SDK."""
    try:
        from mcp.server.mcpserver import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
    except ImportError as error:
        raise MissingDependency("ludex mcp needs the package mcp: pip install 'ludex[mcp]'") from error
    server = MCPServer("ludex", title="Ludex", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING")

    def tool(function: Callable[..., Any]) -> None:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                return function(*args, **kwargs)
            except LudexError as error:
                raise ToolError(f"{error.code}: {error.message}") from error

        server.tool(structured_output=False)(call)

    for function in Session(services).tools:
        tool(function)
    return server
