"""Compile a game's kernels ahead of time, load them, and know which are in the cache.

A marker file per game and group says so; a process of its own compiles them.
"""

import hashlib
import multiprocessing
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final, Literal, TypeAlias

from ludex.core import documents
from ludex.core.batch import BatchEnv
from ludex.core.errors import FolderUnwritable, KernelsFailed, LudexError
from ludex.core.executor import begin_worker
from ludex.core.game import AnyGame
from ludex.core.log import logger
from ludex.core.registry import resolve, spec
from ludex.core.seeding import CHANCE
from ludex.core.system import lock, lower_priority

Calls = Mapping[str, Callable[[], object]]
KernelGroup: TypeAlias = Literal["player", "agents", "on_demand"]
GROUPS: Final[tuple[KernelGroup, ...]] = ("player", "agents", "on_demand")
"""The most urgent first."""
PLAYED: Final = GROUPS[:-1]
"""What the web app compiles."""


@dataclass(frozen=True)
class Warmup:
    """Named calls that compile a game's kernels, or read them from the cache, by running them."""

    player: Calls
    """What a match needs: rules, agents and the web app, on every preset. The game is ready with these."""
    agents: Calls = field(default_factory=dict)
    """The agents whose `AgentSpec.kernels` is "agents": compiled while people play, a match with one waits for them."""
    on_demand: Calls = field(default_factory=dict)
    """Training, batch environments, benchmarks and the game's own verbs, which compile on first use."""


def step_batch(game: AnyGame) -> None:
    """Step two lanes of a game's own batch, with random actions, for the warm-up of its kernels."""
    from ludex.kernels.sampling import RandomActions

    declared = spec(game.info.id).learning.batch
    assert declared is not None, f"{game.info.id} declares no batch"
    batch: BatchEnv = resolve(declared)(game, 2)
    batch.step(RandomActions(2, 0, CHANCE).draw(batch.reset(0)[1]["mask"]))


LOADED: dict[tuple[str, KernelGroup], tuple[str, ...]] = {}


def load_kernels(game: str, *, through: KernelGroup = "agents") -> tuple[str, ...]:
    """Make a game's kernels ready in this process, group by group through the given one, and return their names."""
    return tuple(name for group in GROUPS[: GROUPS.index(through) + 1] for name in load_group(game, group))


def load_group(game: str, group: KernelGroup, on_kernel: Callable[[str], object] | None = None) -> tuple[str, ...]:
    """Make one group of a game's kernels ready in this process; `on_kernel` gets each name once it is ready."""
    key = (game, group)
    calls = dict.fromkeys(LOADED[key], _nothing) if key in LOADED else _calls(game, group)
    for name, call in calls.items():
        call()
        if on_kernel is not None:
            on_kernel(name)
    return LOADED.setdefault(key, tuple(calls))


def is_loaded(game: str, group: KernelGroup) -> bool:
    """Whether this process has loaded a group of a game's kernels."""
    return (game, group) in LOADED


def kernel_names(game: str, group: KernelGroup) -> tuple[str, ...]:
    """The names of a group of a game's kernels; nothing is compiled."""
    return tuple(_calls(game, group))


def _nothing() -> None:
    """What loading a kernel a second time takes."""


def _calls(game: str, group: KernelGroup) -> Calls:
    reference = spec(game).tools.warmup
    if reference is None:
        return {}
    warmup: Warmup = resolve(reference)()
    calls: Calls = getattr(warmup, group)
    return calls


def is_prepared(game: str, group: KernelGroup) -> bool:
    """Whether a group of a game's kernels can be loaded without compiling. Raises `FolderUnwritable`."""
    return spec(game).tools.warmup is None or _mark(game, group).exists()


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
    packages = dict.fromkeys(("ludex", spec(game).factory.partition(":")[0].partition(".")[0]))
    return _folder() / f"{game}-{group}-{'-'.join(sources_digest(package)[:16] for package in packages)}.prepared"


def _folder() -> Path:
    # Numba is loaded with it.
    from ludex.kernels.cache import kernel_folder

    return kernel_folder()


@cache
def sources_digest(package: str = "ludex") -> str:
    """A hash of a package: any of its files may decide which kernels a game needs, and what came of a task."""
    spec = find_spec(package)
    assert spec is not None
    folders = [Path(folder) for folder in spec.submodule_search_locations or ()]
    files = {path.relative_to(folder).as_posix(): path for folder in folders for path in folder.rglob("*.py")}
    digest = hashlib.sha256()
    for name, path in sorted(files.items()) or [(package, Path(str(spec.origin)))]:
        digest.update(name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


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


NICENESS: Final = 15
"""Searches, which are less nice, come first."""
LOWEST: Final = 19

log = logger("compiler")


@dataclass(frozen=True, slots=True)
class Progress:
    """How many kernels of a game are compiled."""

    done: int
    total: int
    kernel: str
    """The last one; empty before the first."""


class KernelCompiler:
    """A spawned process that compiles kernels of one game, and ends with this process."""

    def __init__(
        self,
        game: str,
        initializer: Callable[[], None] | None = None,
        groups: tuple[KernelGroup, ...] = GROUPS,
    ) -> None:
        """`initializer` is called first in the process, for instance to set up its log."""
        self.game = game
        # Spawn, never fork: forked threads of Numba hang.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._connection: Connection = ours
        self._process = context.Process(target=_compile, args=(theirs, game, initializer, groups), daemon=True)
        self._process.start()
        # Otherwise the pipe would not end when the process does.
        theirs.close()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def wait(self, on_progress: Callable[[Progress], None]) -> None:
        """Block until all kernels are compiled. Raises `KernelsFailed`."""
        failure = ""
        try:
            while True:
                message: Progress | str = self._connection.recv()
                if isinstance(message, str):
                    failure = message
                else:
                    on_progress(message)
        except (EOFError, OSError):
            self._process.join()
        finally:
            self._connection.close()
        code = self._process.exitcode
        if failure:
            raise KernelsFailed(f"the kernels of {self.game} cannot be compiled: {failure}")
        if code:
            end = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
            raise KernelsFailed(f"the kernels of {self.game} cannot be compiled: the process {end}")

    def kill(self) -> None:
        """End it now; `wait` raises."""
        self._process.kill()

    def lower_priority(self) -> None:
        """Have the other processes of the machine come first."""
        try:
            lower_priority(LOWEST, self.pid)
        except ProcessLookupError:
            log.info("it has ended already", game=self.game)


def _compile(
    connection: Connection, game: str, initializer: Callable[[], None] | None, groups: tuple[KernelGroup, ...]
) -> None:
    """The life of the process: it sends its progress, and at the end why it failed."""
    begin_worker(None)
    lower_priority(NICENESS)
    try:
        if initializer is not None:
            initializer()
        _report(connection, game, groups)
    except LudexError as error:
        connection.send(error.message)
    except Exception as error:
        # Kernels of another package may fail in any way.
        log.exception("kernels failed", game=game)
        connection.send(f"{type(error).__name__}: {error}")


def _report(connection: Connection, game: str, groups: tuple[KernelGroup, ...]) -> None:
    """Compile, and send each kernel's name as it is done."""

    done, total = 0, sum(len(kernel_names(game, group)) for group in groups)
    connection.send(Progress(0, total, ""))

    def on_kernel(name: str) -> None:
        nonlocal done
        done += 1
        connection.send(Progress(done, total, name))

    for group in groups:
        prepare(game, group, on_kernel)
