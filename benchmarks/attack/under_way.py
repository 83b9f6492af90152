"""Attacks by what is under way together: each request alone is within its limits."""

import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from http.client import OK, REQUEST_HEADER_FIELDS_TOO_LARGE, SERVICE_UNAVAILABLE
from typing import Final

from benchmarks.attack.floods import MEBIBYTE, longest_match
from benchmarks.attack.registry import Finding, attack, flood, visited
from benchmarks.attack.target import Target
from benchmarks.attack.visitor import ready
from benchmarks.serving import cpu_seconds, resident, serving
from ludex.core.record import Record, match_file
from ludex.learn.runs import Run
from ludex.store.database import Database

HEALTH_MS: Final = 100
"""Of another visitor, the 95th percentile during these attacks."""
HEADERS: Final = {
    "one of 50 MB": (b"x: ", b"a" * 65_536, 800),
    "2 million small ones": (b"", b"x: yy\r\n" * 9_362, 214),
}
"""By name: how the headers begin, a part, and how often it is sent."""
HEADER_MIB: Final = 64
LONG: Final = 110
"""Matches of 16,384 plies that one person has."""
OPENED: Final = 100
"""Of these at once."""
MOST_MIB: Final = 512
"""Of the server in all, while they are opened."""
EXPORTS: Final = 16
LISTS: Final = 40
LIST_MS: Final = 10
"""Of CPU time for a list of a hundred matches."""
RUNS: Final = 6
ROWS: Final = 1_000
PICTURES: Final = 60
PICTURE_SECONDS: Final = 3.0
"""Of CPU time for pictures that nobody waits for."""
SPECTATORS: Final = 200
MOVE_MS: Final = 50
"""Of CPU time for a move that they all see."""


@flood(
    "headers",
    "one header of 50 MB delayed another visitor's health by 8.4 s; 200 MB of small ones were accepted, at 944 MiB",
    own=True,
    health_ms=HEALTH_MS,
)
def large_headers(target: Target) -> Generator[None, None, str]:
    """Headers without end, one huge and many small ones, four connections each."""
    assert target.serving is not None
    pid, answers = target.serving.process.pid, Counter[str]()
    before = resident(pid)
    threads = [
        threading.Thread(target=_send_headers, args=(target, *kind, answers)) for kind in 4 * [*HEADERS.values()]
    ]
    for thread in threads:
        thread.start()
    yield
    for thread in threads:
        thread.join()
    grown = (resident(pid) - before) / MEBIBYTE
    if answers["accepted"] or grown > HEADER_MIB:
        raise RuntimeError(f"{dict(answers)}, {grown:.0f} MiB more")
    return f"{len(threads)} requests with {' or '.join(HEADERS)}: {answers['refused']} refused, {grown:.0f} MiB more"


def _send_headers(target: Target, begin: bytes, part: bytes, times: int, answers: Counter[str]) -> None:
    with target.connect(target.attacker) as connection:
        try:
            connection.sendall(b"GET /api/health HTTP/1.1\r\nHost: " + target.host.encode() + b"\r\n" + begin)
            for _ in range(times):
                connection.sendall(part)
            connection.sendall(b"\r\n\r\n")
        except OSError:
            # The server has closed the connection: its answer can still be read.
            pass
        try:
            status = connection.recv(64).split()[1:2]
        except OSError:
            status = []
    refused = status in ([], [str(int(REQUEST_HEADER_FIELDS_TOO_LARGE)).encode()])
    answers["refused" if refused else "accepted"] += 1


@contextmanager
def with_long_matches() -> Iterator[tuple[Target, list[str], str]]:
    """A server of its own on which a person has imported a long match, and has many like it; their ids and cookie.

    Only the first is imported over HTTP, the others are stored beside it: to import them all would take minutes.
    """
    with serving("--replay-ms", "60000") as server:
        target = Target.of(server.address, server)
        ready(target, "tictactoe", "minesweeper")
        match = longest_match()
        answer = target.ask(target.attacker, "POST", "/api/matches/import", match_file(match, ("you",)).encode())
        if answer.status >= 300:
            raise RuntimeError(f"no match imported: {answer.status} {answer.document}")
        with Database.open(f"sqlite:///{server.data / 'ludex.db'}") as database:
            hosting = database.hostings.get(answer.document["id"]).hosting
            assert hosting is not None
            record = Record.of(match, ("you",))
            ids = [database.hostings.create(record, hosting) for _ in range(LONG)]
        yield target, ids, answer.cookie


def _at_once(work: Callable[[int], None], count: int) -> list[threading.Thread]:
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    return threads


def _own_server(flood_of: Callable[[Target, list[str], str], Generator[None, None, str]]) -> Finding:
    """A flood against the server with long matches."""
    with with_long_matches() as (target, ids, cookie):
        return visited(target, lambda _: flood_of(target, ids, cookie), HEALTH_MS)


@attack("long matches", "100 matches of 16,383 plies opened at once took 6,939 MiB, 2,902 of them 30 s later", own=True)
def long_matches(target: Target) -> Finding:
    """Different long matches opened at once, while another visitor reads and plays."""

    def begin(own: Target, ids: list[str], _cookie: str) -> Generator[None, None, str]:
        assert own.serving is not None
        pid, peak, done, statuses = own.serving.process.pid, 0, threading.Event(), Counter[int]()

        def watch(_: int) -> None:
            nonlocal peak
            while not done.wait(0.02):
                peak = max(peak, resident(pid))

        def read(number: int) -> None:
            answer = replace(own, patience=120).ask(f"127.0.3.{1 + number}", "GET", f"/api/matches/{ids[number]}")
            if answer.status == SERVICE_UNAVAILABLE and answer.headers["Retry-After"] is None:
                raise RuntimeError("refused without Retry-After")
            statuses[answer.status] += 1

        watching, reading = _at_once(watch, 1), _at_once(read, OPENED)
        yield
        for thread in reading:
            thread.join()
        done.set()
        watching[0].join()
        after = resident(pid)
        counts = f"{statuses[OK]} of {OPENED} opened, {statuses[SERVICE_UNAVAILABLE]} asked to come back"
        memory = f"{peak / MEBIBYTE:.0f} MiB at most in all, {after / MEBIBYTE:.0f} afterwards"
        if peak > MOST_MIB * MEBIBYTE or {*statuses} - {OK, SERVICE_UNAVAILABLE} or not statuses[OK]:
            raise RuntimeError(f"{counts}; {memory}")
        return f"{counts}; {memory}"

    return _own_server(begin)


@attack("exports", "sixteen exports of 100 long matches stopped the event loop for 30 s", own=True)
def exports(target: Target) -> Finding:
    """Exports of everything a person has, at once, of one person and of many."""

    def begin(own: Target, _ids: list[str], cookie: str) -> Generator[None, None, str]:
        statuses = Counter[int]()

        def export(_: int) -> None:
            statuses[replace(own, patience=120).ask(own.attacker, "GET", "/api/me/export", cookie=cookie).status] += 1

        threads = _at_once(export, EXPORTS)
        yield
        for thread in threads:
            thread.join()
        if not statuses[OK] or {*statuses} - {OK, SERVICE_UNAVAILABLE}:
            raise RuntimeError(f"answered with {dict(statuses)}")
        return f"{statuses[OK]} of {EXPORTS} exports of {LONG} long matches at once, the others asked to come back"

    return _own_server(begin)


@attack("lists", "a list of 100 long matches took 368 ms of CPU time", own=True)
def lists(target: Target) -> Finding:
    """Lists of long matches, one after the other."""
    with with_long_matches() as (own, _, cookie):
        assert own.serving is not None
        pid = own.serving.process.pid
        own.ask(own.attacker, "GET", "/api/matches?limit=100", cookie=cookie)
        before = cpu_seconds(pid)[pid]
        for _ in range(LISTS):
            answer = own.ask(own.attacker, "GET", "/api/matches?limit=100", cookie=cookie)
            if answer.status != OK:
                raise RuntimeError(f"{answer.status} {answer.document}")
        each = 1000 * (cpu_seconds(pid)[pid] - before) / LISTS
    return Finding(each <= LIST_MS, f"{each:.1f} ms of CPU time for 100 of {LONG} long matches", {"cpu_ms": each})


@flood(
    "pictures", "pictures of comparisons for closed connections took 15 s of CPU; another visitor waited 40 s", own=True
)
def pictures(target: Target) -> Generator[None, None, str]:
    """Pictures of long runs, asked for on connections that are closed at once."""
    assert target.serving is not None
    base = target.serving.data.parent / "runs"
    names = []
    for seed in range(RUNS):
        run = Run.create(base, "tictactoe", "negamax", f"games: {ROWS}\nseed: {seed}\n", changes={"seed": seed})
        for row in range(ROWS):
            run.log({"games": row, "losing_lines": (seed + row) % 90, "keys": row})
        names.append(run.name)
    path = f"/api/runs/compare/export.png?runs={','.join(names)}"
    pid, patient = target.serving.process.pid, replace(target, patience=120)
    # The first picture loads what draws them.
    patient.ask(target.visitor, "GET", path)
    before = cpu_seconds(pid)[pid]
    request = f"GET {path} HTTP/1.1\r\nHost: {target.host}\r\n\r\n".encode()
    for _ in range(PICTURES):
        with target.connect(target.attacker) as connection:
            connection.sendall(request)
    yield
    begin = time.perf_counter()
    status = patient.ask(target.visitor, "GET", path).status
    waited, spent = time.perf_counter() - begin, cpu_seconds(pid)[pid] - before
    text = (
        f"{PICTURES} pictures for closed connections: {spent:.1f} s of CPU time; another visitor waited {waited:.1f} s"
    )
    if status != OK or spent > PICTURE_SECONDS:
        raise RuntimeError(f"{text}, answered with {status}")
    return text


@attack("spectators", "200 spectators cost 118 ms of CPU time per move", own=True)
def spectators(target: Target) -> Finding:
    """A match that many people watch, each by a WebSocket of their own."""
    assert target.serving is not None
    pid = target.serving.process.pid
    with ExitStack() as stack:
        match, cookie = target.begin(target.visitor, "tictactoe", "you", "you")
        connections = [stack.enter_context(_watch(target, match["id"], number)) for number in range(SPECTATORS)]
        before, moves = cpu_seconds(pid)[pid], ("b2", "a1", "a2", "c2", "b1", "b3", "a3", "c1", "c3")
        for version, text in enumerate(moves, match["version"]):
            move = {"version": version, "text": text}
            path = f"/api/matches/{match['id']}/moves"
            answer = target.ask(target.visitor, "POST", path, move, cookie)
            if answer.status != OK:
                raise RuntimeError(f"{answer.status} {answer.document}")
            for connection in connections:
                _read_until(connection, b'"version":%d' % (version + 1))
        each = 1000 * (cpu_seconds(pid)[pid] - before) / len(moves)
    return Finding(
        each <= MOVE_MS, f"{each:.0f} ms of CPU time per move that {SPECTATORS} people see", {"cpu_ms": each}
    )


def _watch(target: Target, match_id: str, number: int) -> socket.socket:
    """A WebSocket that has brought the match."""
    connection = target.connect(f"127.0.4.{1 + number % 50}")
    connection.sendall(
        f"GET /api/matches/{match_id}/live HTTP/1.1\r\nHost: {target.host}\r\nConnection: Upgrade\r\n"
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        "".encode()
    )
    _read_until(connection, b'"type":"state"')
    return connection


def _read_until(connection: socket.socket, words: bytes) -> None:
    received = b""
    while words not in received:
        part = connection.recv(1 << 16)
        if not part:
            raise RuntimeError(f"closed before {words!r}")
        received += part
