"""`ludex warmup`: compile now, so that nobody waits later."""

from ludex.cli import parameters


def warmup(as_json: parameters.Json = False) -> None:
    """Compile every game's kernels into the cache."""
    import time

    from ludex.cli.output import emit, progress
    from ludex.core import registry

    specs = [registry.spec(name) for name in registry.names()]
    begin = time.perf_counter()
    compiled: list[str] = []
    with progress("compiling kernels", len(specs)) as advance:
        for spec in specs:
            if spec.warmup is not None:
                compiled += [f"{spec.id} {part}" for part in registry.resolve(spec.warmup)()]
            advance(1)
    seconds = time.perf_counter() - begin
    document = {"kernels": compiled, "seconds": seconds}
    emit(document, as_json, lambda: f"{len(compiled)} kernels ready in {seconds:.1f} s")
