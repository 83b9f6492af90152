"""Real faults under a real server: a full disk, a locked or lost database, killed workers. No answered move is lost."""

import os
import resource
import shutil
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from websockets.sync.client import ClientConnection

from benchmarks.serving import family
from ludex.core.errors import StoreFull, StoreUnavailable
from ludex.store.database import LEAST_FREE, Database
from tests.waiting import PATIENCE
from tests.web.playing import GENEROUS, View, Visitor, path
from tests.web.routes.test_live import at_ply, heard, of_type, say
from tests.web.running import RunningServer, served

FLAGS = (*GENEROUS, "--workers", "1", "--matches-per-person", "100000", "--matches-per-hour", "100000")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("faults")


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[RunningServer]:
    with served(home, *FLAGS) as running:
        yield running
        # Nothing that happened here keeps it from ending as it should.
        assert running.end() == 0


@contextmanager
def full_disk(server: RunningServer, size: int) -> Iterator[None]:
    """No file of the server may grow beyond so many bytes: the system refuses the rest."""
    pid = server.process.pid
    soft, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))
    yield
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def locked(database: Path) -> Iterator[None]:
    """Another program in the middle of a write."""
    rival = sqlite3.connect(database, isolation_level=None)
    rival.execute("BEGIN IMMEDIATE")
    yield
    rival.execute("ROLLBACK")
    rival.close()


def test_a_full_disk_refuses_new_writes_and_keeps_committed_ones(
    server: RunningServer, ann: Visitor, home: Path
) -> None:
    match = ann.move(ann.begin("tictactoe", "you", "you"), "b2")
    answered: list[View] = []
    with full_disk(server, (home / "data" / "ludex.db").stat().st_size + 200_000):
        for _ in range(2000):
            answer = ann.ask("POST", "/api/matches", {"game": "tictactoe", "seats": ["you", "you"]})
            if answer.status_code != 201:
                break
            answered.append(answer.json())
        assert (answer.status_code, answer.json()["code"]) == (503, "store_full")
        assert len(answered) > 5
        assert ann.view(match) == match
        assert ann.ask("GET", "/api/health").status_code == 200
    assert [ann.view(match) for match in answered] == answered
    assert ann.move(match, "a1")["plies"] == 2


def test_a_locked_database_is_waited_for_and_then_reported(ann: Visitor, home: Path) -> None:
    match = ann.move(ann.begin("tictactoe", "you", "you"), "b2")
    with locked(home / "data" / "ludex.db"):
        begin = time.monotonic()
        ann.refused(503, "store_locked", "POST", path(match, "moves"), {"version": match["version"], "text": "a1"})
        assert time.monotonic() - begin > 4
        assert ann.view(match) == match
    assert [move["text"] for move in ann.move(match, "a1")["moves"]] == ["b2", "a1"]


def test_a_killed_worker_is_replaced_and_the_match_goes_on(server: RunningServer, ann: Visitor) -> None:
    match = ann.begin("quoridor", "you", "master", preset="5x5", movetime_ms=20_000)
    with ann.watch(match) as socket:
        ann.move(match, "c2")
        heard(socket, of_type("analysis"))
        workers = [child for child in family(server.process.pid)[1:] if b"spawn_main" in _command(child)]
        assert workers
        for worker in workers:
            os.kill(worker, signal.SIGKILL)
        assert heard(socket, of_type("fault"))["problem"]["code"] == "agent_fault"
        think_again(socket)
        say(socket, "cancel")
        assert heard(socket, at_ply(2))["match"]["can"]["move"]
    assert ann.view(match)["plies"] == 2


def think_again(socket: ClientConnection) -> None:
    """Ask as a page does, every now and then; after a failure the server first pauses."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        say(socket, "ping")
        with suppress(TimeoutError):
            heard(socket, of_type("analysis"), seconds=2)
            return
    pytest.fail("the machine did not search again")


def _command(process: int) -> bytes:
    return Path(f"/proc/{process}/cmdline").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("replaced", [pytest.param(False, marks=pytest.mark.full), True])
def test_no_move_goes_into_a_file_that_is_gone(tmp_path: Path, replaced: bool) -> None:
    unlimited = ("--requests-per-minute", "1000000", "--burst", "1000000")
    with served(tmp_path, "--workers", "1", *unlimited) as server, Visitor(server) as ann:
        match = ann.begin("tictactoe", "you", "open")
        assert ann.ask("GET", "/api/health/ready").json()["ready"]
        file = tmp_path / "data" / "ludex.db"
        assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
        file.rename(tmp_path / "moved.db")
        if replaced:
            shutil.copy(tmp_path / "moved.db", file)
        problem = ann.refused(503, "store_unavailable", "POST", path(match, "moves"), {"version": 1, "text": "b2"})
        assert str(file) not in problem["message"]
        happened = "replaced by another file" if replaced else "deleted"
        assert happened in server.logged("while it was open")
        while (answer := ann.ask("GET", "/api/health/ready")).status_code == 200:
            assert answer.json()["ready"]
        assert (answer.status_code, answer.json()["code"]) == (503, "store_unavailable")
        assert "not ready" in server.logged("not ready")
        alive = ann.ask("GET", "/api/health/live").json()
        assert (alive["status"], alive["ready"]) == ("ok", False)
        assert ann.ask("GET", "/api/health").json() == alive
        assert file.exists() == replaced


def test_a_full_disk_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)
    with Database.open(f"sqlite:///{tmp_path / 'ludex.db'}") as database:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=LEAST_FREE))
        database.probe()
        monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=LEAST_FREE - 1))
        with pytest.raises(StoreFull, match="8,388,607 bytes left; make room"):
            database.probe()


def test_the_write_is_real_and_the_file_is_private(tmp_path: Path) -> None:
    file = tmp_path / "ludex.db"
    with Database.open(f"sqlite:///{file}") as database:
        database.probe()
        before = (tmp_path / "ludex.db-wal").stat().st_size
        database.probe()
        assert (tmp_path / "ludex.db-wal").stat().st_size > before
        assert {one.stat().st_mode & 0o777 for one in tmp_path.iterdir()} == {0o600}
        file.unlink()
        with pytest.raises(StoreUnavailable, match="was deleted while it was open"):
            database.probe()
        with pytest.raises(StoreUnavailable, match="was deleted while it was open"):
            database.list_rankings()
        assert not file.exists()
