"""Memory of long-running processes: large blocks return to the system as soon as they are freed."""

import ctypes
import sys
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
