"""`ludex warmup`: compile every kernel ahead of time."""

import os
from typing import TYPE_CHECKING, Annotated

import typer

from ludex.cli import parameters
from ludex.cli.output import emit, note
from ludex.core import registry

if TYPE_CHECKING:
    from ludex.kernels.warmup import Progress


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
    from ludex.kernels.warmup import GROUPS, PLAYED, KernelCompiler, is_prepared, kernel_names

    # One clear error, not one per game.
    kernel_folder()
    begin = time.perf_counter()
    specs, broken = registry.available()
    for error in broken:
        note(f"left out: {error.message}")
    kernels: dict[str, list[str]] = {spec.id: [] for spec in specs}
    groups = GROUPS if everything else PLAYED

    def prepare(game: str) -> None:
        def advance(progress: "Progress") -> None:
            if progress.kernel:
                kernels[game].append(progress.kernel)
                seconds = time.perf_counter() - begin
                note(f"{seconds:6.1f} s  {game} {progress.done} of {progress.total}: {progress.kernel}")

        KernelCompiler(game, in_workers(), groups).wait(advance)

    for game, names in kernels.items():
        if all(is_prepared(game, group) for group in groups):
            names += [name for group in groups for name in kernel_names(game, group)]
    with ThreadPoolExecutor(workers) as threads:
        for done in [threads.submit(prepare, game) for game, names in kernels.items() if not names]:
            done.result()
    seconds = time.perf_counter() - begin
    ready = [f"{game} {name}" for game, names in kernels.items() for name in names]
    document = {"kernels": ready, "seconds": seconds}
    emit(document, as_json, lambda: f"{len(ready)} kernels ready in {seconds:.1f} s")
