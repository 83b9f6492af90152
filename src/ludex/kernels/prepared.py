"""Which groups of kernels are in the cache: a marker file per game and group lies beside them."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from ludex.core import documents, registry
from ludex.core.errors import FolderUnwritable
from ludex.core.system import lock
from ludex.kernels.warmup import GROUPS, KernelGroup, is_loaded, kernel_names, load_group


def is_prepared(game: str, group: KernelGroup) -> bool:
    """Whether a group of a game's kernels can be loaded without compiling. Raises `FolderUnwritable`."""
    if registry.spec(game).tools.warmup is None:
        return True
    # Kernels of other packages may have changed: they are always looked up.
    return registry.is_built_in(game) and _mark(game, group).exists()


def prepare(game: str, group: KernelGroup, on_kernel: Callable[[str], None] | None = None) -> None:
    """Compile a group of a game's kernels into the cache.

    If another process does so already, wait for it and load them.
    """
    with _lock_file(_folder() / f"{game}-{group}.lock"):
        load_group(game, group, on_kernel)
        for done in (group, *(other for other in GROUPS if not kernel_names(game, other))):
            documents.write_text(_mark(game, done), "")


def load_prepared(game: str, through: KernelGroup) -> None:
    """Load a game's kernels; those that are not in the cache are compiled here, or by the process that has begun."""
    for group in GROUPS[: GROUPS.index(through) + 1]:
        if is_loaded(game, group):
            continue
        if is_prepared(game, group):
            load_group(game, group)
        else:
            prepare(game, group)


def _mark(game: str, group: KernelGroup) -> Path:
    return _folder() / f"{game}-{group}-{_sources()}.prepared"


def _folder() -> Path:
    # Numba is loaded with it.
    from ludex.kernels.cache import kernel_folder

    return kernel_folder()


@cache
def _sources() -> str:
    """A hash of this package: any of its files may decide which kernels a game needs."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(f"{path.relative_to(package)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


@contextmanager
def _lock_file(path: Path) -> Iterator[None]:
    """Hold a lock that the system releases when this process ends, however it ends."""
    try:
        file = path.open("a")
    except OSError as error:
        raise FolderUnwritable(
            f"cannot write {path}: {error.strerror}; set LUDEX_CACHE to a writable folder"
        ) from error
    with file:
        lock(file)
        yield
