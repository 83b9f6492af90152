"""`ludex login`: a fresh login link of a running server."""

from typing import Annotated

import typer

from ludex.cli import parameters
from ludex.cli.output import emit


def login(
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="of which server, if several run here")] = None,
    as_json: parameters.Json = False,
) -> None:
    """Print a fresh login link of the server that runs on this data folder.

    The browser that opens it is the administrator of that server; it works once and for 15 minutes.
    """
    from ludex.web.administrators import new_login_link

    link = new_login_link(port)
    if as_json:
        emit({"link": link}, as_json, lambda: link)
    else:
        # A line that was broken to fit a terminal could not be opened.
        print(link)
