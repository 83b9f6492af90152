"""`ludex warmup`: compile now, so that nobody waits later."""

from ludex.cli import parameters


def warmup(as_json: parameters.Json = False) -> None:
    """Compile every game's kernels into the cache."""
    import time

    from ludex.cli.output import emit, note, progress
    from ludex.core import registry

    begin = time.perf_counter()
    specs, broken = registry.available()
    for error in broken:
        note(f"left out: {error.message}")
    kernels = {
        f"{spec.id} {name}": run
        for spec in specs
        if spec.warmup is not None
        for name, run in registry.resolve(spec.warmup)().items()
    }
    with progress("compiling kernels", len(kernels)) as advance:
        for run in kernels.values():
            run()
            advance(1)
    seconds = time.perf_counter() - begin
    document = {"kernels": list(kernels), "seconds": seconds}
    emit(document, as_json, lambda: f"{len(kernels)} kernels ready in {seconds:.1f} s")
