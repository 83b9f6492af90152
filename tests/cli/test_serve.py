"""`ludex serve` as a command."""

import signal
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from websockets.sync.client import connect

from tests.cli.conftest import Ludex
from tests.waiting import until
from tests.web.playing import Visitor
from tests.web.running import RunningServer, served

pytestmark = pytest.mark.slow

SECRET = "0f1e8d2c7b3a69584f0e1d8c2b7a3695"


def test_a_port_in_use_is_reported(ludex: Ludex) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        result = ludex("serve", "--port", str(other.getsockname()[1]))
    assert result.returncode == 2
    assert "error [cannot_listen]: cannot listen on 127.0.0.1 port" in result.stderr
    assert "choose another with --port" in result.stderr


def test_other_machines_need_a_secret(ludex: Ludex) -> None:
    result = ludex("serve", "--host", "0.0.0.0")
    assert result.returncode == 2
    assert "set LUDEX_SECRET" in result.stderr


@pytest.mark.parametrize(
    ("flags", "environment", "expected"),
    [
        (("--host", "no.such.host.invalid"), {"LUDEX_SECRET": SECRET}, "cannot listen on no.such.host.invalid"),
        (("--workers", "many"), {}, "key 'workers'"),
        (("--secret", "x"), {}, "No such option"),
        ((), {"LUDEX_PORTS": "1"}, "unknown variable LUDEX_PORTS"),
    ],
)
def test_bad_settings_are_wrong_usage(
    ludex: Ludex, flags: tuple[str, ...], environment: dict[str, str], expected: str
) -> None:
    result = ludex("serve", *flags, **environment)
    assert result.returncode == 2
    assert expected in result.stderr


def test_a_database_that_cannot_be_opened_is_reported(process: Ludex, tmp_path: Path) -> None:
    result = process("serve", "--port", "0", "--database", f"sqlite:///{tmp_path}/none/ludex.db")
    assert result.returncode == 5
    assert "error [store_unavailable]" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("end", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.full)])
def test_it_opens_the_browser_and_ends_cleanly(tmp_path: Path, end: signal.Signals) -> None:
    script, record = tmp_path / "browser.py", tmp_path / "seen"
    script.write_text("import pathlib, sys\npathlib.Path(sys.argv[1]).write_text(sys.argv[2])\n")
    browser = f"{sys.executable} {script} {record} %s"
    with served(tmp_path / "home", "--open", "--workers", "1", BROWSER=browser) as server:
        with server.client() as visitor:
            assert visitor.get("/api/health").json()["status"] == "ok"
        assert until(lambda: record.exists() and record.read_text(), "the browser") == server.login_link
        server.process.send_signal(end)
        assert server.process.wait(30) == (0 if end == signal.SIGINT else -signal.SIGTERM)
        assert "Traceback" not in server.log()
        assert "error" not in server.log().lower()


def test_a_login_link_is_printed_at_any_time(tmp_path: Path, ludex: Ludex) -> None:
    def log_in(server: RunningServer) -> str:
        result = ludex("login", LUDEX_DATA=str(tmp_path / "data"))
        assert result.returncode == 0, result.stderr
        assert result.stdout.startswith(f"{server.url}/administrator#")
        return result.stdout.strip().partition("#")[2]

    with served(tmp_path, "--workers", "1") as server, server.client() as client:
        token = log_in(server)
        forged = token[:-1] + ("0" if token[-1] != "0" else "1")
        answers = [client.post("/api/administrator/login", json={"token": name}) for name in (forged, token, token)]
        assert [answer.status_code for answer in answers] == [403, 200, 403]
        assert log_in(server) != token
        files = [*(tmp_path / "data" / "servers").iterdir()]
        assert [file.stat().st_mode & 0o777 for file in files] == [0o600]
        assert server.end() == 0
    assert [*(tmp_path / "data" / "servers").iterdir()] == []
    result = ludex("login", LUDEX_DATA=str(tmp_path / "data"))
    assert (result.returncode, "no server runs" in result.stderr) == (2, True)


def test_ctrl_c_does_not_wait_for_machines_that_search(tmp_path: Path) -> None:
    flags = ("--workers", "1", "--search-ms", "60000")
    with served(tmp_path, *flags) as server, Visitor(server) as visitor, ThreadPoolExecutor(2) as threads:
        match = visitor.begin("quoridor", "you", "you")["id"]
        long = {"agent": "master", "movetime_ms": 60_000}
        requests = [threads.submit(visitor.ask, "POST", f"/api/matches/{match}/analysis", long) for _ in range(2)]
        with server.administrator() as watcher:
            until(lambda: "\nludex_searches_waiting 1.0\n" in watcher.get("/metrics").text, "the second search")
        with connect(f"{server.socket_url}/api/matches/{match}/live") as socket:
            socket.recv(timeout=60)
            assert server.end() == 0
        for request in requests:
            assert (request.result().status_code, request.result().json()["code"]) == (503, "abandoned")
        assert "Traceback" not in server.log()
