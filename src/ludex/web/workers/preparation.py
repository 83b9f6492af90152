"""The kernels of every game, compiled while the server already answers."""

import asyncio
import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from ludex.core import registry
from ludex.core.errors import KernelsFailed, LudexError
from ludex.core.log import logger
from ludex.kernels.warmup import PLAYED, KernelCompiler, KernelGroup, Progress, is_prepared
from ludex.web.schemas.base import GamePreparation

PATIENCE: Final = 2.0
"""Seconds that a new match waits for kernels before it is answered that they are not ready."""

log = logger("web.preparation")

OnPrepared: TypeAlias = Callable[[str, KernelGroup, float, str | None], None]
"""Called with a game, the group that was compiled, the seconds since the start, and why it failed if it did."""
HIDDEN: Final = "its kernels cannot be compiled; the server's log says why"


class GamePreparing(LudexError):
    """The kernels of a game are still being compiled; the request can be retried later."""

    code = "preparing"

    def __init__(self, preparation: GamePreparation) -> None:
        super().__init__(
            f"{preparation.game} is being prepared, {preparation.done} of {preparation.total or '?'} kernels; try again"
        )
        self.preparation = preparation


class GameNotPrepared(KernelsFailed):
    """The kernels of a game could not be compiled; the next attempt to play it compiles them again."""

    code = KernelsFailed.code

    def __init__(self, preparation: GamePreparation) -> None:
        super().__init__(f"{preparation.game} cannot be played: {preparation.reason}")
        self.preparation = preparation


@dataclass(eq=False)
class _Kernels:
    """One group of the kernels of one game."""

    game: str
    group: KernelGroup
    state: Literal["waiting", "compiling", "ready", "failed"] = "waiting"
    done: int = 0
    total: int = 0
    reason: str | None = None
    wanted: bool = False
    """Whether a user waits for it."""
    compiler: KernelCompiler | None = None
    settled: asyncio.Event = field(default_factory=asyncio.Event)

    def advance(self, progress: Progress) -> None:
        self.done, self.total = progress.done, progress.total

    def document(self, *, with_reason: bool = False) -> GamePreparation:
        """How far it is; the reason of a failure may name folders of the server."""
        reason = self.reason if with_reason or self.reason is None else HIDDEN
        return GamePreparation(
            game=self.game, kernels=self.group, state=self.state, done=self.done, total=self.total, reason=reason
        )


class Preparation:
    """Compiles what is not in the cache, one process per game and group. Belongs to the event loop that started it.

    First come the kernels that each game needs to be ready, then those of the agents that need more.
    """

    def __init__(self, initializer: Callable[[], None] | None = None) -> None:
        """`initializer` is called first in each process."""
        self._initializer = initializer
        self._most = os.cpu_count() or 1
        self._kernels: dict[tuple[str, KernelGroup], _Kernels] = {}
        self._checked = asyncio.Event()
        self._began = time.monotonic()
        self._listeners: list[OnPrepared] = []
        self._threads: ThreadPoolExecutor | None = None
        self._check: asyncio.Task[None] | None = None
        self._compiling: set[asyncio.Task[None]] = set()
        self._closing = False

    def listen(self, listener: OnPrepared) -> None:
        """Have a function called with each game that had to be compiled."""
        self._listeners.append(listener)

    @property
    def pids(self) -> list[int]:
        """The processes that compile."""
        return [kernels.compiler.pid for kernels in self._kernels.values() if kernels.compiler is not None]

    async def start(self) -> None:
        """Find out in a thread what has to be compiled, then compile it."""
        self._check = asyncio.create_task(self._begin())

    async def close(self) -> None:
        """End every process."""
        self._closing = True
        if self._check is not None:
            await self._check
        for kernels in self._kernels.values():
            if kernels.compiler is not None:
                kernels.compiler.kill()
        await asyncio.gather(*self._compiling)
        if self._threads is not None:
            self._threads.shutdown()

    async def games(self, group: KernelGroup = "player", *, with_reasons: bool = False) -> dict[str, GamePreparation]:
        """How far a group of every game is; the administrator may know why one failed."""
        await self._checked.wait()
        return {
            kernels.game: kernels.document(with_reason=with_reasons)
            for kernels in self._kernels.values()
            if kernels.group == group
        }

    def is_ready(self, game: str) -> bool:
        """Whether the kernels that a game needs are compiled."""
        kernels = self._kernels.get((game, PLAYED[0]))
        return kernels is not None and kernels.state == "ready"

    async def require(self, game: str, group: KernelGroup = "player") -> None:
        """Return if a group is ready. Raises `GamePreparing`, and from then on it comes first, or `GameNotPrepared`."""
        await self._checked.wait()
        kernels = self._kernels.get((game, group))
        if kernels is None or kernels.state == "ready":
            return
        if kernels.state == "failed":
            raise GameNotPrepared(kernels.document())
        self._want(kernels)
        raise GamePreparing(kernels.document())

    async def wait_for(self, game: str, group: KernelGroup = "player") -> None:
        """Wait a little for a group; one that failed is compiled again. Raises what `require` does."""
        await self._checked.wait()
        kernels = self._kernels.get((game, group))
        if kernels is None or kernels.state == "ready":
            return
        self._want(kernels)
        with suppress(TimeoutError):
            await asyncio.wait_for(kernels.settled.wait(), PATIENCE)
        await self.require(game, group)

    async def _begin(self) -> None:
        self._kernels = {(kernels.game, kernels.group): kernels for kernels in await asyncio.to_thread(_list_kernels)}
        self._threads = ThreadPoolExecutor(max(1, len(self._kernels)), "ludex-compiler")
        for kernels in self._kernels.values():
            if kernels.state != "waiting":
                kernels.settled.set()
            if kernels.reason is not None:
                self._announce(kernels, kernels.reason)
        self._checked.set()
        self._start_next()

    def _want(self, kernels: _Kernels) -> None:
        """Compile it now, before others."""
        kernels.wanted = True
        if kernels.state == "failed":
            kernels.state, kernels.reason, kernels.done = "waiting", None, 0
            kernels.settled.clear()
        self._let_wanted_pass()
        if kernels.state == "waiting":
            self._start_compiler(kernels)

    def _let_wanted_pass(self) -> None:
        """Lower the priority of compilers without a waiting match, while a match waits for another."""
        if any(kernels.wanted and kernels.state in ("waiting", "compiling") for kernels in self._kernels.values()):
            for kernels in self._kernels.values():
                if kernels.compiler is not None and not kernels.wanted:
                    kernels.compiler.lower_priority()

    def _start_next(self) -> None:
        for kernels in self._kernels.values():
            if len(self._compiling) >= self._most:
                return
            if kernels.state == "waiting" and not self._waits_for_another(kernels):
                self._start_compiler(kernels)

    def _waits_for_another(self, kernels: _Kernels) -> bool:
        """Whether it has to wait for another group: agents come after their game, and one process compiles them.

        Agents of several games share kernels, and who plays meanwhile needs a core.
        """
        if kernels.group == PLAYED[0]:
            return False
        others = [other for other in self._kernels.values() if other.state == "compiling"]
        game_ready = self._kernels[kernels.game, PLAYED[0]].state == "ready"
        return not game_ready or any(other.group == kernels.group for other in others)

    def _start_compiler(self, kernels: _Kernels) -> None:
        if self._closing:
            return
        kernels.state = "compiling"
        task = asyncio.create_task(self._compile(kernels))
        self._compiling.add(task)
        task.add_done_callback(self._on_compiled)

    def _on_compiled(self, task: "asyncio.Task[None]") -> None:
        self._compiling.discard(task)
        self._start_next()

    async def _compile(self, kernels: _Kernels) -> None:
        loop = asyncio.get_running_loop()

        def on_progress(progress: Progress) -> None:
            loop.call_soon_threadsafe(kernels.advance, progress)

        try:
            # The process that compiled another group may have found that this one is empty.
            ready = await loop.run_in_executor(self._threads, is_prepared, kernels.game, kernels.group)
            if not ready and not self._closing:
                kernels.compiler = KernelCompiler(kernels.game, self._initializer, (kernels.group,))
                self._let_wanted_pass()
                await loop.run_in_executor(self._threads, kernels.compiler.wait, on_progress)
            kernels.state, reason = "ready", None
        except LudexError as error:
            kernels.state, reason = "failed", error.message
        finally:
            kernels.compiler = None
        if not self._closing and (kernels.total or reason):
            self._announce(kernels, reason)
        kernels.settled.set()

    def _announce(self, kernels: _Kernels, reason: str | None) -> None:
        seconds = time.monotonic() - self._began
        log.info(
            "kernels are settled", game=kernels.game, group=kernels.group, seconds=round(seconds, 1), reason=reason
        )
        kernels.reason = reason
        for listener in self._listeners:
            listener(kernels.game, kernels.group, seconds, reason)


def _list_kernels() -> Iterable[_Kernels]:
    """The kernels of every game, the most urgent group first, in the order of the home page; those of shelves last."""
    groups = ((spec, group) for group in PLAYED for spec in registry.available()[0])
    by_shelf = sorted(groups, key=lambda pair: pair[0].screen.shelf is not None)
    all_kernels = [_Kernels(spec.id, group) for spec, group in by_shelf]
    for kernels in all_kernels:
        try:
            kernels.state = "ready" if is_prepared(kernels.game, kernels.group) else "waiting"
        except LudexError as error:
            kernels.state, kernels.reason = "failed", error.message
    return all_kernels
