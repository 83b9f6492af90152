"""Visitors of a server: they play, and notice every answer that the OpenAPI document does not announce."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Self

import httpx
from fastapi.routing import APIRoute
from websockets.sync.client import ClientConnection, connect

from ludex.web import routes
from ludex.web.schemas.matches import MatchView
from tests.waiting import PATIENCE
from tests.web.running import RunningServer, http_client

GENEROUS = (
    *("--requests-per-minute", "1000000", "--burst", "100000", "--pace-ms", "20", "--poll-ms", "100"),
    *("--search-ms", "60000", "--matches-per-address", "1000000"),
)

View = dict[str, Any]


def api_routes() -> list[APIRoute]:
    """Every route of the API."""
    modules = [import_module(module_info.name) for module_info in iter_modules(routes.__path__, f"{routes.__name__}.")]
    # Files of the documentation are served by an application of their own.
    listed = [route for module in modules if hasattr(module, "router") for route in module.router.routes]
    return [route for route in listed if isinstance(route, APIRoute)]


def played_moves(view: MatchView) -> list[dict[str, Any]]:
    """The plies of a view of the service, as they are sent."""
    moves: list[dict[str, Any]] = json.loads(view.json_text())["moves"]
    return moves


class Visitor:
    """A person with their own browser."""

    def __init__(self, server: RunningServer) -> None:
        self.client = http_client(base_url=server.url, timeout=PATIENCE)
        self.heard: list[str] = []
        """The body of every answer."""
        self._socket_url = server.socket_url
        self._documented = server.responses

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def move_to(self, server: RunningServer) -> Self:
        """Go on with the same cookie at another server."""
        self.client.base_url = httpx.URL(server.url)
        self._socket_url = server.socket_url
        return self

    def ask(self, method: str, path: str, body: Any = None, **query: Any) -> httpx.Response:
        answer = self.client.request(method, path, json=body, params=query or None)
        self.heard.append(answer.text)
        announced = next(
            statuses for known, verb, statuses in self._documented if verb == method and known.fullmatch(path)
        )
        assert answer.status_code in announced, f"{method} {path} answered {answer.status_code}, not documented"
        return answer

    def refused(self, status: int, code: str, method: str, path: str, body: Any = None, **query: Any) -> dict[str, Any]:
        """Ask for what must be refused, and give the problem."""
        answer = self.ask(method, path, body, **query)
        problem: dict[str, Any] = answer.json()
        assert (answer.status_code, problem["code"]) == (status, code), answer.text
        assert problem["message"]
        return problem

    def begin(self, game: str, *seats: str, **terms: Any) -> View:
        """Begin a match."""
        return self._begun("/api/matches", {"game": game, "seats": [*seats], **terms})

    def bring(self, file: str) -> View:
        """Import a match from a file."""
        return self._begun("/api/matches/import", json.loads(file))

    def _begun(self, where: str, body: Any) -> View:
        """The match that a request begins; its game is prepared first if needed."""
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self.ask("POST", where, body)
            if answer.json().get("code") != "preparing" or time.monotonic() > deadline:
                return self.view_of(answer, 201)

    def view(self, match: View, ply: int | None = None, **query: Any) -> View:
        chosen = query if ply is None else query | {"ply": ply}
        return self.view_of(self.ask("GET", f"/api/matches/{match['id']}", **chosen))

    def move(self, match: View, text: str) -> View:
        return self.change(match, "moves", text=text)

    def change(self, match: View, what: str, **details: Any) -> View:
        return self.view_of(self.ask("POST", path(match, what), {"version": match["version"], **details}))

    def invite(self, match: View) -> str:
        """An invitation to the open seat of a match."""
        link: str = self.ask("POST", path(match, "invitation")).json()["path"]
        return link.partition("=")[2]

    def join(self, match: View, invitation: str) -> View:
        """Take the seat of an invitation."""
        return self.view_of(self.ask("POST", path(match, "join"), {"invitation": invitation}))

    def legal(self, match: View) -> list[str]:
        return [move["text"] for move in self.ask("GET", path(match, "legal")).json()["moves"]]

    def until(self, match: View, met: Callable[[View], bool]) -> View:
        """Wait until the match is as it shall be; the server announces each of its states."""
        if met(match):
            return match
        with self.watch(match) as socket:
            while not met(match):
                if json.loads(socket.recv(timeout=PATIENCE))["type"] == "state":
                    match = self.view(match)
        return match

    def on_turn(self, match: View) -> View:
        """Wait until this visitor can move, or the match is over."""
        return self.until(match, lambda view: bool(view["can"]["move"]) or not view["live"])

    @contextmanager
    def watch(self, match: View) -> Iterator[ClientConnection]:
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.client.cookies.jar)
        address = f"{self._socket_url}/api/matches/{match['id']}/live"
        headers = {"Cookie": cookies} if cookies else {}
        with connect(address, additional_headers=headers, max_size=None, open_timeout=PATIENCE) as socket:
            yield socket

    def view_of(self, answer: httpx.Response, status: int = 200) -> View:
        assert answer.status_code == status, answer.text
        view: View = answer.json()
        return view


def path(match: View, what: str) -> str:
    return f"/api/matches/{match['id']}/{what}"


def prepare(server: RunningServer, *games: str) -> None:
    """Wait until games for two can be played."""
    with Visitor(server) as visitor:
        for game in games:
            visitor.begin(game, "you", "open")
