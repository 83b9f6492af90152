"""Runs the app with uvicorn on a socket opened and accepted from here, with limits on connections and their time."""

import secrets
import socket
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any, Final

import uvicorn
from fastapi import FastAPI

from ludex.core import registry
from ludex.core.errors import UsageError
from ludex.core.log import logger
from ludex.core.spec import GameSpec, Ref
from ludex.store.database import Database
from ludex.web.administrators import LinkSigner, announced_server
from ludex.web.app import create_app
from ludex.web.memory import give_back_large_blocks, paused_collector
from ludex.web.requestlog import limit_logs
from ludex.web.seats import secret_of
from ludex.web.security.address import Proxies
from ludex.web.security.protocol import (
    HEADER_BYTES,
    Acceptor,
    Connection,
    Connections,
    CountedWebSocket,
    TimedHttp,
    fit_limits,
)
from ludex.web.settings import Settings
from ludex.web.workers.preparation import OnPrepared

ENDING_SECONDS = 5
SWITCH_SECONDS: Final = 0.001
"""The event loop waits so long for the interpreter's lock while a thread replays, several times per request."""


class CannotListen(UsageError):
    """The address is in use, or not available on this machine."""


_LOOP: Final = "asyncio:SelectorEventLoop" if sys.platform == "win32" else "auto"
"""`Acceptor` waits for a socket to be readable, which the usual loop of Windows cannot do."""


def listen(settings: Settings) -> socket.socket:
    """The socket a server listens on. Raises `CannotListen`."""
    where = f"{settings.host} port {settings.port}"
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
    except OSError as error:
        raise CannotListen(f"cannot listen on {where}: {error.strerror}") from error
    try:
        if sys.platform != "win32":
            # There it would let two servers share an address.
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(socket.SOMAXCONN)
    except OSError as error:
        listening.close()
        raise CannotListen(
            f"cannot listen on {where}: {error.strerror}; choose another with --port, 0 for any"
        ) from error
    listening.set_inheritable(False)
    return listening


def address_of(listening: socket.socket) -> str:
    """The server's URL for a browser of this machine."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def run(
    settings: Settings,
    listening: socket.socket,
    started: Callable[[str, str], None],
    prepare: Callable[[], None] | None = None,
    on_prepared: OnPrepared | None = None,
) -> None:
    """Serve until Ctrl-C or SIGTERM.

    `started` is called with the address and with the path of a login link for the administrator,
    `prepare` is called first in each worker process, `on_prepared` with each game whose kernels had to be compiled.
    Raises `LudexError` if the database or a folder cannot be used.
    """
    give_back_large_blocks()
    sys.setswitchinterval(SWITCH_SECONDS)
    # Inside the app an error would be a traceback.
    Database.open(settings.database).close()
    secret_of(settings)
    settings = fit_limits(settings)
    limit_logs()
    # Before the first connection: an import that fails for want of open files leaves a module half imported.
    with paused_collector():
        import_modules()
        app = create_app(settings, prepare, on_prepared)
    signer = LinkSigner(secrets.token_bytes(32))

    def begin() -> None:
        administrators = app.state.ludex.administrators
        administrators.is_signed = signer.is_valid
        started(address_of(listening), administrators.new_link())

    server = _Server(
        uvicorn.Config(
            app,
            loop=_LOOP,
            http=TimedHttp,
            ws=CountedWebSocket,
            h11_max_incomplete_event_size=HEADER_BYTES,
            # One context per connection would compress the same state for each of hundreds of spectators.
            ws_per_message_deflate=False,
            ws_max_size=settings.message_bytes,
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="on",
            proxy_headers=bool(settings.proxies),
            forwarded_allow_ips=settings.proxies,
            timeout_graceful_shutdown=ENDING_SECONDS,
        ),
        settings,
        listening,
        started=begin,
        ending=partial(_stop_searches, app),
    )
    address = settings.origins[0] if settings.origins else address_of(listening)
    try:
        # uvicorn itself listens on none: `_Server` accepts.
        with announced_server(listening.getsockname()[1], address, signer):
            server.run(sockets=[])
    except KeyboardInterrupt:
        # The normal end of a server: everything is closed by now.
        return


def _stop_searches(app: FastAPI) -> None:
    """Abandon all searches, which would delay the shutdown."""
    app.state.ludex.pool.abandon()


class _Server(uvicorn.Server):
    """Accepts connections itself; calls `started` once it answers, `ending` before it waits for the last responses."""

    def __init__(
        self,
        config: uvicorn.Config,
        settings: Settings,
        listening: socket.socket,
        started: Callable[[], Any],
        ending: Callable[[], Any],
    ) -> None:
        super().__init__(config)
        self._settings = settings
        self._connections = Connections(settings.connections, settings.connections_per_address)
        self._listening = listening
        self._started = started
        self._ending = ending
        self._acceptor: Acceptor | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            proxies, stalled = Proxies(self._settings.proxies), self._settings.body_ms / 1000
            self._acceptor = Acceptor(self._listening, self._connections, proxies, stalled, self._protocol)
            self._acceptor.start()
            self._started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._acceptor is not None:
            self._acceptor.stop()
        self._ending()
        await super().shutdown(sockets)

    def _protocol(self, connection: Connection) -> TimedHttp:
        return TimedHttp(
            connection=connection,
            header_seconds=self._settings.header_ms / 1000,
            body_seconds=self._settings.body_ms / 1000,
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )


log = logger("web")


def import_modules() -> None:
    """Import the rules and screens of every game; a third party's game that fails is logged, and listed as broken."""
    # Starlette's threads for static files; anyio chooses it on first use.
    import_module("anyio._backends._asyncio")
    specs, _ = registry.available()
    for spec in specs:
        try:
            for ref in _references(spec):
                registry.resolve(ref)
            registry.default_analyst(registry.make(spec.id))
        except Exception:
            # Code of others may fail in any way, and must not keep the other games from being served.
            log.exception("cannot import game", game=spec.id)


def _references(spec: GameSpec) -> Iterator[Ref]:
    """What the server itself calls; agents are made in the workers."""
    screen = spec.screen
    refs = (screen.terminal, screen.describe_ply, screen.board_model, screen.scene, screen.history, screen.composite)
    yield spec.factory
    yield from (ref for ref in (*refs, spec.learning.rankings, spec.tools.metrics) if ref is not None)
    yield from (agent.check for agent in spec.agents.values() if agent.check is not None)
