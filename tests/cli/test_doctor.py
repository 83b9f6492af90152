"""The doctor: healthy, and each thing that can be wrong."""

import json
from pathlib import Path

from tests.cli.conftest import Ludex


def test_a_healthy_installation(ludex: Ludex) -> None:
    result = ludex("doctor", "--json")
    assert result.returncode == 0
    rows = json.loads(result.stdout)
    folders = ["data folder", "database", "runs folder", "jobs folder"]
    assert [row["check"] for row in rows] == ["versions", *folders, "kernels", "games"]
    assert all(row["ok"] for row in rows)
    assert "ok" in ludex("doctor").stdout


def test_a_failed_check_says_what_to_do(ludex: Ludex, own_folders: Path) -> None:
    (own_folders / "file").write_text("in the way")
    result = ludex("doctor", "--json", LUDEX_DATA=str(own_folders / "file" / "data"))
    sick = {row["check"]: row["detail"] for row in json.loads(result.stdout) if not row["ok"]}
    assert result.returncode == 1
    assert set(sick) == {"data folder", "database"}
    assert "set LUDEX_DATA to a writable folder" in sick["data folder"]
