"""Attacks by quantity: connections, searches, WebSockets, imports, bodies and memory."""

import http.client
import json
import socket
import sys
import threading
import time
from collections.abc import Generator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, Final

import ludex
from benchmarks.attack.registry import Finding, attack, flood
from benchmarks.attack.target import Target
from benchmarks.attack.visitor import ready
from benchmarks.serving import resident, serving
from ludex.core.match import Match
from ludex.core.record import match_file

CONNECTIONS: Final = 1_100
FILES: Final = 1_024
"""The limit of open files of the servers that this command starts."""
LIMITED: Final = ("sh", "-c", f'ulimit -n {FILES} && exec "$0" "$@"', sys.executable, "-m", "ludex")
MATCHES: Final = 120
MOVETIMES_MS: Final = (600_000, 60_000, 10_000)
"""Move times the attacker asks for, the longest first; a server that bounds them refuses."""
SOCKETS: Final = 1_000
REFUSALS: Final = 3
"""WebSockets refused one after the other by their limit, after which the attacker gives up."""
IMPORTS: Final = 6
KEPT: Final = 8
"""Imported matches whose memory is measured."""
PLIES: Final = 98
BODIES: Final = 20
BODY_BYTES: Final = 4_000_000
KEYS: Final = 360_000
ANSWER_BYTES: Final = 20_000
HEALTH_MS: Final = 100
"""Of another visitor, the 95th percentile while such bodies are refused."""
LARGE: Final = "expert:rows=64:cols=64:mines=600"
CELLS: Final = 64 * 64
LOG_BYTES: Final = 100_000
"""Of a log that an attack may cause."""
MEBIBYTE: Final = 1 << 20


@flood("connections", "health timed out, and the log grew by megabytes per second", own=True)
def idle_connections(target: Target) -> Generator[None, None, str]:
    """Connections that never send a byte."""
    assert target.serving is not None
    logged = target.serving.log_bytes()
    with ExitStack() as stack:
        opened = _open(target, stack)
        yield
        logged = target.serving.log_bytes() - logged
    if logged > LOG_BYTES:
        raise RuntimeError(f"the log grew by {logged:,} bytes")
    return f"{opened:,} of {CONNECTIONS:,} silent connections at ulimit -n {FILES}, {logged:,} bytes logged"


def _open(target: Target, stack: ExitStack) -> int:
    opened = 0
    for _ in range(CONNECTIONS):
        try:
            stack.enter_context(target.connect(target.attacker))
        except OSError:
            continue
        opened += 1
    return opened


@attack("start-up connections", "a server hit while it started stayed broken: half-imported modules", own=True)
def startup_connections(target: Target) -> Finding:
    """The same connections while a server starts, which must then serve every page."""
    with socket.create_server((target.host, 0)) as free:
        port = free.getsockname()[1]
    opened: list[socket.socket] = []
    begun, stop = Target(target.host, port, attacker=target.attacker), threading.Event()

    def connect() -> None:
        while len(opened) < CONNECTIONS and not stop.is_set():
            try:
                opened.append(begun.connect(begun.attacker))
            except OSError:
                stop.wait(0.01)

    thread = threading.Thread(target=connect)
    thread.start()
    pages = ("/", "/static/main.js", "/api/games", "/api/leaderboard", "/api/tournaments", "/api/runs")
    try:
        with serving("--port", str(port), program=LIMITED):
            thread.join()
            statuses = [begun.ask(begun.visitor, "GET", page).status for page in pages]
    finally:
        stop.set()
        thread.join()
        for connection in opened:
            connection.close()
    good = statuses.count(http.client.OK)
    figures = {"pages": len(pages), "answered": good}
    return Finding(
        good == len(pages),
        f"{len(opened):,} connections during the start, then {good} of {len(pages)} pages answered",
        figures,
    )


@flood(
    "searches", "120 matches against 11x11 `master` at ten minutes per move were accepted in 4 s; no other agent moved"
)
def search_monopoly(target: Target) -> Generator[None, None, str]:
    """Matches against the strongest agent of a slow game, each by a new person."""
    begun: list[tuple[str, str]] = []
    movetimes = list(MOVETIMES_MS)
    for _ in range(MATCHES):
        body = {"game": "quoridor", "preset": "11x11", "seats": ["master", "you"], "movetime_ms": movetimes[0]}
        answer = target.ask(target.attacker, "POST", "/api/matches", body)
        if answer.status == http.client.CREATED:
            begun.append((answer.document["id"], answer.cookie))
        elif answer.status == http.client.UNPROCESSABLE_ENTITY and len(movetimes) > 1:
            del movetimes[0]
    try:
        yield
    finally:
        for match_id, cookie in begun:
            target.ask(target.attacker, "DELETE", f"/api/matches/{match_id}", cookie=cookie)
    return f"{len(begun)} of {MATCHES} matches begun, at {movetimes[0]:,} ms per move"


@flood("sockets", "one address without cookies held all 1,000 WebSockets")
def all_sockets(target: Target) -> Generator[None, None, str]:
    """WebSockets of one match, each by a new person who waits at the limit of requests, to meet that of sockets."""
    match, _ = target.begin(target.attacker, "tictactoe", "you", "open")
    with ExitStack() as stack:
        opened = 0
        refused: list[str] = []
        for _ in range(SOCKETS):
            refusal = _open_socket(target, match["id"], stack, target.attacker)
            opened += refusal is None
            refused = [*refused, refusal] if refusal else []
            if len(refused) == REFUSALS:
                break
        # What the attack is about: whether another visitor gets one.
        other = _open_socket(target, match["id"], stack, target.visitor)
        yield
    if other is not None:
        raise RuntimeError(f"another visitor gets no WebSocket: {other}")
    end = refused[-1] if refused else "no refusal"
    return f"{opened} of {SOCKETS:,} WebSockets held, then {end}; another visitor gets one"


def _open_socket(target: Target, match_id: str, stack: ExitStack, source: str) -> str | None:
    """Hold a WebSocket that brought the match until the stack ends, or say why there is none."""
    request = (
        f"GET /api/matches/{match_id}/live HTTP/1.1\r\nHost: {target.host}\r\nConnection: Upgrade\r\n"
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    while True:
        connection = stack.enter_context(target.connect(source))
        connection.sendall(request.encode())
        received = b""
        while b'"type"' not in received and b'"code"' not in received:
            part = connection.recv(4096)
            if not part:
                return "a closed connection"
            received += part
        if b'"type":"state"' in received:
            return None
        if b"too_many_requests" not in received:
            code = received.partition(b'"code":"')[2].partition(b'"')[0].decode()
            return f"`{code}`"
        time.sleep(1)


def longest_match() -> Match[Any, Any]:
    """A match of the most plies that any board allows: flags alone, set and taken away."""
    match = ludex.Match(ludex.make("minesweeper", LARGE), seed=1)
    while not match.over:
        match.play(CELLS + match.ply % CELLS)
    return match


def revealing_match() -> Match[Any, Any]:
    """A won match that opens cells one by one, by a player who knows the mines: its luck takes long to compute."""
    match = ludex.Match(ludex.make("minesweeper", LARGE), seed=1)
    for cell in range(CELLS):
        if match.over:
            break
        if match.legal()[cell]:
            match.play(cell)
            if _lost(match):
                match.undo()
    return match


def _lost(match: Match[Any, Any]) -> bool:
    return match.outcome is not None and match.outcome.scores[0] < 1


@flood("imports", "one import of 1,770 plies took 20 s; during six, another person's request took 79 s")
def imports(target: Target) -> Generator[None, None, str]:
    """Six imports at once of a won 64x64 match, and as many of the longest match."""
    bodies = [match_file(match, ("you",)).encode() for match in (revealing_match(), longest_match())]
    plies = [len(json.loads(body)["moves"]) for body in bodies]
    took: list[float] = []
    patient = replace(target, patience=120)

    def send(body: bytes) -> None:
        begin = time.perf_counter()
        if patient.ask(target.attacker, "POST", "/api/matches/import", body).status == http.client.CREATED:
            took.append(time.perf_counter() - begin)

    threads = [threading.Thread(target=send, args=(body,)) for body in bodies for _ in range(IMPORTS)]
    for thread in threads:
        thread.start()
    yield
    for thread in threads:
        thread.join()
    longest = f", {max(took):.1f} s at most" if took else ""
    return f"{len(took)} of {len(threads)} imports of {plies[0]:,} and {plies[1]:,} plies taken{longest}"


@flood("bodies", "not limited: a body of 4 MB takes half a second to parse, in which no request is answered")
def long_bodies(target: Target) -> Generator[None, None, str]:
    """Bodies that take long to parse, as fast as they can be sent."""
    body = b"[" + b"[]," * (BODY_BYTES // 3) + b"[]]"
    statuses: list[int] = []

    def send() -> None:
        for _ in range(BODIES):
            try:
                statuses.append(target.ask(target.attacker, "POST", "/api/matches", body).status)
            except OSError:
                statuses.append(0)

    thread = threading.Thread(target=send)
    thread.start()
    yield
    thread.join()
    parsed = statuses.count(http.client.UNPROCESSABLE_ENTITY)
    return f"{parsed} of {BODIES} bodies of {BODY_BYTES // 1_000_000} MB parsed, the others refused unread"


@flood(
    "many keys",
    "one body of 360,000 unknown keys stopped the event loop for seconds and was answered with 31 MB",
    health_ms=HEALTH_MS,
)
def many_keys(target: Target) -> Generator[None, None, str]:
    """Bodies with as many faults as fit, and with a key as long as fits."""
    many = json.dumps(dict.fromkeys((f"{number:x}" for number in range(KEYS)), 0)).encode()
    long = json.dumps({"x" * BODY_BYTES: 0}).encode()
    lengths: list[int] = []

    def send() -> None:
        for number, body in enumerate((many, long)):
            # Each from its own address, which has tokens for one.
            answer = target.ask(f"127.0.5.{1 + number}", "PUT", "/api/me/nickname", body)
            lengths.append(len(json.dumps(answer.document)))

    thread = threading.Thread(target=send)
    thread.start()
    yield
    thread.join()
    if max(lengths) > ANSWER_BYTES:
        raise RuntimeError(f"answered with {max(lengths):,} bytes")
    return f"{KEYS:,} unknown keys, and one of {BODY_BYTES // 1_000_000} MB, are refused in {max(lengths):,} bytes"


@attack("memory of imports", "each of 128 cached matches took 68 MiB, and 98 plies asked of one 45 MiB", own=True)
def memory_of_imports(target: Target) -> Finding:
    """Imports of the longest match, and many of its plies."""
    with serving("--replay-ms", "60000") as fresh:
        own = Target.of(fresh.address, fresh)
        ready(own, "minesweeper")
        body = match_file(longest_match(), ("you",)).encode()
        begin, match_id = resident(fresh.process.pid), ""
        for number in range(KEPT):
            while (
                answer := own.seen_from(number).ask(f"127.0.2.{number + 1}", "POST", "/api/matches/import", body)
            ).status != 201:
                time.sleep(1)
            match_id = answer.document["id"]
        imported = resident(fresh.process.pid)
        for ply in range(PLIES):
            own.ask(own.attacker, "GET", f"/api/matches/{match_id}?ply={100 * ply}")
        memory = resident(fresh.process.pid)
    grown, drawn = (imported - begin) / MEBIBYTE, (memory - imported) / MEBIBYTE
    text = f"{KEPT} imports add {grown:.0f} MiB together, for a cache of 256 MiB; {PLIES} plies add {round(drawn)} MiB"
    # Memory that Python holds but does not use counts as well.
    return Finding(grown < 2 * 256 and drawn < 45, text, {"imports_mib": round(grown), "plies_mib": round(drawn)})
