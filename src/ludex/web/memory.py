"""Memory of long-running processes: large blocks return to the system, and what stays is not collected."""

import ctypes
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

M_MMAP_THRESHOLD: Final = -3
"""As in glibc's malloc.h."""
LARGE: Final = 1 << 20


def give_back_large_blocks() -> None:
    """Allocate every block of a megabyte and more directly from the system, for the rest of the process.

    By default glibc raises this threshold, up to 32 MiB, after such blocks are freed. It then keeps them in its heap,
    where fragmentation holds the tables of discarded agents. Other C libraries have no such setting.
    """
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None and mallopt(M_MMAP_THRESHOLD, LARGE) != 1:
        raise OSError(f"mallopt has refused a threshold of {LARGE} bytes")


@contextmanager
def paused_collector() -> Iterator[None]:
    """Load modules and tables without the garbage collector, which passes over them from then on.

    Searching what an import has just made for garbage costs an eighth of the CPU time of a start.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
