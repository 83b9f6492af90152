"""An agent behind HTTP: the other side of `http:"URL"`. Each request holds a whole position; nothing is kept."""

import hmac
import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from ludex.arena.entrants import make_entrant
from ludex.core.agent import FollowsMoves
from ludex.core.clock import Clock
from ludex.core.documents import strict_json
from ludex.core.errors import BadOption, LudexError
from ludex.core.game import AnyGame
from ludex.core.limit import Limit
from ludex.core.registry import make
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.remote.http_agent import PROTOCOL

LARGEST_QUESTION: Final = 1 << 20
LONGEST_MS: Final = 60_000
"""The longest search, whatever a caller asks for."""
MOST_BOARDS: Final = 8
"""Boards whose agent is kept."""
WAIT_SECONDS: Final = 15.0
"""How long a caller may take to send a question, and how long one waits for the agent."""


class AgentOnBoards:
    """One agent, on the boards that callers name."""

    def __init__(self, agent: str, services: Services | None, check_board: Callable[[str, str], None]) -> None:
        """`check_board` raises what a caller may not name."""
        self.agent = agent
        self._services = services
        self._check_board = check_board
        self._boards: dict[tuple[str, str], tuple[AnyGame, Any]] = {}

    def close(self) -> None:
        """Give back what agents hold."""
        for _, agent in self._boards.values():
            agent.close()

    def decide(self, question: str | bytes) -> str:
        """The move in the position of a question. Raises a `LudexError` that says what is wrong with it."""
        try:
            return self._decide(strict_json(question))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise BadOption(f"the question cannot be read: {type(error).__name__}: {error}") from error

    def _decide(self, question: Any) -> str:
        if not isinstance(question, dict) or question.get("protocol") != PROTOCOL:
            raise BadOption(f"expected an object with protocol {PROTOCOL}")
        game, agent = self._board(str(question["game"]), str(question["preset"]))
        if question["version"] != game.info.version:
            raise BadOption(f"{game.info.id} has version {game.info.version} here, found {question['version']!r}")
        state = game.load(question["position"])
        if game.outcome(state) is not None or game.to_move(state) != question["player"]:
            raise BadOption(f"it is not the turn of player {question['player']!r} in this position")
        limit = agent.budget(_limit_of(question))
        if isinstance(agent, FollowsMoves) and "moves" in question:
            agent.follow([str(move) for move in question["moves"]])
        longest = LONGEST_MS if limit.longest_ms is None else min(LONGEST_MS, int(limit.longest_ms))
        with Limit(time_ms=longest, stop=limit.stop).watch():
            decision = agent.decide(
                game.view(state, question["player"]), game.legal(state), rng=Rng(int(question["random"])), limit=limit
            )
        return game.action_text(state, decision.action)

    def _board(self, name: str, preset: str) -> tuple[AnyGame, Any]:
        key = (name, preset)
        if key not in self._boards:
            self._check_board(name, preset)
            game = make(name, preset)
            if len(self._boards) >= MOST_BOARDS:
                oldest = next(iter(self._boards))
                self._boards.pop(oldest)[1].close()
            self._boards[key] = game, make_entrant(game, self.agent, self._services)
        return self._boards[key]


class BotServer:
    """Serves an agent. One question is searched at a time."""

    def __init__(self, boards: AgentOnBoards, *, host: str, port: int, token: str = "") -> None:
        """A token is wanted of every caller."""
        self._boards = boards
        self._token = token
        self._searching = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            timeout = WAIT_SECONDS

            def do_POST(self) -> None:
                status, document = outer.handle(self.headers.get("Authorization", ""), self._body)
                content = json.dumps(document).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def _body(self) -> bytes:
                length = self.headers.get("Content-Length", "")
                if not length.isdecimal() or int(length) > LARGEST_QUESTION:
                    raise BadOption(f"expected a Content-Length of at most {LARGEST_QUESTION:,} bytes")
                return self.rfile.read(int(length))

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing: standard error is for faults."""

        self._server = ThreadingHTTPServer((host, port), Handler)
        self._server.daemon_threads = True
        bound: Any = self._server.socket.getsockname()
        self.url = f"http://{bound[0]}:{bound[1]}"

    def serve(self) -> None:
        """Answer until `stop`, or an interruption."""
        self._server.serve_forever(0.1)

    def stop(self) -> None:
        """End `serve`, and give back what agents hold."""
        self._server.shutdown()

    def close(self) -> None:
        """Give back the port and what agents hold."""
        self._server.server_close()
        self._boards.close()

    def handle(self, authorization: str, read: Callable[[], bytes]) -> tuple[int, dict[str, Any]]:
        """The status and the answer."""
        if self._token and not hmac.compare_digest(authorization.encode(), f"Bearer {self._token}".encode()):
            return 401, {"error": "expected the token of this bot as Authorization: Bearer TOKEN"}
        try:
            question = read()
            if not self._searching.acquire(timeout=WAIT_SECONDS):
                return 503, {"error": "the bot is thinking about other positions"}
            try:
                return 200, {"move": self._boards.decide(question)}
            finally:
                self._searching.release()
        except LudexError as error:
            return 400, {"error": error.message, "code": error.code}


def _limit_of(question: dict[str, Any]) -> Limit:
    bounds, clocks = question["limit"], question["clocks"]
    values = {name: None if bounds.get(name) is None else int(bounds[name]) for name in ("time_ms", "depth", "nodes")}
    times = tuple(Clock(float(clock["remaining_ms"]), float(clock["increment_ms"])) for clock in clocks)
    return Limit(time_ms=values["time_ms"], depth=values["depth"], nodes=values["nodes"], clocks=times)
