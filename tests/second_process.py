"""Programs that run in a process of their own, and the kernels that they compile."""

import os
import subprocess
import sys
from pathlib import Path


def run_in_a_process(program: str, cache: Path) -> str:
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env=environment | {"LUDEX_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def compiled_files(cache: Path) -> dict[str, int]:
    """The compiled files with the time each was written."""
    return {str(path): path.stat().st_mtime_ns for path in cache.rglob("*.nb*")}
