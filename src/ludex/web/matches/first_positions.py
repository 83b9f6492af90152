"""First positions that take a game long to make: workers make them, some ahead of time, so that a click gives one."""

import asyncio
import secrets
from collections import deque
from functools import partial
from typing import Any, Final, NamedTuple, Protocol

from ludex.core import registry
from ludex.core.errors import LudexError
from ludex.core.game import AnyGame, Json
from ludex.core.hooks import as_flag, try_hook
from ludex.core.log import logger
from ludex.core.match import Match
from ludex.core.seeding import SEED_BITS
from ludex.web.boards import public_game
from ludex.web.offload import Offload, cancel_all
from ludex.web.recent import Recent
from ludex.web.workers.pool import WorkerPool
from ludex.web.workers.task import Abandoned, Task

AHEAD: Final = 3
"""Positions of a board that are ready."""
MOST_BOARDS: Final = 24
"""Boards that have such positions: those on which matches began last."""

log = logger("web.first_positions")

Board = tuple[str, str]
"""A game and its preset with options."""


class FirstPosition(NamedTuple):
    """The first position of a match."""

    seed: int
    """The match's, from which the position follows."""
    position: Json
    """As the game dumps it."""


class IsReady(Protocol):
    """Says whether the kernels of a game can be loaded; others are compiled elsewhere."""

    def is_ready(self, game: str) -> bool: ...


def takes_long(game: AnyGame) -> bool:
    """Whether the game says that the first position of this board takes long to make."""
    hook = registry.spec(game.info.id).slow_start
    if hook is None:
        return False
    return try_hook(game.info.id, "slow_start", lambda: as_flag(registry.resolve(hook)(game)), False)


class FirstPositions:
    """Makes first positions through the worker pool. Belongs to the event loop of its pool."""

    def __init__(self, pool: WorkerPool, offload: Offload, preparation: IsReady) -> None:
        self._pool = pool
        self._offload = offload
        self._preparation = preparation
        self._ready = Recent[Board, deque[FirstPosition]](MOST_BOARDS)
        self._filling: dict[Board, asyncio.Task[None]] = {}
        pool.listen(self.fill)

    async def close(self) -> None:
        """Make no more of them."""
        tasks, self._ready = [*self._filling.values()], Recent(MOST_BOARDS)
        await cancel_all(tasks)

    async def take(self, game: AnyGame, seed: int, *, given: bool, person: str) -> FirstPosition:
        """A first position of a board: that of a `given` seed, else one that is ready, with a seed of its own.

        Raises `LudexError` where there is none, and `TooBusy`.
        """
        board = (game.info.id, game.info.preset)
        ready = self._ready.use(board)
        if ready is None:
            ready = self._ready[board] = deque()
        first = await self._make(board, seed, person) if given or not ready else ready.popleft()
        self.fill()
        return first

    async def prepare(self) -> None:
        """Make positions of the boards that games have names for, before anyone asks for them."""
        for board in await self._offload.run(_named_boards):
            self._ready.setdefault(board, deque())
        self.fill()

    def ready(self, board: Board) -> int:
        """How many positions of a board are ready."""
        return len(self._ready.get(board, ()))

    def fill(self) -> None:
        """Make what is missing, one after the other, while no search wants a worker."""
        for board, ready in self._ready.items():
            if self._busy or self._filling:
                return
            if len(ready) < AHEAD and self._preparation.is_ready(board[0]):
                task = self._filling[board] = asyncio.create_task(self._add(board, ready))
                task.add_done_callback(partial(self._fill_again, board))

    def _fill_again(self, board: Board, _: "asyncio.Task[None]") -> None:
        del self._filling[board]
        self.fill()

    @property
    def _busy(self) -> bool:
        return bool(self._pool.running or self._pool.waiting)

    async def _add(self, board: Board, ready: deque[FirstPosition]) -> None:
        try:
            ready.append(await self._make(board, secrets.randbits(SEED_BITS), None))
        except Abandoned:
            # The server is closing.
            return
        except LudexError as error:
            # The next person who begins there gets the reason; until then it would only fail again.
            log.warning("no first position", game=board[0], board=board[1], code=error.code, message=error.message)
            self._ready.pop(board, None)

    async def _make(self, board: Board, seed: int, person: str | None) -> FirstPosition:
        if person is not None and not self._pool.has_free:
            # Searches may take seconds, and so does a worker's start: the one thread for long work is sooner.
            return FirstPosition(seed, await self._offload.run_long(_first_position, *board, seed))
        search = self._pool.begin(Task(*board, seed, (), "", None, begins=True), person, patient=person is None)
        try:
            return FirstPosition(seed, (await search.facts())["position"])
        finally:
            search.abandon()


def _first_position(game: str, preset: str, seed: int) -> Json:
    match = Match(public_game(game, preset), seed)
    return match.game.dump(match.state)


def _named_boards() -> list[Board]:
    """The presets and the aliases whose first positions take long to make."""
    games: list[Any] = []
    for spec in registry.available()[0]:
        if spec.slow_start is not None:
            names = dict.fromkeys((*spec.presets, *spec.aliases.values()))
            games += [public_game(spec.id, name) for name in names]
    return [(game.info.id, game.info.preset) for game in games if takes_long(game)]
