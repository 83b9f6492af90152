"""Compiling a game's kernels ahead of time."""

from collections.abc import Callable
from functools import cache

from ludex.core.registry import resolve, spec


@cache
def load_kernels(game: str, on_kernel: Callable[[str], None] | None = None) -> tuple[str, ...]:
    """Compile a game's kernels, or read them from the cache, once in a process; and give their names.

    `on_kernel` is called with each kernel's name when it is compiled.
    """
    warmup = spec(game).warmup
    kernels = {} if warmup is None else resolve(warmup)()
    for name, run in kernels.items():
        run()
        if on_kernel is not None:
            on_kernel(name)
    return tuple(kernels)


def kernel_names(game: str) -> tuple[str, ...]:
    """The names of a game's kernels, none of which is compiled."""
    warmup = spec(game).warmup
    return () if warmup is None else tuple(resolve(warmup)())
