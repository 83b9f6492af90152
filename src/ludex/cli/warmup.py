"""`ludex warmup`: compile now, so that nobody waits later."""

import os
from typing import Annotated

import typer

from ludex.cli import parameters


def warmup(
    workers: Annotated[int, typer.Option(min=1, help="processes, one for a game at a time")] = os.cpu_count() or 1,
    as_json: parameters.Json = False,
) -> None:
    """Compile every game's kernels into the cache."""
    import time

    from ludex.cli.output import emit, note, progress
    from ludex.core import registry
    from ludex.core.executor import executor_for
    from ludex.core.kernels import load_kernels

    begin = time.perf_counter()
    specs, broken = registry.available()
    for error in broken:
        note(f"left out: {error.message}")
    games = [spec.id for spec in specs]
    kernels: dict[str, tuple[str, ...]] = {}
    with progress("compiling kernels", len(games)) as advance:
        for index, names in executor_for(min(workers, len(games))).run(load_kernels, games):
            kernels[games[index]] = names
            advance(1)
    seconds = time.perf_counter() - begin
    ready = [f"{game} {name}" for game in games for name in kernels[game]]
    document = {"kernels": ready, "seconds": seconds}
    emit(document, as_json, lambda: f"{len(ready)} kernels ready in {seconds:.1f} s")
