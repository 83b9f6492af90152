"""Silent, slow and too many connections, against a real server."""

import os
import resource
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path

import httpx
import pytest

from ludex.web.security.protocol import fit_limits
from ludex.web.settings import Settings
from tests.forking import ForkedProcess
from tests.web.running import RunningServer, served, server_fixture

pytestmark = pytest.mark.slow

FILES = 1024
SILENT = 1_100
STRANGER = "127.0.0.2"


@pytest.fixture(autouse=True)
def many_files() -> None:
    """This process holds the other end of every connection."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    assert hard > 3 * SILENT, f"the tests need more open files than {soft}"


def connected(port: int, source: str = STRANGER) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=30, source_address=(source, 0))


def port_of(server: RunningServer) -> int:
    return int(server.host.rpartition(":")[2])


@contextmanager
def silent_connections(port: int, source: str) -> Iterator[None]:
    with ExitStack() as stack:
        for _ in range(SILENT):
            stack.enter_context(connected(port, source))
        yield


def read_all(connection: socket.socket) -> bytes:
    received = b""
    while part := connection.recv(4096):
        received += part
    return received


def test_silent_connections_keep_no_visitor_out(tmp_path: Path) -> None:
    """A new connection is accepted; an idle one of the same address may be closed for it, so none is reused here."""
    with served(tmp_path, "--workers", "1", files=str(FILES)) as server:
        # From another address, and from the visitor's own.
        for source in (STRANGER, "127.0.0.1"):
            with silent_connections(port_of(server), source):
                for _ in range(3):
                    for path in ("/api/health", "/static/main.js"):
                        assert httpx.get(f"{server.url}{path}", timeout=20).status_code == 200
        lines = [line for line in server.log().splitlines() if "/api/health" not in line and "/static/" not in line]
        assert len(lines) < 10


def test_a_server_hit_while_it_starts_serves_every_page(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    opened: list[socket.socket] = []
    stop = threading.Event()

    def attack() -> None:
        while len(opened) < SILENT and not stop.is_set():
            try:
                opened.append(connected(port))
            except OSError:
                stop.wait(0.01)

    attacker = threading.Thread(target=attack)
    attacker.start()
    try:
        with served(tmp_path, "--port", str(port), "--workers", "1", files=str(FILES)) as server:
            attacker.join()
            with server.client() as visitor:
                for path in ("/", "/static/main.js", "/api/games", "/api/tournaments", "/api/runs"):
                    assert visitor.get(path).status_code == 200
                begun = visitor.post("/api/matches", json={"game": "tictactoe", "seats": ["you", "open"]})
                assert begun.status_code in (201, 503), begun.text
                assert begun.json().get("code", "preparing") == "preparing"
            assert "Error" not in server.log()
    finally:
        stop.set()
        for connection in opened:
            connection.close()


# The shortest time-outs.
strict = server_fixture("--header-ms", "300", "--body-ms", "300", "--connections-per-address", "3")


POST = (
    b"POST /api/matches HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
)


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: 127", POST], ids=["silence", "headers", "body"])
def test_unfinished_requests_time_out(strict: RunningServer, sent: bytes) -> None:
    with connected(port_of(strict)) as slow:
        slow.sendall(sent)
        assert read_all(slow).startswith(b"HTTP/1.1 408")
    assert "failed" not in strict.log()


def test_bytes_that_trickle_in_give_no_more_time(strict: RunningServer) -> None:
    with connected(port_of(strict)) as slow:
        slow.settimeout(0.05)
        answer = b""
        for byte in b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 400:
            try:
                slow.sendall(bytes([byte]))
                answer = slow.recv(100)
                break
            except TimeoutError:
                continue
        assert answer.startswith(b"HTTP/1.1 408")


def test_a_request_in_time_keeps_its_connection(strict: RunningServer) -> None:
    visitor = HTTPConnection(strict.host, timeout=30)
    visitor.connect()
    first = visitor.sock
    for _ in range(3):
        visitor.request("GET", "/api/health")
        answer = visitor.getresponse()
        assert (answer.status, bool(answer.read())) == (200, True)
        assert visitor.sock is first
    visitor.close()


# Few connections, and it waits for unfinished requests.
patient = server_fixture("--connections-per-address", "3")


def test_one_address_has_so_many_running_requests(patient: RunningServer) -> None:
    with ExitStack() as stack:
        for _ in range(3):
            busy = stack.enter_context(connected(port_of(patient)))
            busy.sendall(POST.replace(b"Content-Type", b"Expect: 100-continue\r\nContent-Type"))
            # The app reads the body now: the connection is not idle.
            assert busy.recv(100).startswith(b"HTTP/1.1 100")
        refused = read_all(stack.enter_context(connected(port_of(patient))))
        assert refused.startswith(b"HTTP/1.1 503")
        assert b"too_many_connections" in refused
        assert httpx.get(f"{patient.url}/api/health").status_code == 200


def test_a_lack_of_open_files_is_logged_once_and_survived(patient: RunningServer) -> None:
    limits = resource.prlimit(patient.process.pid, resource.RLIMIT_NOFILE)
    assert httpx.get(f"{patient.url}/api/health").status_code == 200
    resource.prlimit(patient.process.pid, resource.RLIMIT_NOFILE, (5, limits[1]))
    with connected(port_of(patient)) as waiting:
        patient.logged("cannot accept connections")
        resource.prlimit(patient.process.pid, resource.RLIMIT_NOFILE, limits)
        waiting.sendall(b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert waiting.recv(4096).startswith(b"HTTP/1.1 200")
    assert patient.log().count("cannot accept connections") == 1


def test_a_server_needs_some_files(tmp_path: Path) -> None:
    errors, environment = tmp_path / "errors.txt", {**os.environ, "LUDEX_DATA": str(tmp_path)}
    server = ForkedProcess("serve", "--port", "0", cwd=tmp_path, env=environment, stderr=errors, files="90")
    assert server.wait() == 2
    server.close()
    assert "error [too_few_files]: the limit of open files is 90, a server needs at least 123" in errors.read_text()


@pytest.mark.parametrize(
    ("files", "given", "connections", "sockets"),
    [
        (1024, {}, 708, 531),
        (1024, {"sockets": 400}, 708, 400),
        (1 << 20, {}, 10_000, 1_000),
        (1 << 20, {"connections": 400}, 400, 300),
    ],
)
def test_sockets_are_fewer_than_connections(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    files: int,
    given: dict[str, int],
    connections: int,
    sockets: int,
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, files))
    settings = Settings.read(given, {})
    limits = fit_limits(settings)
    assert (limits.connections, limits.sockets) == (connections, sockets)
    for name in ("connections", "sockets"):
        lowered = getattr(limits, name) < getattr(settings, name)
        assert (f"'{name}': {getattr(limits, name)}" in caplog.text) == lowered
