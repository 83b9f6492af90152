"""What a move costs the database, and what cached matches promise where two servers share one."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

import ludex
from ludex.core.errors import OutOfTurn, StaleMatch, UnknownMatch
from ludex.core.match import INTERVAL, NEWEST, Match
from ludex.core.record import Record
from ludex.games.minesweeper.game import Minesweeper
from ludex.store.database import Database
from ludex.store.matches import StoredMatch
from ludex.web.app import open_state
from ludex.web.matches import view
from ludex.web.matches.model import DRAWINGS, SPECTATOR, MatchSnapshot
from ludex.web.metrics import Metrics
from ludex.web.offload import FAST_SECONDS, Offload
from ludex.web.routes import matches as routes
from ludex.web.routes.live import StateMessage
from ludex.web.schemas.matches import MatchView
from ludex.web.schemas.requests import ForkRequest, JoinRequest, MoveRequest, NewMatch, VersionRequest
from ludex.web.settings import Settings
from ludex.web.state import AppState
from tests.web.playing import played_moves

pytestmark = pytest.mark.slow

BOTH = NewMatch(game="tictactoe", seats=["you", "you"])


@asynccontextmanager
async def server(folder: Path) -> AsyncIterator[AppState]:
    # Another server's changes are found by reading, not by polling: nothing here depends on time.
    wish = {"database": f"sqlite:///{folder / 'matches.db'}", "workers": 1, "poll_ms": 3_600_000}
    async with open_state(Settings.read(wish, {}), Metrics()) as state:
        yield state


@pytest.fixture
def state(tmp_path: Path) -> AbstractAsyncContextManager[AppState]:
    return server(tmp_path)


@contextmanager
def statements() -> Iterator[list[str]]:
    """What is sent to any database while the block runs."""
    seen: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        seen.append(statement.split(maxsplit=1)[0])

    def commit(_connection: object) -> None:
        seen.append("COMMIT")

    event.listen(Engine, "before_cursor_execute", note)
    event.listen(Engine, "commit", commit)
    try:
        yield seen
    finally:
        event.remove(Engine, "before_cursor_execute", note)
        event.remove(Engine, "commit", commit)


async def test_cached_matches_are_bounded_by_their_memory(tmp_path: Path) -> None:
    wish = {"database": f"sqlite:///{tmp_path / 'matches.db'}", "workers": 1, "cached_bytes": 1 << 20}
    async with open_state(Settings.read(wish, {}), Metrics()) as state:
        large = NewMatch(game="tictactoe", preset="3x3x3", seats=["you", "you"])
        first = await state.matches.begin(large, "ann")
        cache = state.matches.cache
        snapshot = cache.find_cached(first.id)
        assert snapshot is not None
        room = (1 << 20) // snapshot.size_bytes
        assert 1 < room < 128
        for _ in range(room):
            newest = await state.matches.begin(large, "ann")
        assert cache.find_cached(first.id) is None
        assert cache.find_cached(newest.id) is not None


async def test_a_snapshot_keeps_a_few_drawn_boards(state: AppState) -> None:
    match = await state.matches.begin(BOTH, "ann")
    for text in ("a1", "a2", "a3", "b1", "b2", "b3", "c2"):
        request = MoveRequest(text=text, version=match.version)
        match = await state.matches.move(match.id, request, "ann")
    for ply in range(match.plies + 1):
        for picture in (False, True):
            await state.matches.view(match.id, "ann", ply, picture=picture)
    snapshot = state.matches.cache.find_cached(match.id)
    assert snapshot is not None
    assert len(snapshot.drawings) == DRAWINGS < 2 * (match.plies + 1)


async def test_a_move_draws_one_scene_for_everybody(state: AppState, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def counted(snapshot: MatchSnapshot, ply: int, player: int) -> Any:
        drawn.append(ply)
        return scene_at(snapshot, ply, player)

    scene_at = view.scene_at
    monkeypatch.setattr(view, "scene_at", counted)

    match = await state.matches.begin(NewMatch(game="tictactoe", seats=["you", "open"], practice=True), "ann")
    invitation = (await routes.invite(state, "ann", match.id)).path.partition("invitation=")[2]
    match = await routes.join(state, "bob", match.id, JoinRequest(invitation=invitation))
    for ply, (text, person) in enumerate((("a1", "ann"), ("b2", "bob"), ("c3", "ann"))):
        drawn.clear()
        match = await state.matches.move(match.id, MoveRequest(text=text, version=match.version), person)
        views = [await state.matches.view(match.id, one) for one in ("ann", "bob", "eve")]
        assert drawn == [ply + 1]
        assert match.scene is not None
        assert [one.scene for one in views] == 3 * [match.scene]
        assert match.scene["last"] == [played_moves(match)[ply]["action"]]
    # Another position at the same ply: its last move is not that of the scene before.
    await routes.undo(state, "ann", match.id, VersionRequest(version=match.version))
    again = await state.matches.view(match.id, "bob")
    assert again.scene is not None
    assert again.scene["last"] == [played_moves(again)[-1]["action"]]


async def test_a_move_makes_one_view_per_person_until_something_changes(state: AppState) -> None:
    match = await state.matches.begin(NewMatch(game="tictactoe", seats=["you", "open"], practice=True), "ann")
    invitation = (await routes.invite(state, "ann", match.id)).path.partition("invitation=")[2]
    match = await routes.join(state, "bob", match.id, JoinRequest(invitation=invitation))
    answer = await state.matches.move(match.id, MoveRequest(text="a1", version=match.version), "ann")
    pushed = await state.matches.latest_view(match.id, "ann")
    assert pushed is answer
    sent = StateMessage.model_validate_json(StateMessage.text_of(pushed)).match
    assert sent.model_dump() == {**answer.model_dump(), "moves": played_moves(answer)}
    other = await state.matches.latest_view(match.id, "bob")
    assert (answer.can.move, other.can.move) == (False, True)
    assert [seat.you for seat in other.seats] == [False, True]
    # What other people do and are called is part of a view, though it is no new version of the match.
    await state.nicknames.set("bob", "Bobby")
    named = await state.matches.latest_view(match.id, "ann")
    assert named.version == answer.version
    assert [seat.nickname for seat in named.seats] == [None, "Bobby"]
    await state.matches.fork(match.id, ForkRequest(ply=0, seats=["you", "you"]), "bob")
    helped = await state.matches.latest_view(match.id, "ann")
    assert (named.help, [used.kind for used in helped.help]) == ([], ["fork"])
    watched = [await state.matches.latest_view(match.id, name) for name in ("eve", "fay", "gil", "hal")]
    assert all(view is watched[0] for view in watched), "made once for all who have no part in the match"
    snapshot = state.matches.cache.find_cached(match.id)
    assert snapshot is not None
    assert {*snapshot.views} == {"ann", SPECTATOR}


async def until(met: Callable[[], bool]) -> None:
    while not met():
        await asyncio.sleep(0.005)


async def test_a_move_and_the_machines_reply_before_a_watcher_cost_at_most_four_selects(state: AppState) -> None:
    versus_machine = NewMatch(game="tictactoe", seats=["you", "random"])
    match = await state.matches.begin(versus_machine, "ann")
    subscription = state.hub.join(match.id, "ann", "192.0.2.7")
    answered = asyncio.Event()

    async def watch() -> None:
        while True:
            await subscription.next_update()
            if (await state.matches.latest_view(match.id, "ann")).plies == 2:
                answered.set()

    watching = asyncio.create_task(watch())
    with statements() as seen:
        await state.matches.move(match.id, MoveRequest(version=1, text="b2"), "ann")
        await answered.wait()
    watching.cancel()
    assert seen.count("SELECT") <= 4
    assert seen.count("UPDATE") == 2


async def test_moves_of_many_matches_are_committed_together(tmp_path: Path) -> None:
    async with server(tmp_path) as state:
        matches = [await state.matches.begin(BOTH, "ann") for _ in range(12)]
        with statements() as seen:
            views = await asyncio.gather(
                *(state.matches.move(match.id, MoveRequest(version=1, text="b2"), "ann") for match in matches)
            )
        assert {view.version for view in views} == {2}
        assert seen.count("UPDATE") == 12
        # The first one is written at once; the others wait for it and share a transaction.
        assert seen.count("COMMIT") <= 3
    with Database.open(f"sqlite:///{tmp_path / 'matches.db'}") as database:
        assert {len(database.matches.get(match.id).record.actions) for match in matches} == {1}


async def test_of_two_moves_at_once_one_is_refused_and_others_are_written(state: AppState) -> None:
    one, other = await state.matches.begin(BOTH, "ann"), await state.matches.begin(BOTH, "ann")
    wishes = [(one, "a1"), (one, "c3"), (other, "b2")]
    results = await asyncio.gather(
        *(state.matches.move(match.id, MoveRequest(version=1, text=text), "ann") for match, text in wishes),
        return_exceptions=True,
    )
    # Threads judge the first moves of a board, so that either of the two may come first.
    assert {type(result) for result in results[:2]} == {MatchView, StaleMatch}
    assert isinstance(results[2], MatchView)
    first = "a1" if isinstance(results[0], MatchView) else "c3"
    assert [move["text"] for move in played_moves(await state.matches.view(one.id, "ann"))] == [first]


async def test_a_server_plays_on_from_another_servers_move(tmp_path: Path) -> None:
    async with server(tmp_path) as first, server(tmp_path) as second:
        match = await first.matches.begin(BOTH, "ann")
        await second.matches.move(match.id, MoveRequest(version=1, text="b2"), "ann")
        # The first one still has version 1 in memory: it neither refuses what is right nor takes what is not.
        with pytest.raises(StaleMatch):
            await first.matches.move(match.id, MoveRequest(version=1, text="a1"), "ann")
        view = await first.matches.move(match.id, MoveRequest(version=2, text="a1"), "ann")
        assert [move["text"] for move in played_moves(view)] == ["b2", "a1"]
        assert [move["text"] for move in played_moves(await second.matches.view(match.id, "ann"))] == ["b2", "a1"]


async def test_a_turn_is_judged_by_the_database_not_by_the_cache(tmp_path: Path) -> None:
    async with server(tmp_path) as first, server(tmp_path) as second:
        match = await first.matches.begin(NewMatch(game="tictactoe", seats=["you", "open"], practice=True), "ann")
        invitation = (await routes.invite(first, "ann", match.id)).path.partition("invitation=")[2]
        await routes.join(first, "bob", match.id, JoinRequest(invitation=invitation))
        await second.matches.move(match.id, MoveRequest(version=2, text="b2"), "ann")
        # By what the first server remembers it would be ann's turn.
        view = await first.matches.move(match.id, MoveRequest(version=3, text="a1"), "bob")
        assert view.plies == 2
        with pytest.raises(OutOfTurn):
            await first.matches.move(match.id, MoveRequest(version=4, text="c3"), "bob")


async def test_a_match_deleted_elsewhere_is_gone(tmp_path: Path) -> None:
    async with server(tmp_path) as first, server(tmp_path) as second:
        match = await first.matches.begin(BOTH, "ann")
        await routes.delete(second, "ann", match.id)
        for attempt in (
            first.matches.view(match.id, "ann"),
            first.matches.move(match.id, MoveRequest(version=1, text="b2"), "ann"),
        ):
            with pytest.raises(UnknownMatch):
                await attempt


async def test_fast_rules_run_in_the_loop_and_slow_ones_in_a_thread() -> None:
    def work(seconds: float) -> str:
        begin = time.thread_time()
        while time.thread_time() - begin < seconds:
            pass
        return threading.current_thread().name

    offload = Offload()
    loop = threading.current_thread().name
    slow = 2 * FAST_SECONDS
    try:
        names = [await offload.run_rules("board", work, seconds) for seconds in (0.0, 0.0, slow, 0.0, 0.0)]
    finally:
        offload.close()
    # The first time the cost is not known; after a slow run the next one goes to a thread again.
    assert [name == loop for name in names] == [False, True, True, False, True]


def test_the_texts_of_a_long_match_are_written_without_playing_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(ludex.make("minesweeper", "expert:rows=64:cols=64:mines=600"), seed=1)
    while match.ply < NEWEST + 2 * INTERVAL:
        match.play(match.game.info.num_actions - 1)
    snapshot = MatchSnapshot(StoredMatch("a" * 10, 1, "", "", Record.of(match, ("you",))), None, match)
    monkeypatch.setattr(Minesweeper, "apply", None)
    assert len(snapshot.move_texts) == match.ply
