"""Locks of open files: one holder at a time, none after a holder's death; and the limit of a process's memory."""

import subprocess
import sys
from pathlib import Path

import pytest

from ludex.core import system

HOLDER = """
import sys
from ludex.core.system import try_lock
file = open(sys.argv[1], "ab")
print(try_lock(file), flush=True)
sys.stdin.read()
"""

GREEDY = """
from ludex.core.system import limit_memory
limit_memory(256 << 20)
try:
    bytearray(512 << 20)
except MemoryError:
    print("refused", len(bytearray(16 << 20)))
"""


@pytest.mark.slow
def test_a_lock_has_one_holder_and_ends_with_its_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, waits = tmp_path / "lock", list[float]()
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "True\n"
        with path.open("ab") as file:
            monkeypatch.setattr("ludex.core.system.time.sleep", waits.append)
            assert not system.try_lock(file, probes=3)
            assert len(waits) == 2
            holder.kill()
            holder.wait()
            system.lock(file)
        with path.open("rb") as reader:
            assert system.try_lock(reader)


def test_a_system_without_affinity_has_all_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    assert system.usable_cores() >= 1
    monkeypatch.delattr("os.sched_getaffinity", raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 12)
    assert system.usable_cores() == 12


def test_nothing_but_the_package_of_locks_needs_posix() -> None:
    """Modules of one system alone are imported where another one does not come by."""
    package = Path(system.__file__).parents[1]
    absent = ("import fcntl", "import pwd", "import termios", "import grp")
    named = [path for path in package.rglob("*.py") if any(line in path.read_text() for line in absent)]
    at_import = [path for path in package.rglob("*.py") if "\nimport resource" in path.read_text()]
    assert (named, at_import) == ([], [])


def test_a_process_that_wants_more_memory_is_refused() -> None:
    result = subprocess.run([sys.executable, "-c", GREEDY], capture_output=True, text=True, check=True)
    assert result.stdout == f"refused {16 << 20}\n"
