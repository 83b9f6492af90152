"""`ludex serve`: the web app; `ludex openapi`: what its API takes and gives."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.gameverb import LazyCommand, command_of, keyword
from ludex.cli.output import note
from ludex.core import registry

if TYPE_CHECKING:
    from ludex.kernels.warmup import KernelGroup
    from ludex.web.settings import Settings


_SUMMARY = "Play in the browser."


def serve(settings: "Settings", opens: bool) -> None:
    """Serve the web app until Ctrl-C."""
    import threading
    import webbrowser

    from ludex.core.log import in_workers
    from ludex.web.memory import paused_collector

    with paused_collector():
        from ludex.web.administrators import LINK_SECONDS
        from ludex.web.serving import listen, run

    def print_address(address: str, login: str) -> None:
        print(f"Ludex plays at {address}; Ctrl-C ends it", flush=True)
        # Behind a proxy people, the administrator among them, see the first origin.
        origin = settings.origins[0] if settings.origins else address
        print(f"log in as administrator, once and within {LINK_SECONDS // 60} minutes: {origin}{login}", flush=True)
        if opens:
            # A browser in a terminal would block the server until it ends.
            threading.Thread(target=show, args=(f"{address}{login}",), daemon=True).start()

    def show(address: str) -> None:
        if not webbrowser.open(address):
            note("no browser could be opened here")

    def print_preparation(game: str, group: "KernelGroup", seconds: float, reason: str | None) -> None:
        what = game if group == "player" else f"{game}, all agents"
        note(f"{what}: ready after {seconds:.0f} s" if reason is None else f"{what}: {reason}")

    # A server without games must not start.
    registry.names()
    with listen(settings) as socket:
        run(settings, socket, print_address, in_workers(), print_preparation)


def _function() -> Any:
    """A function with a parameter for each setting; their values are checked where they are read."""
    import inspect
    from pathlib import Path

    from ludex.core.source_package import register
    from ludex.web.settings import SECRETS, Settings, flag_of, settings_fields

    def command(*, folders: list[Path] | None, opens: bool, **flags: Any) -> None:
        for folder in folders or ():
            register(folder)
        serve(Settings.read(flags), opens)

    folders = typer.Argument(metavar="[FOLDER]...", help="packages of games that are served without an installation")
    opens = Annotated[bool, typer.Option("--open", help="open it in the browser of this machine")]
    parameters = [keyword("folders", Annotated[list[Path] | None, folders], None), keyword("opens", opens, False)]
    for name, field in settings_fields().items():
        if name in SECRETS:
            continue
        default = "" if field.default in (None, (), "") else f" [dim]({field.default})[/]"
        option = typer.Option(flag_of(name), metavar="VALUE", help=f"{field.description}{default}")
        parameters.append(keyword(name, Annotated[str | None, option], None))
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return command


def _build() -> Any:
    return command_of(
        "serve", _function(), help=f"{_SUMMARY} Each flag is also a variable: --pace-ms is LUDEX_PACE_MS."
    )


command = LazyCommand("serve", _SUMMARY, _build)


def openapi() -> None:
    """Print the OpenAPI document of the web app."""
    import json

    from ludex.web.app import create_app
    from ludex.web.settings import Settings

    print(json.dumps(create_app(Settings.read(environment={})).openapi(), indent=1))
