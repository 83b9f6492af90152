"""The server that is attacked, always on this machine, and how a person or program calls it."""

import http.client
import json
import socket
from dataclasses import dataclass, replace
from ipaddress import ip_address
from typing import Any, Final, NamedTuple, Self
from urllib.parse import urlsplit

from benchmarks.serving import Serving

PATIENCE: Final = 10.0
"""Seconds after which a visitor gives up a request or the wait for a move."""


class Answer(NamedTuple):
    """What came back."""

    status: int
    document: Any
    cookie: str
    headers: http.client.HTTPMessage


@dataclass(frozen=True, slots=True)
class Target:
    """A server, and the addresses of the attacker and of another visitor."""

    host: str
    port: int
    serving: Serving | None = None
    """The server's process, where this command started it."""
    attacker: str = "127.0.0.2"
    visitor: str = "127.0.0.1"
    patience: float = PATIENCE
    """Seconds until a request is given up."""

    @classmethod
    def of(cls, url: str, serving: Serving | None = None) -> Self:
        """Raises `ValueError` for a host that is not this machine."""
        parts = urlsplit(url)
        host = "127.0.0.1" if parts.hostname == "localhost" else parts.hostname or ""
        if parts.scheme != "http" or not ip_address(host).is_loopback:
            raise ValueError(f"expected such as http://127.0.0.1:8000, an address of this machine alone, found {url!r}")
        return cls(host, parts.port or 80, serving)

    def seen_from(self, number: int) -> Self:
        """The same server from other addresses, so that one attack does not use up what the next is allowed."""
        return replace(self, attacker=f"127.0.0.{2 + number}", visitor=f"127.0.1.{2 + number}")

    def connect(self, source: str) -> socket.socket:
        return socket.create_connection((self.host, self.port), PATIENCE, self._from(source))

    def ask(self, source: str, method: str, path: str, body: object = None, cookie: str = "", **headers: str) -> Answer:
        """One request on a connection of its own; bytes are sent as they are."""
        connection = http.client.HTTPConnection(self.host, self.port, self.patience, self._from(source))
        try:
            sent = body if isinstance(body, bytes) or body is None else json.dumps(body)
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            named |= {"Content-Type": "application/json"} | ({"Cookie": cookie} if cookie else {})
            connection.request(method, path, sent, named)
            answer = connection.getresponse()
            text = answer.read()
            new_cookie = (answer.getheader("Set-Cookie") or cookie).partition(";")[0]
            is_json = "json" in (answer.getheader("Content-Type") or "")
            return Answer(answer.status, json.loads(text) if text and is_json else None, new_cookie, answer.headers)
        finally:
            connection.close()

    def begin(self, source: str, game: str, *seats: str, **terms: object) -> tuple[Any, str]:
        """A new match and the cookie of the person who began it. Raises `RuntimeError`."""
        answer = self.ask(source, "POST", "/api/matches", {"game": game, "seats": [*seats], **terms})
        if answer.status != http.client.CREATED:
            raise RuntimeError(f"no match of {game}: {answer.status} {answer.document}")
        return answer.document, answer.cookie

    def _from(self, source: str) -> tuple[str, int] | None:
        return None if ":" in self.host else (source, 0)
