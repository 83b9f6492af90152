"""The Prometheus metrics of `/metrics`. Labels are names of games, agents and codes, never of matches or people."""

from collections.abc import Mapping, Sequence
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from ludex.core.registry import spec

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})
OTHER: Final = "other"
"""The label for values that visitors invent, so that labels have few values."""
SECONDS: Final = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 60.0, 120.0)
PERSON: Final = "person"


class Metrics:
    """The counters of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()

        def counter(name: str, description: str, *labels: str) -> Counter:
            return Counter(f"ludex_{name}", description, labels, registry=self.registry)

        def gauge(name: str, description: str) -> Gauge:
            return Gauge(f"ludex_{name}", description, registry=self.registry)

        self._moves = counter("moves", "Moves played, by agent", "game", "agent")
        self._games = counter("games", "Matches that ended, counted once per seat", "game", "agent", "result")
        self._rejected = counter("rejected_moves", "Moves that were refused", "code")
        self._failed_logins = counter("failed_logins", "Wrong tokens of the administrator")
        self._events = counter("shortcuts", "Events of moves that a game counts", "game", "name")
        self._search_seconds = Histogram(
            "ludex_search_seconds",
            "Time a decision took",
            ("game", "agent"),
            buckets=SECONDS,
            registry=self.registry,
        )
        self._requests = Histogram(
            "ludex_request_seconds",
            "Time to answer a request",
            ("method", "route", "status"),
            buckets=SECONDS,
            registry=self.registry,
        )
        self.active_matches = gauge("active_matches", "Matches that are watched or searched on this server")
        self.websocket_clients = gauge("websocket_clients", "Open WebSockets")
        self._running = gauge("searches_running", "Searches that run")
        self._waiting = gauge("searches_waiting", "Searches that wait for a worker")
        self._replaced = counter("workers_replaced", "Workers that died or were killed, and were replaced")
        self._known_replaced = 0

    def move_played(self, game: str, agent: str) -> None:
        """`agent` is an agent's reference, or `person`."""
        self._moves.labels(game, _name(game, agent)).inc()

    def game_over(self, game: str, scores: Sequence[float] | None, agents: Sequence[str]) -> None:
        """One count per seat; no scores means that the match was aborted."""
        for seat, agent in enumerate(agents):
            self._games.labels(game, _name(game, agent), _result(None if scores is None else scores[seat])).inc()

    def move_rejected(self, code: str) -> None:
        self._rejected.labels(code).inc()

    def login_failed(self) -> None:
        self._failed_logins.inc()

    def search_finished(self, game: str, agent: str, seconds: float) -> None:
        self._search_seconds.labels(game, _name(game, agent)).observe(seconds)

    def count(self, game: str, names: Mapping[str, int]) -> None:
        """Add what a game's own `ToolsSpec.metrics` count of one move."""
        for name, amount in names.items():
            if amount:
                self._events.labels(game, name).inc(amount)

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """`route` is the pattern that matched, not the requested path."""
        self._requests.labels(method if method in METHODS else OTHER, route, str(status)).observe(seconds)

    def pool(self, running: int, waiting: int, replaced: int) -> None:
        """The state of the worker pool; `replaced` counts from its start."""
        self._running.set(running)
        self._waiting.set(waiting)
        self._replaced.inc(replaced - self._known_replaced)
        self._known_replaced = replaced

    def exposition(self) -> bytes:
        """The text Prometheus reads."""
        return generate_latest(self.registry)


def _name(game: str, agent: str) -> str:
    """An agent without its options.

    >>> _name("quoridor", "hard:depth=3"), _name("quoridor", "person"), _name("quoridor", "of an imported file")
    ('hard', 'person', 'other')
    """
    name = agent.partition(":")[0]
    return name if name == PERSON or name in spec(game).agents or name in spec(game).levels else OTHER


def _result(score: float | None) -> str:
    if score is None:
        return "aborted"
    return "won" if score > 0 else "lost" if score < 0 else "drawn"
