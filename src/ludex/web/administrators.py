"""The administrator of a server: who logged in by a one-time link, which `ludex login` makes too, or by its token."""

import asyncio
import hashlib
import hmac
import json
import math
import os
import secrets
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import Response

from ludex.core.documents import read_json
from ludex.core.errors import DataError, LudexError, UsageError
from ludex.core.folders import data_folder, make_folder
from ludex.core.log import logger
from ludex.store.database import Database
from ludex.web.budget import RetryLater
from ludex.web.recent import Recent
from ludex.web.security.address import cookie_of, visitor_of
from ludex.web.security.rate import Buckets

MOST_SESSIONS: Final = 64
"""Logins at once; the oldest ends first."""
SECONDS: Final = 12 * 3600
"""The lifetime of a login."""
MOST_USED: Final = 10_000
"""Used links that are remembered; each is valid for a quarter of an hour only."""
BEARER_LOGIN: Final = "bearer"
"""The login of requests that bring the token themselves."""
LINK_SECONDS: Final = 15 * 60
"""How long a login link can be opened."""
ATTEMPTS_PER_MINUTE: Final = 6
ATTEMPTS_AT_ONCE: Final = 6
HOW: Final = (
    "open the login link that `ludex serve` prints when it starts, or a new one of `ludex login`, or log in at "
    "/administrator with the token that the server was given as LUDEX_ADMIN_TOKEN"
)


class AdministratorOnly(LudexError):
    """What only the administrator may do; the message says how to become one."""


class WrongToken(LudexError):
    """A token that is neither the server's nor one of a login link that can still be used."""


class TooManyLogins(RetryLater):
    """Too many attempts to log in from one address."""


@dataclass(frozen=True, slots=True)
class Administrator:
    """An administrator as the audit log names them: the login, and the address it was used from."""

    login: str
    address: str

    @property
    def in_browser(self) -> bool:
        """Whether it is a person's login by link or by the page, and not a program with the token."""
        return self.login != BEARER_LOGIN


class Administrators:
    """Gives and checks the cookies, links and tokens. No address has any authority.

    Cookies are random and known to this process alone: they end with it, with a logout and after their time, and are
    nothing to another server, not even to one with the same data folder.
    """

    def __init__(
        self,
        token: str | None,
        clock: Callable[[], float] = time.monotonic,
        count_failure: Callable[[], None] = lambda: None,
    ) -> None:
        self._token = None if token is None else _digest(token)
        self._clock = clock
        self._count_failure = count_failure
        self._links: dict[bytes, float] = {}
        self.is_signed: Callable[[str], bool] = lambda token: False
        """Whether a token is of a link of `ludex login`."""
        self._used = Recent[bytes, None](MOST_USED)
        """The digests of such tokens that were used."""
        self._sessions = Recent[bytes, tuple[str, float]](MOST_SESSIONS)
        """By the digest of the cookie, the login and its end, the oldest first."""
        self._failures = Buckets(ATTEMPTS_PER_MINUTE, ATTEMPTS_AT_ONCE)

    def new_link(self) -> str:
        """The path of a new login link. The token is in the fragment, which browsers send to no server or log."""
        token = secrets.token_urlsafe(32)
        self._links[_digest(token)] = self._clock() + LINK_SECONDS
        return f"/administrator#{token}"

    def log_in(self, token: str, connection: HTTPConnection) -> tuple[Administrator, str]:
        """The administrator of a token and their cookie; a link's token is used up. Raises `WrongToken`."""
        self._require_unlocked(connection)
        digest = _digest(token)
        if self._use_link(digest) or self._use_signed(token, digest):
            way = "link"
        elif self._is_token(digest):
            way = "token"
        else:
            self._fail(connection)
            raise WrongToken(f"this token is wrong, used or expired; {HOW}")
        login, cookie = f"{way}-{secrets.token_hex(4)}", secrets.token_urlsafe(32)
        self._sessions[_digest(cookie)] = login, self._clock() + SECONDS
        return Administrator(login, _address(connection)), cookie

    def log_out(self, connection: HTTPConnection) -> None:
        """Forget the cookie of a request: no copy of it is an administrator's any more."""
        self._sessions.pop(_digest(_cookie(connection)), None)

    def find(self, connection: HTTPConnection) -> Administrator | None:
        """The administrator who sent a request, by cookie or by `Authorization: Bearer`, if one did.

        Raises `TooManyLogins` for any token from an address that has guessed too often: the right one would tell it.
        """
        scheme, _, token = Headers(scope=connection.scope).get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            self._require_unlocked(connection)
            if self._is_token(_digest(token.strip())):
                return Administrator(BEARER_LOGIN, _address(connection))
            self._fail(connection)
            return None
        login, end = self._sessions.get(_digest(_cookie(connection)), ("", 0.0))
        return Administrator(login, _address(connection)) if self._clock() < end else None

    def require(self, connection: HTTPConnection) -> Administrator:
        """The same. Raises `AdministratorOnly`."""
        administrator = self.find(connection)
        if administrator is None:
            raise AdministratorOnly(f"only the administrator may do this: {HOW}")
        return administrator

    def _is_token(self, digest: bytes) -> bool:
        return self._token is not None and hmac.compare_digest(digest, self._token)

    def _use_link(self, digest: bytes) -> bool:
        # Every link is compared: the time says nothing about which one was close.
        matching = [link for link in self._links if hmac.compare_digest(link, digest)]
        return any(self._links.pop(link) > self._clock() for link in matching)

    def _use_signed(self, token: str, digest: bytes) -> bool:
        if not self.is_signed(token) or digest in self._used:
            return False
        self._used[digest] = None
        return True

    def _require_unlocked(self, connection: HTTPConnection) -> None:
        if wait := math.ceil(self._failures.wait(visitor_of(connection.scope))):
            raise TooManyLogins(f"too many attempts to log in; try again in {wait} s", wait)

    def _fail(self, connection: HTTPConnection) -> None:
        """Count a wrong token; as many are logged as an address may try."""
        self._failures.take(visitor_of(connection.scope))
        self._count_failure()
        log.warning("login failed", address=_address(connection))


def give_cookie(response: Response, cookie: str, connection: HTTPConnection) -> None:
    """Have a response set the cookie of an administrator; an empty one ends the login."""
    response.set_cookie(
        cookie_name(connection),
        cookie,
        max_age=SECONDS if cookie else 0,
        httponly=True,
        samesite="strict",
        secure=connection.scope["scheme"] == "https",
    )


def cookie_name(connection: HTTPConnection) -> str:
    """The name of the cookie, with the port: browsers share cookies between all servers of a host."""
    _, port = connection.scope.get("server") or ("", 0)
    return f"ludex_administrator_{port or 0}"


def _cookie(connection: HTTPConnection) -> str:
    return cookie_of(connection.scope, cookie_name(connection)) or ""


def _digest(token: str) -> bytes:
    # Of one length whatever the token is, so that a comparison takes the same time for every token.
    return hashlib.sha256(token.encode()).digest()


def _address(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""


log = logger("web.audit")


async def record_action(database: Database, administrator: Administrator, action: str, subject: str = "") -> None:
    """Log an action and write it to the audit log of the database, before the caller answers."""
    await asyncio.to_thread(database.audit.add, administrator.login, administrator.address, action, subject)
    log.warning(
        "administrator", login=administrator.login, address=administrator.address, action=action, subject=subject
    )


FOLDER: Final = "servers"
LISTENS_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class LinkSigner:
    """Signs the tokens of login links, and checks them: `END.NONCE.SIGNATURE`.

    `ludex login` signs with the key that a running server keeps in the data folder: a user who may read its private
    files may be the administrator. A link is used once; every server draws a key and deletes it when it ends.
    """

    key: bytes
    clock: Callable[[], float] = time.time

    def sign(self) -> str:
        """A token that ends after the time of a login link."""
        body = f"{int(self.clock()) + LINK_SECONDS}.{secrets.token_urlsafe(16)}"
        return f"{body}.{self._signature(body)}"

    def is_valid(self, token: str) -> bool:
        """Whether this key signed the token, and its time is not over."""
        body, _, signature = token.rpartition(".")
        end = body.partition(".")[0]
        signed = hmac.compare_digest(self._signature(body).encode(), signature.encode())
        return signed and self.clock() < int(end)

    def _signature(self, body: str) -> str:
        return hmac.digest(self.key, body.encode(), "sha256").hex()


@contextmanager
def announced_server(port: int, address: str, signer: LinkSigner) -> Iterator[None]:
    """Keep the address and the key of a server in the data folder while it runs."""
    folder = make_folder(make_folder(data_folder(), "LUDEX_DATA", private=True) / FOLDER, "LUDEX_DATA", private=True)
    file = folder / f"{port}.json"
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
        json.dump({"address": address, "port": port, "key": signer.key.hex()}, opened)
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


def new_login_link(port: int | None) -> str:
    """A fresh login link of the server that runs on the data folder. Raises `UsageError` if it is not one."""
    running = [server for server in _servers() if port in (None, server[1]) and _listens(server[1])]
    if len(running) != 1:
        ports = ", ".join(str(server[1]) for server in running)
        problem = f"several servers run, on the ports {ports}: choose one with --port" if running else "no server runs"
        raise UsageError(f"{problem}; looked in {data_folder() / FOLDER}, set LUDEX_DATA to a server's data folder")
    [(address, _, key)] = running
    return f"{address}/administrator#{LinkSigner(key).sign()}"


def _servers() -> Iterator[tuple[str, int, bytes]]:
    for file in sorted((data_folder() / FOLDER).glob("*.json")):
        yield _read(file)


def _read(file: Path) -> tuple[str, int, bytes]:
    document = read_json(file, DataError)
    try:
        return str(document["address"]), int(document["port"]), bytes.fromhex(document["key"])
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"{file}: expected address, port and key of a server: {error}") from error


def _listens(port: int) -> bool:
    """Whether something answers there: the file of a server that was killed stays."""
    for host in ("127.0.0.1", "::1"):
        try:
            socket.create_connection((host, port), LISTENS_SECONDS).close()
        except OSError:
            continue
        return True
    return False
