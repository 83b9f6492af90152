"""Running the app: a socket of ours, so that a port in use is told plainly, and uvicorn on it."""

import socket
from collections.abc import Callable
from functools import partial
from typing import Any

import uvicorn
from fastapi import FastAPI

from ludex.core.errors import UsageError
from ludex.store.database import Database
from ludex.web.app import create_app
from ludex.web.memory import give_back_large_blocks
from ludex.web.seats import secret_of
from ludex.web.settings import Settings
from ludex.web.workers.preparation import OnPrepared

ENDING_SECONDS = 5


class CannotListen(UsageError):
    """The address is in use, or not ours to listen on."""

    code = "cannot_listen"


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
    """Where a browser of this machine finds the server."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def run(
    settings: Settings,
    listening: socket.socket,
    started: Callable[[str], None],
    prepare: Callable[[], None] | None = None,
    on_prepared: OnPrepared | None = None,
) -> None:
    """Serve until Ctrl-C or SIGTERM.

    `prepare` is called first in each worker process, `on_prepared` with each game whose kernels had to be compiled.
    Raises what keeps it from starting: a database or folder that cannot be used.
    """
    give_back_large_blocks()
    # Inside the app it would be a traceback.
    Database.open(settings.database).close()
    secret_of(settings)
    app = create_app(settings, prepare, on_prepared)
    server = _Server(
        uvicorn.Config(
            app,
            ws="websockets-sansio",
            ws_max_size=settings.message_bytes,
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="on",
            proxy_headers=bool(settings.proxies),
            forwarded_allow_ips=settings.proxies,
            timeout_graceful_shutdown=ENDING_SECONDS,
        ),
        started=lambda: started(address_of(listening)),
        ending=partial(_stop_thinking, app),
    )
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        # The way to end a server: everything is closed by now.
        return


def _stop_thinking(app: FastAPI) -> None:
    """Requests that wait for a thought would hold the server until it comes."""
    app.state.ludex.pool.abandon()


class _Server(uvicorn.Server):
    """Tells when it answers, and before it waits for the last answers."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], Any], ending: Callable[[], Any]) -> None:
        super().__init__(config)
        self._started = started
        self._ending = ending

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._ending()
        await super().shutdown(sockets)
