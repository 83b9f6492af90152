"""The administrator of a server: who logged in by its one-time link or by its token, in a signed cookie."""

import asyncio
import hashlib
import hmac
import math
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from itsdangerous import BadSignature, TimestampSigner
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, cookie_parser
from starlette.responses import Response

from ludex.core.errors import LudexError
from ludex.core.log import logger
from ludex.store.database import Database
from ludex.web.security.address import visitor_of
from ludex.web.security.rate import Buckets

COOKIE: Final = "ludex_administrator"
SECONDS: Final = 12 * 3600
"""The lifetime of a login."""
LINK_SECONDS: Final = 15 * 60
"""How long a login link can be opened."""
ATTEMPTS_PER_MINUTE: Final = 6
ATTEMPTS_AT_ONCE: Final = 6
HOW: Final = (
    "open the login link that `ludex serve` prints when it starts, or log in at /administrator with the token that the "
    "server was given as LUDEX_ADMIN_TOKEN"
)


class AdministratorOnly(LudexError):
    """What only the administrator may do; the message says how to become one."""

    code = "administrator_only"


class WrongToken(LudexError):
    """A token that is neither the server's nor one of a login link that can still be used."""

    code = "wrong_token"


class TooManyLogins(LudexError):
    """Too many attempts to log in from one address."""

    code = "too_many_logins"

    def __init__(self, wait: float) -> None:
        self.retry_after = math.ceil(wait)
        super().__init__(f"too many attempts to log in; try again in {self.retry_after} s")


@dataclass(frozen=True, slots=True)
class Administrator:
    """An administrator as the audit log names them: the login, and the address it was used from."""

    login: str
    address: str


class Administrators:
    """Gives and checks the cookies, links and tokens. No address has any authority."""

    def __init__(self, secret: bytes, token: str | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._token = None if token is None else _digest(token)
        # A changed token ends every login, as a changed secret does.
        key = hmac.new(secret, b"ludex.administrator:" + (self._token or b""), hashlib.sha256).digest()
        self._cookies = TimestampSigner(key, salt="ludex.administrator", digest_method=hashlib.sha256)
        self._clock = clock
        self._links: dict[bytes, float] = {}
        self._attempts = Buckets(ATTEMPTS_PER_MINUTE, ATTEMPTS_AT_ONCE)

    def new_link(self) -> str:
        """The path of a new login link. The token is in the fragment, which browsers send to no server or log."""
        token = secrets.token_urlsafe(32)
        self._links[_digest(token)] = self._clock() + LINK_SECONDS
        return f"/administrator#{token}"

    def log_in(self, token: str, connection: HTTPConnection) -> tuple[Administrator, str]:
        """The administrator of a token and their cookie; a link's token is used up. Raises `WrongToken`."""
        self._attempt(connection)
        digest = _digest(token)
        if self._use_link(digest):
            way = "link"
        elif self._token is not None and hmac.compare_digest(digest, self._token):
            way = "token"
        else:
            raise WrongToken(f"this token is wrong, used or expired; {HOW}")
        login = f"{way}-{secrets.token_hex(4)}"
        return Administrator(login, _address(connection)), self._cookies.sign(login).decode()

    def find(self, connection: HTTPConnection) -> Administrator | None:
        """The administrator who sent a request, by cookie or by `Authorization: Bearer`, if one did."""
        headers = Headers(scope=connection.scope)
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            if self._token is not None and hmac.compare_digest(_digest(token.strip()), self._token):
                return Administrator("bearer", _address(connection))
            self._attempt(connection)
            return None
        cookie = cookie_parser("; ".join(headers.getlist("cookie"))).get(COOKIE)
        if cookie is None:
            return None
        try:
            login = self._cookies.unsign(cookie, max_age=SECONDS).decode()
        except BadSignature:
            return None
        return Administrator(login, _address(connection))

    def require(self, connection: HTTPConnection) -> Administrator:
        """The same. Raises `AdministratorOnly`."""
        administrator = self.find(connection)
        if administrator is None:
            raise AdministratorOnly(f"only the administrator may do this: {HOW}")
        return administrator

    def _use_link(self, digest: bytes) -> bool:
        # Every link is compared: the time says nothing about which one was close.
        matching = [link for link in self._links if hmac.compare_digest(link, digest)]
        return any(self._links.pop(link) > self._clock() for link in matching)

    def _attempt(self, connection: HTTPConnection) -> None:
        if wait := self._attempts.take(visitor_of(connection.scope)):
            raise TooManyLogins(wait)


def give_cookie(response: Response, cookie: str, connection: HTTPConnection) -> None:
    """Have a response set the cookie of an administrator; an empty one ends the login."""
    response.set_cookie(
        COOKIE,
        cookie,
        max_age=SECONDS if cookie else 0,
        httponly=True,
        samesite="strict",
        secure=connection.scope["scheme"] == "https",
    )


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
