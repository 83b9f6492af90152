"""Memory of processes that run for long: what is large goes back to the system as soon as it is free."""

import ctypes
from typing import Final

M_MMAP_THRESHOLD: Final = -3
"""As in glibc's malloc.h."""
LARGE: Final = 1 << 20


def give_back_large_blocks() -> None:
    """Let every block of a megabyte and more come from the system by itself, for as long as the process lives.

    As it comes, glibc's malloc takes freed blocks of up to 32 MiB for a sign to keep such ones in its heap, where the
    tables of players that come and go are held up by whatever lies between them. Other C libraries have no such knob.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None and mallopt(M_MMAP_THRESHOLD, LARGE) != 1:
        raise OSError(f"mallopt has refused a threshold of {LARGE} bytes")
