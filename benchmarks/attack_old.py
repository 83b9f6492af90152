"""What other visitors notice while one of them attacks: each attack against a server of your own on this machine.

    python -m benchmarks.attack URL [--only NAME ...] [--json]

URL must be of a loopback address: nothing else is attacked. The attacker calls from 127.0.0.2 and keeps no cookies; a
visitor at 127.0.0.1 asks for /api/health and plays tic-tac-toe against an agent. Before, during and after each attack
the 95th percentiles of both are measured; a request that fails counts as ten seconds. Every attack is bounded in number
and time. Exit code 1 if a visitor's request failed during or after an attack. Start the server with a small limit of
files to see the most: `sh -c 'ulimit -n 1024; ludex serve'`.
"""

import argparse
import http.client
import json
import resource
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from ludex.arena.statistics import percentile

ATTACKER: Final = "127.0.0.2"
VISITOR: Final = "127.0.0.1"
CONNECTIONS: Final = 1_100
MATCHES: Final = 120
MOVETIMES_MS: Final = (600_000, 60_000, 10_000)
"""Move times the attacker asks for, the longest first; a server that bounds them refuses."""
SOCKETS: Final = 1_000
PREPARING: Final = http.client.SERVICE_UNAVAILABLE
PATIENCE: Final = 10.0
"""Seconds after which a visitor gives up a request or the wait for a move."""
POLL_SECONDS: Final = 0.1
"""Between two looks for the agent's move: more often would be an attack by the server's limit of requests."""
SAMPLES: Final = 20
"""Requests and moves of a visitor in each phase."""
PHASE_SECONDS: Final = 20.0
"""A phase ends after so long, with the samples it has."""


class Target:
    """A server on this machine."""

    def __init__(self, url: str) -> None:
        """Raises `ValueError` for any other host."""
        parts = urlsplit(url)
        host = "127.0.0.1" if parts.hostname == "localhost" else parts.hostname or ""
        if parts.scheme != "http" or not ip_address(host).is_loopback:
            raise ValueError(f"expected such as http://127.0.0.1:8000, an address of this machine alone, found {url!r}")
        self.host = host
        self.port = parts.port or 80
        self.ipv4 = ":" not in host

    def connect(self, source: str) -> socket.socket:
        return socket.create_connection((self.host, self.port), PATIENCE, (source, 0) if self.ipv4 else None)

    def ask(self, source: str, method: str, path: str, body: object = None, cookie: str = "") -> tuple[int, Any, str]:
        """One request on a connection of its own: status, document and cookie."""
        connection = http.client.HTTPConnection(self.host, self.port, PATIENCE, (source, 0) if self.ipv4 else None)
        try:
            headers = {"Content-Type": "application/json"} | ({"Cookie": cookie} if cookie else {})
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read()
            given = (answer.getheader("Set-Cookie") or cookie).partition(";")[0]
            return answer.status, json.loads(text) if text else None, given
        finally:
            connection.close()


@dataclass
class Experience:
    """What a visitor met in one phase."""

    health_ms: list[float] = field(default_factory=list)
    move_ms: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def document(self) -> dict[str, Any]:
        return {
            "health_p95_ms": _p95(self.health_ms),
            "move_p95_ms": _p95(self.move_ms),
            "samples": [len(self.health_ms), len(self.move_ms)],
            "failures": len(self.failures),
            "first_failure": self.failures[0] if self.failures else None,
        }


Attack = Callable[[Target], AbstractContextManager[str]]
"""Attacks for the length of a block, and says what the server let it do."""
ATTACKS: Final[dict[str, Attack]] = {}
"""By name; a new attack is a function below `@attack`."""


def attack(name: str) -> Callable[[Callable[[Target], Iterator[str]]], Attack]:
    """Register a generator function that yields once, while the attack is on."""

    def register(function: Callable[[Target], Iterator[str]]) -> Attack:
        ATTACKS[name] = contextmanager(function)
        return ATTACKS[name]

    return register


@attack("connections")
def idle_connections(target: Target) -> Iterator[str]:
    """Connections that never send a byte."""
    with ExitStack() as stack:
        opened = 0
        for _ in range(CONNECTIONS):
            try:
                stack.enter_context(target.connect(ATTACKER))
            except OSError:
                continue
            opened += 1
        yield f"{opened} of {CONNECTIONS} silent connections opened"


@attack("searches")
def search_monopoly(target: Target) -> Iterator[str]:
    """Matches against the strongest agent of a slow game, each by a new person."""
    begun: list[tuple[str, str]] = []
    movetimes = list(MOVETIMES_MS)
    for _ in range(MATCHES):
        body = {"game": "quoridor", "preset": "11x11", "seats": ["master", "you"]}
        try:
            status, match, cookie = target.ask(ATTACKER, "POST", "/api/matches", {**body, "movetime_ms": movetimes[0]})
        except OSError:
            continue
        if status == http.client.CREATED:
            begun.append((match["id"], cookie))
        elif status == http.client.UNPROCESSABLE_ENTITY and len(movetimes) > 1:
            del movetimes[0]
    try:
        yield f"{len(begun)} of {MATCHES} matches begun, at {movetimes[0]} ms per move"
    finally:
        for match_id, cookie in begun:
            target.ask(ATTACKER, "DELETE", f"/api/matches/{match_id}", cookie=cookie)


@attack("sockets")
def all_sockets(target: Target) -> Iterator[str]:
    """WebSockets of one match, each by a new person."""
    status, match, _ = target.ask(ATTACKER, "POST", "/api/matches", {"game": "tictactoe", "seats": ["you", "open"]})
    if status != http.client.CREATED:
        raise RuntimeError(f"no match to watch: {match}")
    with ExitStack() as stack:
        held = sum(_opens_socket(target, match["id"], stack, ATTACKER) for _ in range(SOCKETS))
        # What the attack is about: whether another visitor gets one.
        free = _opens_socket(target, match["id"], stack, VISITOR)
        yield f"{held} of {SOCKETS} WebSockets held; another visitor {'gets' if free else 'does not get'} one"


def _opens_socket(target: Target, match_id: str, stack: ExitStack, source: str) -> bool:
    """Whether a WebSocket is open and brings the match; it is held until the stack ends."""
    request = (
        f"GET /api/matches/{match_id}/live HTTP/1.1\r\nHost: {target.host}\r\nConnection: Upgrade\r\n"
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    try:
        connection = stack.enter_context(target.connect(source))
        connection.sendall(request.encode())
        received = b""
        while b'"type"' not in received:
            part = connection.recv(4096)
            if not part:
                return False
            received += part
    except OSError:
        return False
    return b'"type":"state"' in received


def visit(target: Target) -> Experience:
    """Ask for health and have an agent move, again and again."""
    met, end = Experience(), time.monotonic() + PHASE_SECONDS
    for _ in range(SAMPLES):
        if time.monotonic() > end:
            break
        for sample, times in ((_health, met.health_ms), (_move, met.move_ms)):
            begin = time.perf_counter()
            try:
                sample(target)
            except (OSError, RuntimeError, http.client.HTTPException) as error:
                met.failures.append(f"{sample.__name__.strip('_')}: {type(error).__name__}: {error}")
                # A refusal in a millisecond is no fast answer.
                times.append(1000 * PATIENCE)
            else:
                times.append(1000 * (time.perf_counter() - begin))
    return met


def _health(target: Target) -> None:
    status, document, _ = target.ask(VISITOR, "GET", "/api/health")
    if status != http.client.OK:
        raise RuntimeError(f"{status} {document}")


def _move(target: Target) -> None:
    """Begin a match, play one move, and wait for the agent's answer."""
    body = {"game": "tictactoe", "seats": ["you", "perfect"]}
    status, match, cookie = target.ask(VISITOR, "POST", "/api/matches", body)
    if status != http.client.CREATED:
        raise RuntimeError(f"{status} {match}")
    path, end = f"/api/matches/{match['id']}", time.monotonic() + PATIENCE
    status, match, _ = target.ask(VISITOR, "POST", f"{path}/moves", {"version": match["version"], "text": "b2"}, cookie)
    while status == http.client.OK and match["plies"] < 2:
        if time.monotonic() > end:
            raise RuntimeError(f"the agent did not move in {PATIENCE:.0f} s")
        time.sleep(POLL_SECONDS)
        status, match, _ = target.ask(VISITOR, "GET", path, cookie=cookie)
    if status != http.client.OK:
        raise RuntimeError(f"{status} {match}")


def ready(target: Target) -> None:
    """Wait until the games of the attacks are compiled."""
    for game in ("tictactoe", "quoridor"):
        while target.ask(VISITOR, "POST", "/api/matches", {"game": game, "seats": ["you", "open"]})[0] == PREPARING:
            time.sleep(1)


def measured(target: Target, name: str) -> dict[str, Any]:
    """One attack with what a visitor met before, during and after it."""
    before = visit(target)
    with ATTACKS[name](target) as effect:
        during = visit(target)
    after = visit(target)
    phases = {"before": before.document(), "during": during.document(), "after": after.document()}
    return {"attack": name, "effect": effect, **phases}


def _p95(times: list[float]) -> float | None:
    return round(percentile([round(1000 * ms) for ms in times], 95) / 1000, 1) if times else None


def _text(row: dict[str, Any]) -> str:
    lines = [f"{row['attack']}: {row['effect']}"]
    for phase in ("before", "during", "after"):
        met = row[phase]
        line = f"  {phase:7} health p95 {met['health_p95_ms']} ms, move p95 {met['move_p95_ms']} ms"
        lines.append(f"{line}, {met['failures']} failed" + (f" ({met['first_failure']})" if met["failures"] else ""))
    return "\n".join(lines)


def main() -> None:
    """Attack, and print what a visitor met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", help="the server, on a loopback address")
    parser.add_argument("--only", nargs="*", choices=[*ATTACKS], default=[*ATTACKS], help="attacks to run")
    parser.add_argument("--json", action="store_true", help="one document per line")
    options = parser.parse_args()
    try:
        target = Target(options.url)
    except ValueError as error:
        parser.error(str(error))
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    ready(target)
    failed = 0
    for name in options.only:
        row = measured(target, name)
        failed += row["during"]["failures"] + row["after"]["failures"]
        print(json.dumps(row) if options.json else _text(row), flush=True)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
