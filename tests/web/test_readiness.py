"""A database that is gone is noticed: by readiness, and before any move is acknowledged."""

import shutil
from pathlib import Path

import pytest

from ludex.core.errors import StoreFull, StoreUnavailable
from ludex.store.database import LEAST_FREE, Database
from tests.web.playing import Visitor, path
from tests.web.running import served


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
