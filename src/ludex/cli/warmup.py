"""`ludex warmup`: compile every kernel ahead of time."""

import os
from typing import TYPE_CHECKING, Annotated

import typer

from ludex.cli import parameters
from ludex.cli.output import emit, note
from ludex.core import registry

if TYPE_CHECKING:
    from ludex.kernels.compiler import Progress


def warmup(
    workers: Annotated[
        int, typer.Option(min=1, help="number of processes, each compiles one game at a time")
    ] = os.cpu_count() or 1,
    everything: Annotated[
        bool, typer.Option("--all", help="also the kernels of training, benchmarks and verbs")
    ] = False,
    as_json: parameters.Json = False,
) -> None:
    """Compile the kernels that players need, of every game, into the cache."""
    import time
    from concurrent.futures import ThreadPoolExecutor

    from ludex.core.log import in_workers
    from ludex.kernels.cache import kernel_folder
    from ludex.kernels.compiler import KernelCompiler
    from ludex.kernels.warmup import GROUPS, PLAYED

    # One clear error, not one per game.
    kernel_folder()
    begin = time.perf_counter()
    specs, broken = registry.available()
    for error in broken:
        note(f"left out: {error.message}")
    kernels: dict[str, list[str]] = {spec.id: [] for spec in specs}

    def prepare(game: str) -> None:
        def advance(progress: "Progress") -> None:
            if progress.kernel:
                kernels[game].append(progress.kernel)
                seconds = time.perf_counter() - begin
                note(f"{seconds:6.1f} s  {game} {progress.done} of {progress.total}: {progress.kernel}")

        KernelCompiler(game, in_workers(), GROUPS if everything else PLAYED).wait(advance)

    with ThreadPoolExecutor(workers) as threads:
        for done in [threads.submit(prepare, game) for game in kernels]:
            done.result()
    seconds = time.perf_counter() - begin
    ready = [f"{game} {name}" for game, names in kernels.items() for name in names]
    document = {"kernels": ready, "seconds": seconds}
    emit(document, as_json, lambda: f"{len(ready)} kernels ready in {seconds:.1f} s")
