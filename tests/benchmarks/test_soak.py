"""The soak plays for real and finds a sound server sound; the attacks are for servers on this machine alone."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.attack.__main__ import main
from benchmarks.attack.target import Target
from benchmarks.documents import ROOT
from tests.web.conftest import home, server
from tests.web.running import RunningServer


def soak(into: Path, *arguments: str) -> tuple[int, Any, str]:
    """A few matches of tic-tac-toe."""
    command = [sys.executable, "-m", "benchmarks.soak", "--minutes", "1", "--matches", "8", "--games", "tictactoe"]
    command += ["--guests", "2", "--workers", "1", "--warm-up", "0.5", "--into", str(into), *arguments]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert result.stdout, result.stderr
    document = json.loads((into / "web_soak.json").read_text())
    assert json.loads(result.stdout) == document
    return result.returncode, document, result.stderr


@pytest.mark.full
def test_a_sound_server_is_found_sound(tmp_path: Path) -> None:
    # In seconds a worker only begins to load what it needs: its memory still grows, by a few times.
    code, report, complaints = soak(tmp_path, "--most-growth", "9")
    assert (code, report["errors"], complaints) == (0, {}, ""), report["quoted"]
    assert report["games_finished"]["tictactoe"] == report["matches_checked_at_the_end"] > 0
    assert {"begin", "legal", "move", "news", "view"} <= set(report["latencies"])
    assert all(times["p50_ms"] <= times["p95_ms"] for times in report["latencies"].values())
    assert report["memory"]["server"]["first_mib"] > 50
    assert report["memory"]["server"]["growth"] < 0.2
    assert report["memory"]["workers"]["first_mib"] > 50


__all__ = ["home", "server"]


@pytest.mark.parametrize(
    "url", ["http://192.0.2.7:8000", "https://127.0.0.1:8000", "http://play.example.org", "127.0.0.1:8000", ""]
)
def test_other_machines_are_not_attacked(url: str) -> None:
    with pytest.raises(ValueError, match=r"this machine alone|does not appear to be"):
        Target.of(url)


@pytest.mark.slow
def test_a_running_server_is_attacked_and_holds(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("absurd options", "administrator", "deletion", "generator")
    monkeypatch.setattr(sys, "argv", ["attack", server.url, "--only", *names])
    assert main() == 0
    assert [line.partition(":")[0] for line in capsys.readouterr().err.splitlines()] == [*names]
