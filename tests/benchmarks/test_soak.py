"""The soak plays for real, and finds a sound server sound."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.documents import ROOT


def soak(into: Path, *arguments: str) -> tuple[int, Any, str]:
    """A few matches of tic-tac-toe."""
    command = [sys.executable, "-m", "benchmarks.soak", "--minutes", "1", "--matches", "8", "--games", "tictactoe"]
    command += ["--guests", "2", "--workers", "1", "--warm-up", "0.5", "--into", str(into), *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.stdout, done.stderr
    document = json.loads((into / "web_soak.json").read_text())
    assert json.loads(done.stdout) == document
    return done.returncode, document, done.stderr


@pytest.mark.slow
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
