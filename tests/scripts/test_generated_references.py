"""The generated pages are what the code says."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cli", "api", "contract", "promises"])
def test_the_reference_is_current(name: str, tmp_path: Path) -> None:
    program = f"import {name}_reference; print({name}_reference.page(), end='')"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "scripts"), *sys.path])}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (ROOT / "docs" / f"{name}.md").read_text() == done.stdout, f"run `python scripts/{name}_reference.py`"


@pytest.mark.parametrize("page", ["api", "contract"])
def test_every_public_name_has_a_meaning(page: str) -> None:
    """No heading of a name is followed by the next one, or by nothing but its members."""
    lines = [line for line in (ROOT / "docs" / f"{page}.md").read_text().splitlines() if line]
    bare = [
        line
        for line, following in zip(lines, [*lines[1:], "#"], strict=True)
        if line[:4] == "### " and following[0] in "#-"
    ]
    assert bare == []
