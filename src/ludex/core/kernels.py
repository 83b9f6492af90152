"""Having a game's kernels ready before anybody's time runs."""

from functools import cache

from ludex.core.registry import resolve, spec


@cache
def load_kernels(game: str) -> tuple[str, ...]:
    """Compile a game's kernels, or read them from the cache, once in a process; and give their names."""
    warmup = spec(game).warmup
    kernels = {} if warmup is None else resolve(warmup)()
    for run in kernels.values():
        run()
    return tuple(kernels)
