"""Compiled kernels on disk, found by what they were compiled from and not by where it lies.

A kernel's file is named by its signature, its options of compilation and the content of its module and of every module
that one imports, since Numba freezes their functions and constants into the code. The folder is named by whatever else
decides the machine code: CPU, Numba and its settings, llvmlite and Python. Two clones of one version therefore share
their kernels.
"""

import hashlib
import importlib.util
import inspect
import os
import pickle
import platform
import re
import shutil
import stat
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any, Final

import llvmlite
import numba
from numba.core import caching, serialize
from numba.core.compiler import CompileResult
from numba.core.registry import cpu_target

from ludex.core.documents import write_bytes
from ludex.core.errors import FolderUnwritable
from ludex.core.folders import cache_folder, make_folder
from ludex.kernels.compilations import announce

MOST_MODULES: Final = 4_096
"""Modules whose files are read once only."""
_FORMAT = b"1"
_DAY = 24 * 60 * 60
_UNUSED = 30 * _DAY
_SETTINGS = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "BOUNDSCHECK", "DEBUGINFO_DEFAULT")
"""Those of Numba's own, from variables such as `NUMBA_BOUNDSCHECK`, that decide what is compiled."""
_IMPORT = re.compile(r"^(?:from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n#]*)|import\s+([\w.]+))", re.MULTILINE)


_rebuild: Any = CompileResult._rebuild
_dumps: Any = serialize.dumps


class KernelCache(caching._Cache):
    """The compiled forms of one kernel, one file per signature, each written whole or not at all."""

    def __init__(self, function: Callable[..., Any], options: Mapping[str, Any]) -> None:
        self._enabled = True
        self._name = f"{function.__module__}.{function.__qualname__}".replace("<", "").replace(">", "")
        key = hashlib.sha256(_FORMAT)
        settings = str({name: _in_order(options[name]) for name in sorted(options)})
        for part in (self._name, str(function.__code__.co_firstlineno), _content(function), settings):
            key.update(part.encode() + b"\0")
        key.update(function.__code__.co_code)
        self._key = key

    @property
    def cache_path(self) -> str:
        """The folder as Numba's statistics name it."""
        return str(kernel_folder())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel of a signature, or None."""
        path = self._path(sig)
        if not self._enabled or not path.exists():
            announce(self._name)
            return None
        target_context.refresh()
        if path.stat().st_mtime < time.time() - _DAY:
            os.utime(path)
        return _rebuild(target_context, *pickle.loads(path.read_bytes()))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write a compiled kernel."""
        if not self._enabled:
            return
        if data.library.has_dynamic_globals:
            warnings.warn(
                f"{self._name} refers to memory of this process and is compiled again in others", stacklevel=2
            )
            return
        write_bytes(self._path(sig), _dumps(data._reduce()))
        _prune(kernel_folder().parent)

    def enable(self) -> None:
        """Read and write files, as is the default."""
        self._enabled = True

    def disable(self) -> None:
        """Neither read nor write files."""
        self._enabled = False

    def flush(self) -> None:
        """Remove the files of every signature, as `Dispatcher.recompile` demands."""
        for path in kernel_folder().glob(f"{self._name}-*.nbc"):
            path.unlink(missing_ok=True)

    def _path(self, sig: Any) -> Path:
        key = self._key.copy()
        key.update(str(sig).encode())
        return kernel_folder() / f"{self._name}-{key.hexdigest()[:32]}.nbc"


def kernel_folder() -> Path:
    """The folder of the kernels for this CPU and these versions, readable by its owner only."""
    base = os.environ.get("NUMBA_CACHE_DIR")
    # Always a folder that we have named: it may be emptied.
    home = (Path(base) if base else cache_folder()) / "kernels"
    return _private(home / _machine())


@cache
def _private(folder: Path) -> Path:
    """Create a folder that only its owner can enter, because a pickle in it runs code here."""
    for path in (folder.parent, folder):
        make_folder(path, "LUDEX_CACHE")
        if sys.platform == "win32":
            # It has other permissions, by which a user's profile is closed to others.
            continue
        status = path.stat()
        if status.st_uid != os.getuid():
            raise FolderUnwritable(
                f"{path} belongs to user {status.st_uid}, and its kernels would run as user {os.getuid()}; "
                "set LUDEX_CACHE to a folder of your own"
            )
        if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            # Others could have written what lies here: it is compiled again.
            shutil.rmtree(path)
            path.mkdir()
        path.chmod(0o700)
    return folder


@cache
def _machine() -> str:
    """What decides the machine code besides the sources."""
    versions = (numba.__version__, llvmlite.__version__, sys.implementation.cache_tag, platform.system())
    settings = tuple(getattr(numba.config, name) for name in _SETTINGS)
    described = repr((*versions, *settings, cpu_target.target_context.codegen().magic_tuple()))
    return hashlib.sha256(described.encode()).hexdigest()[:16]


def _in_order(value: Any) -> Any:
    """An option whose text is the same in every process: the flags of `fastmath` may be a set."""
    return sorted(value) if isinstance(value, (set, frozenset)) else value


def _content(function: Callable[..., Any]) -> str:
    """A hash of all that a kernel may be compiled from."""
    spec = _find_spec(function.__module__)
    if spec is None or spec.origin is None:
        # A notebook's cell or a script.
        return hashlib.sha256(inspect.getsource(inspect.getmodule(function) or function).encode()).hexdigest()
    # A kernel may be made for one module by a function of another.
    return "".join(map(_closure, sorted({function.__module__, function.__globals__["__name__"]})))


@lru_cache(maxsize=MOST_MODULES)
def _closure(module: str) -> str:
    """A hash of a module's file and of the files it imports, directly or not, of its own package and of this one."""
    packages = {"ludex", module.partition(".")[0]}
    digests: dict[str, str] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in digests:
            digests[name], imported = _read(name)
            waiting.extend(other for other in imported if other.partition(".")[0] in packages)
    return hashlib.sha256(repr(sorted(digests.items())).encode()).hexdigest()


@lru_cache(maxsize=MOST_MODULES)
def _read(module: str) -> tuple[str, tuple[str, ...]]:
    """A hash of a module's file, and the modules it imports when it is loaded."""
    spec = _find_spec(module)
    if spec is None or spec.origin is None or not spec.has_location:
        return "", ()
    text = Path(spec.origin).read_bytes()
    imported = tuple(_imports_of(text.decode("utf-8", "replace"), spec)) if spec.origin.endswith(".py") else ()
    return hashlib.sha256(text).hexdigest(), imported


def _imports_of(text: str, importer: ModuleSpec) -> Iterator[str]:
    for source, names, plain in _IMPORT.findall(text):
        module = plain or importlib.util.resolve_name(source, importer.parent)
        yield module
        package = _find_spec(module)
        if names and package is not None and package.submodule_search_locations is not None:
            for name in re.findall(r"\w+", names):
                if _find_spec(f"{module}.{name}") is not None:
                    yield f"{module}.{name}"


@lru_cache(maxsize=MOST_MODULES)
def _find_spec(module: str) -> ModuleSpec | None:
    if module == "__main__":
        return None
    try:
        return importlib.util.find_spec(module)
    except (ModuleNotFoundError, ValueError):
        return None


@cache
def _prune(home: Path) -> None:
    """Remove, once in a process, what no process has loaded for a month."""
    oldest = time.time() - _UNUSED
    for path in home.rglob("*"):
        # Another process may remove it first.
        with suppress(FileNotFoundError):
            if path.is_file() and path.stat().st_mtime < oldest:
                path.unlink()
