"""Listeners for the compilation of kernels. Apart from Numba, so that a command can listen without loading it."""

from collections.abc import Callable

listeners: list[Callable[[str], None]] = []


def on_compilation(listener: Callable[[str], None]) -> None:
    """Call a function with the name of each kernel that this process must compile, before it does."""
    listeners.append(listener)


def announce(kernel: str) -> None:
    """Tell all listeners."""
    for listener in listeners:
        listener(kernel)
