"""Games of a package that is not installed: what its registration leaves behind."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import os, sys
from pathlib import Path
from ludex.core.registry import spec
from ludex.core.source_package import game_of
print(spec(game_of(Path(sys.argv[1]))).title, flush=True)
os.abort()
"""


def test_processes_that_are_killed_leave_one_folder_of_a_package(tmp_path: Path) -> None:
    package = tmp_path / "coins"
    (package / "src" / "coins").mkdir(parents=True)
    (package / "src" / "coins" / "__init__.py").touch()
    (package / "src" / "coins" / "spec.py").write_text(
        "from dataclasses import replace\n"
        "from ludex.games.tictactoe.spec import SPEC as KNOWN\n"
        "SPEC = replace(KNOWN, id='coins', title='Coins')\n"
    )
    (package / "pyproject.toml").write_text(
        '[project]\nname = "coins"\n[project.entry-points."ludex.games"]\ncoins = "coins.spec:SPEC"\n'
    )
    temporary, cache = tmp_path / "tmp", tmp_path / "cache"
    temporary.mkdir()
    environment = {**os.environ, "TMPDIR": str(temporary), "LUDEX_CACHE": str(cache)}
    for _ in range(2):
        result = subprocess.run(
            [sys.executable, "-c", PROGRAM, package], env=environment, capture_output=True, text=True, check=False
        )
        assert (result.returncode < 0, result.stdout) == (True, "Coins\n"), result.stderr
    assert [*temporary.iterdir()] == []
    assert len([*(cache / "sources").iterdir()]) == 1
