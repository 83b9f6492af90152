"""What differs between operating systems: locks, priorities, how much memory and how many files a process may have."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

from filelock import lock_descriptor

_PROBE_SECONDS: Final = 0.01
_PROC: Final = Path("/proc")
UNLIMITED: Final = 1 << 20


def lock(file: IO[Any]) -> None:
    """Wait for the lock of an open file, which is held until that is closed or the process ends, however it ends."""
    lock_descriptor(file.fileno())


def try_lock(file: IO[Any], probes: int = 20) -> bool:
    """Lock an open file until it is closed, unless another holder keeps it for `probes` times ten milliseconds.

    Windows locks a byte of the file against readers too: a file that others read needs another one as its lock.
    """
    for probe in range(probes):
        if lock_descriptor(file.fileno(), blocking=False):
            return True
        if probe < probes - 1:
            time.sleep(_PROBE_SECONDS)
    return False


def is_locked(path: Path) -> bool:
    """Whether another process holds the lock of a file."""
    try:
        file = path.open()
    except FileNotFoundError:
        return False
    with file:
        # Another reader of the lock holds it for an instant.
        return not try_lock(file, probes=3)


def lower_priority(niceness: int, pid: int | None = None) -> None:
    """Let other processes go before this one, or another one; Windows gives all of them the same priority."""
    if sys.platform == "win32":
        return
    if pid is None:
        os.nice(niceness)
    else:
        os.setpriority(os.PRIO_PROCESS, pid, niceness)


def usable_cores() -> int:
    """How many cores this process may use: all of the machine's where the system keeps no process to some of them."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def limit_memory(size: int) -> None:
    """Let this process, and each one that it starts, allocate so many bytes and no more; Windows has no such limit."""
    if sys.platform == "win32":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def tree_memory() -> int | None:
    """Bytes that this process and all that descend from it hold for themselves; None where no `/proc` says so."""
    if not (_PROC / "self" / "statm").exists():
        return None
    total = 0
    for pid in _tree(os.getpid()):
        if (text := _read(_PROC / str(pid) / "statm")) is not None:
            _, resident, shared, *_ = map(int, text.split())
            total += (resident - shared) * os.sysconf("SC_PAGE_SIZE")
    return total


def kill_tree(process: subprocess.Popen[Any]) -> None:
    """Kill a process with all that descend from it; only itself where no `/proc` names them."""
    _, *descendants = _tree(process.pid)
    process.kill()
    for pid in descendants:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _tree(root: int) -> list[int]:
    """A process, then all that descend from it as far as `/proc` names them."""
    children: dict[int, list[int]] = {}
    for entry in _PROC.glob("[0-9]*"):
        if (text := _read(entry / "stat")) is not None:
            # The name of a program, in parentheses, may hold blanks.
            children.setdefault(int(text.rpartition(")")[2].split()[1]), []).append(int(entry.name))
    tree = [root]
    for pid in tree:
        tree += children.get(pid, [])
    return tree


def _read(path: Path) -> str | None:
    """A file of `/proc`; None if its process has ended."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None


def raise_file_limit() -> int:
    """Raise the limit of open files as far as the system allows, and return what the process has now."""
    if sys.platform == "win32":
        return UNLIMITED
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            soft = hard
        except (OSError, ValueError):
            # Some systems refuse what they name as the hard limit; the soft one is enough to go on.
            pass
    return UNLIMITED if soft == resource.RLIM_INFINITY else soft
