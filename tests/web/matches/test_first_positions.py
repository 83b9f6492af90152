"""First positions that take long to make: some are ready, each follows from its seed, and none is a substitute."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

import ludex
from ludex.core.errors import LudexError, Unsupported
from ludex.core.game import AnyGame
from ludex.core.match import Match
from ludex.web.matches.first_positions import AHEAD, FirstPositions, takes_long
from ludex.web.offload import Offload
from ludex.web.workers.task import Task

BOARD = "small_8x8_10:rows=4:cols=4:mines=2:no_guess=True"


class MadeSearch:
    """A search that makes its position when it is awaited."""

    def __init__(self, pool: "InstantPool", task: Task) -> None:
        self.pool, self.task = pool, task

    async def facts(self) -> dict[str, Any]:
        self.pool.running += 1
        await asyncio.sleep(0)
        self.pool.running -= 1
        self.pool.changed()
        if self.pool.fault is not None:
            raise self.pool.fault
        game = ludex.make(self.task.game, self.task.preset)
        return {"position": game.dump(Match(game, self.task.seed).state)}

    def abandon(self) -> None: ...


class InstantPool:
    """The pool of a server, without processes."""

    def __init__(self) -> None:
        self.running = self.waiting = 0
        self.has_free = True
        self.fault: LudexError | None = None
        self.begun: list[tuple[int, str | None]] = []
        self._listener: Callable[[], None] = lambda: None

    def listen(self, listener: Callable[[], None]) -> None:
        self._listener = listener

    def changed(self) -> None:
        self._listener()

    def begin(self, task: Task, person: str | None, *, patient: bool) -> MadeSearch:
        assert patient == (person is None)
        self.begun.append((task.seed, person))
        return MadeSearch(self, task)


class Ready:
    compiled = True

    def is_ready(self, game: str) -> bool:
        return self.compiled


def parts() -> tuple[AnyGame, Any, FirstPositions, Ready]:
    game, pool, ready = ludex.make("minesweeper", BOARD), InstantPool(), Ready()
    anything: Any = pool
    return game, anything, FirstPositions(anything, Offload(), ready), ready


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(200):
        if condition():
            return
        await asyncio.sleep(0)
    raise AssertionError("it never happened")


def test_boards_without_a_guess_take_long() -> None:
    assert takes_long(ludex.make("minesweeper", BOARD))
    assert not takes_long(ludex.make("minesweeper", "small"))
    assert not takes_long(ludex.make("tictactoe"))


def test_a_position_is_ready_and_follows_from_its_seed() -> None:
    async def play() -> None:
        game, pool, positions, _ = parts()
        board = ("minesweeper", game.info.preset)
        first = await positions.take(game, 5, given=False, person="ann")
        assert pool.begun[0] == (5, "ann")
        await until(lambda: positions.ready(board) == AHEAD)
        assert len(pool.begun) == 1 + AHEAD
        ready = await positions.take(game, 6, given=False, person="ann")
        assert ready.seed not in (5, 6)
        assert (ready.seed, None) in pool.begun
        for taken in (first, ready):
            assert game.load(taken.position) == Match(game, taken.seed).state
        await until(lambda: positions.ready(board) == AHEAD)
        await positions.close()

    asyncio.run(play())


def test_a_given_seed_is_made_even_if_others_are_ready() -> None:
    async def play() -> None:
        game, pool, positions, _ = parts()
        await positions.take(game, 1, given=False, person="ann")
        await until(lambda: positions.ready(("minesweeper", game.info.preset)) == AHEAD)
        given = await positions.take(game, 7, given=True, person="bob")
        assert given.seed == 7
        assert pool.begun[-1] == (7, "bob")
        assert game.load(given.position) == Match(game, 7).state
        await positions.close()

    asyncio.run(play())


def test_where_no_worker_is_free_the_server_makes_the_same_position() -> None:
    async def play() -> None:
        game, pool, positions, ready = parts()
        ready.compiled = pool.has_free = False
        first = await positions.take(game, 9, given=False, person="ann")
        assert pool.begun == []
        assert first.seed == 9
        assert game.load(first.position) == Match(game, 9).state
        await positions.close()

    asyncio.run(play())


def test_nothing_is_made_ahead_while_a_search_wants_a_worker_or_kernels_are_missing() -> None:
    async def play() -> None:
        game, pool, positions, ready = parts()
        board = ("minesweeper", game.info.preset)
        pool.waiting = 1
        await positions.take(game, 1, given=True, person="ann")
        assert positions.ready(board) == 0
        ready.compiled, pool.waiting = False, 0
        pool.changed()
        assert len(pool.begun) == 1
        ready.compiled = True
        pool.changed()
        await until(lambda: positions.ready(board) == AHEAD)
        await positions.close()

    asyncio.run(play())


def test_a_board_that_cannot_be_made_is_refused_and_not_tried_again_behind() -> None:
    async def play() -> None:
        game, pool, positions, _ = parts()
        pool.fault = Unsupported("none of the layouts")
        with pytest.raises(Unsupported, match="none of the layouts"):
            await positions.take(game, 1, given=False, person="ann")
        pool.fault = None
        await positions.take(game, 2, given=False, person="ann")
        pool.fault = Unsupported("none of the layouts")
        await until(lambda: not pool.running and not positions._filling)
        begun = len(pool.begun)
        pool.changed()
        await asyncio.sleep(0)
        assert len(pool.begun) == begun
        await positions.close()

    asyncio.run(play())


def test_the_boards_that_have_names_are_prepared() -> None:
    async def play() -> None:
        _, _, positions, _ = parts()
        await positions.prepare()
        board = ("minesweeper", ludex.make("minesweeper", "beginner_no_guess").info.preset)
        await until(lambda: positions.ready(board) > 0)
        await positions.close()

    asyncio.run(play())
