"""People and seats: a random person id in a signed cookie, and invitations to an open seat."""

import hashlib
import hmac
import os
import secrets
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from itsdangerous import BadSignature, Signer, URLSafeSerializer
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludex.core.documents import read_bytes
from ludex.core.errors import FolderUnwritable
from ludex.core.folders import data_folder, make_folder
from ludex.web.errors import BadInvitation
from ludex.web.security.address import cookie_of, visitor_of
from ludex.web.settings import Settings

COOKIE: Final = "ludex_person"
SECRET_FILE: Final = "web-secret"
SECONDS: Final = 400 * 24 * 3600
"""The lifetime of a cookie: as long as browsers allow."""
MOST_KNOWN: Final = 10_000
"""Cookies whose owners are cached; a check of a signature costs as much as a move."""
NAMELESS: Final = ("/static/", "/docs", "/metrics", "/api/health")
"""Paths that need no person."""


class Seats:
    """Signs and reads cookies and invitations. The database knows people by `known_as` only."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._cookies = Signer(secret, salt="ludex.person", digest_method=hashlib.sha256)
        self.known_as = lru_cache(maxsize=MOST_KNOWN)(self._known_as)
        self._invitations = URLSafeSerializer(
            secret, salt="ludex.invitation", signer_kwargs={"digest_method": hashlib.sha256}
        )

    def new_cookie(self) -> str:
        """A cookie for a new person."""
        return self._cookies.sign(secrets.token_urlsafe(24)).decode()

    def _known_as(self, cookie: str | None) -> str | None:
        """The id of a cookie's owner in the database; None if this server did not sign the cookie."""
        if cookie is None:
            return None
        try:
            person = self._cookies.unsign(cookie)
        except BadSignature:
            return None
        return hmac.new(self._secret, b"ludex.holder:" + person, hashlib.sha256).hexdigest()

    def invitation(self, match_id: str, player: int) -> str:
        """A signed invitation; the first person to use it gets the seat."""
        return str(self._invitations.dumps([match_id, player]))

    def invited_to(self, invitation: str, match_id: str) -> int:
        """The seat that an invitation gives in this match. Raises `BadInvitation`."""
        try:
            invited, player = self._invitations.loads(invitation)
        except (BadSignature, TypeError, ValueError) as error:
            raise BadInvitation("the invitation was not written by this server; ask for the link again") from error
        if invited != match_id:
            raise BadInvitation("the invitation is to another match")
        return int(player)


def secret_of(settings: Settings) -> bytes:
    """The secret that signs cookies: from the settings, else drawn once and kept in the data folder."""
    if settings.secret is not None:
        return settings.secret.get_secret_value().encode()
    file = make_folder(data_folder(), "LUDEX_DATA", private=True) / SECRET_FILE
    if not file.exists():
        _draw(file)
    return read_bytes(file, FolderUnwritable)


def _draw(file: Path) -> None:
    temporary = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(secrets.token_hex(32).encode())
        try:
            # A link never replaces a file: two servers that start at once both use the first one's secret.
            os.link(temporary, file)
        except FileExistsError:
            return
        finally:
            temporary.unlink()
    except OSError as error:
        raise FolderUnwritable(f"cannot keep a secret in {file}: {error.strerror}; set LUDEX_SECRET") from error


class PersonCookie:
    """Identifies the person of each request, and sets a cookie if there is none."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or scope["path"].startswith(NAMELESS):
            await self._app(scope, receive, send)
            return
        state = scope["app"].state.ludex
        seats: Seats = state.seats
        cookie = cookie_of(scope, COOKIE)
        person = seats.known_as(cookie)
        # A page is loaded before its API requests, so a new browser does not get several cookies.
        renewed = person is None or not scope["path"].startswith("/api/")
        if person is None:
            cookie = seats.new_cookie()
            person = seats.known_as(cookie)
        scope.setdefault("state", {})["person"] = person
        state.pool.addresses.remember(person, visitor_of(scope))

        async def give(message: Message) -> None:
            if renewed and message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("set-cookie", _set_cookie(str(cookie), scope["scheme"] == "https"))
            await send(message)

        await self._app(scope, receive, give)


async def person_of(connection: HTTPConnection) -> str:
    """The caller's id in the database."""
    person: Any = connection.scope["state"]["person"]
    return str(person)


def _set_cookie(value: str, secure: bool) -> str:
    return f"{COOKIE}={value}; Path=/; Max-Age={SECONDS}; HttpOnly; SameSite=Lax" + ("; Secure" if secure else "")
