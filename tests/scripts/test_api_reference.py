"""docs/api.md is what the code says."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_reference_is_current(tmp_path: Path) -> None:
    program = "import api_reference; print(api_reference.page(), end='')"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "scripts"), *sys.path])}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (ROOT / "docs" / "api.md").read_text() == done.stdout, "run `python scripts/api_reference.py`"
