"""Having a game's kernels ready before anybody's time runs."""

from functools import cache

from ludex.core.registry import resolve, spec


@cache
def load_kernels(game: str) -> None:
    """Compile a game's kernels, or read them from the cache; once in a process."""
    warmup = spec(game).warmup
    if warmup is not None:
        for run in resolve(warmup)().values():
            run()
