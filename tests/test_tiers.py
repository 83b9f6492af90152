"""The fast tests, which `make check` runs, are at least half of all tests and touch every folder of the package."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "ludex"


def folders() -> list[str]:
    """The folders of the package that hold modules, one per game instead of `games`."""
    found = [path for path in (*PACKAGE.iterdir(), *(PACKAGE / "games").iterdir()) if any(path.glob("[!_]*.py"))]
    return sorted(str(path.relative_to(PACKAGE)) for path in found)


@pytest.mark.full
def test_fast_tests_are_half_of_all_and_touch_every_folder() -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", "not slow and not full"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    counted = re.search(r"^(\d+)/(\d+) tests collected", found, re.MULTILINE)
    assert counted, found[-1000:]
    fast, every = map(int, counted.groups())
    assert fast >= every / 2
    assert {"arena", "cli", "core", "learn", "store", "web", "games/tictactoe"} <= {*folders()}
    untouched = [folder for folder in folders() if f"\ntests/{folder}/" not in found]
    assert untouched == []
