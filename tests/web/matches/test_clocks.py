"""Clocks of matches, by a clock that the test moves: nothing here depends on how fast the machine is."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import ludex
from ludex.core import registry
from ludex.core.clock import Clock
from ludex.core.errors import UnknownMatch
from ludex.core.match import Match
from ludex.kernels.warmup import KernelGroup
from ludex.store.database import Database
from ludex.store.hosting import Hosting
from ludex.store.timing import Timing
from ludex.web.app import open_state
from ludex.web.budget import Budgets
from ludex.web.matches import moves
from ludex.web.matches.cache import MatchCache
from ludex.web.matches.clocks import MatchClocks, watch_clocks
from ludex.web.matches.model import Change, MatchDraft, MatchSnapshot
from ludex.web.matches.writer import MatchWriter
from ludex.web.metrics import Metrics
from ludex.web.offload import Offload
from ludex.web.schemas.matches import MatchClock, MatchView
from ludex.web.schemas.requests import MoveRequest, NewClock, NewMatch
from ludex.web.settings import Settings
from ludex.web.subscriptions import SubscriptionHub
from ludex.web.tournaments import Tournaments
from ludex.web.workers.preparation import Preparation
from tests.web.playing import played_moves
from tests.web.workers.faulty_agents import game_points, plant

GRACE_MS = 500


class Watch:
    """The test's own time: both the monotonic clock and the time of day."""

    def __init__(self) -> None:
        self.seconds = 1000.0
        self.jumped = timedelta()
        self._begin = datetime.now(UTC)

    def pass_by(self, seconds: float) -> None:
        self.seconds += seconds

    def monotonic(self) -> float:
        return self.seconds

    def now(self) -> datetime:
        return self._begin + timedelta(seconds=self.seconds - 1000) + self.jumped


class Prepared(Preparation):
    """Kernels that need no compiler."""

    async def require(self, game: str, group: KernelGroup = "player") -> None:
        return


@asynccontextmanager
async def matches(folder: Path, watch: Watch) -> AsyncIterator[MatchWriter]:
    metrics = Metrics()
    with Database.open(f"sqlite:///{folder / 'clocks.db'}") as database:
        offload = Offload()
        tournaments, preparation = Tournaments(lambda: folder / "tournaments"), Prepared()
        cache = MatchCache(database, tournaments, offload, preparation, Budgets(), Settings())
        hub = SubscriptionHub(metrics, Settings())
        yield MatchWriter(cache, hub, metrics, MatchClocks(GRACE_MS, watch.monotonic, watch.now))
        cache.close()
        offload.close()


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def writer(tmp_path: Path, watch: Watch) -> AbstractAsyncContextManager[MatchWriter]:
    """What a server keeps matches with."""
    return matches(tmp_path, watch)


async def begun(
    writer: MatchWriter, *agents: str, seats: dict[int, str | None] | None = None, seconds: int = 10, increment: int = 2
) -> MatchSnapshot:
    names = agents or ("you", "you")
    own: dict[int, str | None] = {player: "ann" for player, name in enumerate(names) if name == "you"}
    match = Match(ludex.make("tictactoe"), 1)
    timing = Timing(Clock(1000 * seconds, 1000 * increment))
    return await writer.begin(MatchDraft(match, names, Hosting("ann", own if seats is None else seats), timing))


async def moved(writer: MatchWriter, snapshot: MatchSnapshot, text: str) -> MatchSnapshot:
    return await writer.apply(snapshot, moves.play_request(snapshot, MoveRequest(version=snapshot.version, text=text)))


def left(writer: MatchWriter, snapshot: MatchSnapshot, ply: int | None = None) -> tuple[list[int], int | None]:
    shown = writer.clocks.view(snapshot, ply)
    assert shown is not None
    return shown.left_ms, shown.running


async def test_each_move_is_charged_and_gives_its_increment(watch: Watch, writer: MatchWriter) -> None:
    snapshot = await begun(writer)
    assert writer.clocks.view(snapshot, None) == MatchClock(
        seconds=10, increment=2, left_ms=[10_000, 10_000], running=0
    )
    watch.pass_by(3)
    assert left(writer, snapshot) == ([7_000, 10_000], 0)
    snapshot = await moved(writer, snapshot, "b2")
    assert left(writer, snapshot) == ([9_000, 10_000], 1)
    watch.pass_by(0.5)
    snapshot = await moved(writer, snapshot, "a1")
    watch.pass_by(9)
    snapshot = await moved(writer, snapshot, "c3")
    assert left(writer, snapshot) == ([2_000, 11_500], 1)
    # What was left at each ply is known for ever.
    past = [left(writer, snapshot, ply) for ply in range(3)]
    assert past == [([10_000, 10_000], None), ([9_000, 10_000], None), ([9_000, 11_500], None)]


async def test_who_has_no_time_left_has_lost_at_the_next_look(watch: Watch, writer: MatchWriter) -> None:
    snapshot = await moved(writer, await begun(writer), "b2")
    watch.pass_by(10)
    assert (await writer.load(snapshot.id)).live
    watch.pass_by(0.001)
    over = await writer.load(snapshot.id)
    assert over.match.outcome is not None
    assert (over.match.outcome.scores, over.match.outcome.reason) == ((1.0, -1.0), "time forfeit")
    assert left(writer, over) == ([12_000, 0], None)
    assert left(writer, over, 1) == ([12_000, 0], None)
    assert left(writer, over, 0) == ([10_000, 10_000], None)
    assert writer.clocks.expired_matches() == []


async def test_a_match_ends_without_moves_or_requests(watch: Watch, writer: MatchWriter) -> None:
    ended = asyncio.Event()
    writer.listen(lambda _id, version: ended.set() if version == 2 else None)
    snapshot = await begun(writer)
    guard = asyncio.create_task(watch_clocks(writer.clocks, writer.load, []))
    watch.pass_by(11)
    await ended.wait()
    guard.cancel()
    assert not (await writer.cache.load(snapshot.id)).live


async def test_a_move_that_comes_too_late_loses_the_match(watch: Watch, writer: MatchWriter) -> None:
    snapshot = await begun(writer)
    watch.pass_by(10.5)
    over = await moved(writer, snapshot, "b2")
    assert (over.match.ply, over.live) == (0, False)
    assert left(writer, over) == ([0, 10_000], None)


async def test_who_gives_up_pays_for_the_turn_and_gets_no_increment(watch: Watch, writer: MatchWriter) -> None:
    snapshot = await begun(writer)
    watch.pass_by(4)
    match = snapshot.match.branch()
    match.resign(1)
    over = await writer.apply(snapshot, Change(match))
    assert left(writer, over) == ([6_000, 10_000], None)


@pytest.mark.parametrize("jump", [timedelta(hours=2), timedelta(hours=-2)])
async def test_a_jump_of_the_time_of_day_changes_no_clock(watch: Watch, writer: MatchWriter, jump: timedelta) -> None:
    snapshot = await begun(writer)
    watch.pass_by(1)
    watch.jumped = jump
    watch.pass_by(1)
    assert left(writer, await writer.load(snapshot.id)) == ([8_000, 10_000], 0)


async def test_time_without_a_server_is_not_charged(tmp_path: Path, watch: Watch) -> None:
    async with matches(tmp_path, watch) as writer:
        snapshot = await begun(writer)
        watch.pass_by(4)
        snapshot = await moved(writer, snapshot, "b2")
        watch.pass_by(5)
    watch.pass_by(3600)
    async with matches(tmp_path, watch) as again:
        assert await again.cache.restart_turns() == [snapshot.id]
        # The database has the real time of day, which this server is set to.
        renewed = (await again.cache.load(snapshot.id)).stored.updated_utc
        watch.jumped += datetime.fromisoformat(renewed) - watch.now()
        # What was written with the last move stands; the turn that the crash interrupted begins again.
        assert left(again, await again.load(snapshot.id)) == ([8_000, 10_000], 1)
        watch.pass_by(1)
        assert left(again, await again.load(snapshot.id)) == ([8_000, 9_000], 1)


async def test_two_servers_agree(tmp_path: Path, watch: Watch) -> None:
    async with matches(tmp_path, watch) as one, matches(tmp_path, watch) as two:
        snapshot = await begun(one)
        # Both see the turn begin, one by its own clock, the other by the time of day in the database.
        stored = datetime.fromisoformat(snapshot.stored.updated_utc)
        watch.jumped = stored - watch.now()
        watch.pass_by(3)
        other = await two.load(snapshot.id)
        assert left(one, snapshot) == left(two, other) == ([7_000, 10_000], 0)
        watch.pass_by(8)
        assert not (await two.load(snapshot.id)).live
        assert left(one, await one.load(snapshot.id)) == left(two, await two.load(snapshot.id)) == ([0, 10_000], None)


async def test_no_time_runs_before_all_seats_are_taken(watch: Watch, writer: MatchWriter) -> None:
    snapshot = await begun(writer, seats={0: "ann", 1: None})
    watch.pass_by(3600)
    snapshot = await writer.load(snapshot.id)
    assert left(writer, snapshot) == ([10_000, 10_000], None)
    snapshot = await writer.cache.take_seat(snapshot, 1, "bob")
    writer.clocks.track(snapshot, new=True)
    watch.pass_by(1)
    assert left(writer, snapshot) == ([9_000, 10_000], 0)


async def test_a_move_made_while_the_other_seat_is_open_costs_nothing(watch: Watch, writer: MatchWriter) -> None:
    snapshot = await begun(writer, seats={0: "ann", 1: None})
    watch.pass_by(3600)
    snapshot = await moved(writer, snapshot, "b2")
    assert left(writer, snapshot) == ([12_000, 10_000], None)


async def test_a_machine_pays_for_its_search_alone(watch: Watch, writer: MatchWriter) -> None:
    snapshot = await begun(writer, "perfect", "you")
    watch.pass_by(100)
    # It waits for a worker.
    assert left(writer, snapshot) == ([10_000, 10_000], None)
    writer.clocks.start_engine(snapshot)
    watch.pass_by(2)
    assert left(writer, snapshot) == ([8_000, 10_000], 0)
    move = moves.play_request(snapshot, MoveRequest(version=snapshot.version, text="b2"))
    snapshot = await writer.apply(snapshot, move, spent_ms=1_900)
    assert left(writer, snapshot) == ([10_100, 10_000], 1)


async def test_a_machine_that_failed_has_its_time_stand_still(watch: Watch, writer: MatchWriter) -> None:
    snapshot = await begun(writer, "perfect", "you")
    writer.clocks.start_engine(snapshot)
    watch.pass_by(3)
    writer.clocks.stop_engine(snapshot)
    assert left(writer, snapshot) == ([10_000, 10_000], None)
    writer.clocks.start_engine(snapshot)
    after = await writer.apply(snapshot, moves.play_request(snapshot, MoveRequest(version=1, text="b2")), spent_ms=10)
    # Whatever becomes of older searches does not touch the person's turn.
    writer.clocks.start_engine(snapshot)
    writer.clocks.stop_engine(snapshot)
    watch.pass_by(1)
    assert left(writer, after) == ([11_990, 9_000], 1)


@pytest.mark.parametrize(("spent", "lost"), [(10_000, False), (10_001, True)])
async def test_a_machine_that_thinks_too_long_loses(watch: Watch, writer: MatchWriter, spent: int, lost: bool) -> None:
    snapshot = await begun(writer, "perfect", "you")
    move = moves.play_request(snapshot, MoveRequest(version=snapshot.version, text="b2"))
    over = await writer.apply(snapshot, move, spent_ms=spent)
    assert (over.live, over.match.ply) == (not lost, 0 if lost else 1)


async def test_a_machine_that_never_answers_loses_after_the_grace(watch: Watch, writer: MatchWriter) -> None:
    snapshot = await begun(writer, "perfect", "you")
    writer.clocks.start_engine(snapshot)
    watch.pass_by(10 + GRACE_MS / 1000)
    assert writer.clocks.expired_matches() == []
    watch.pass_by(0.001)
    assert writer.clocks.expired_matches() == [snapshot.id]
    over = await writer.load(snapshot.id)
    assert over.match.outcome is not None
    assert over.match.outcome.scores == (-1.0, 1.0)


async def test_a_deleted_match_is_forgotten(watch: Watch, writer: MatchWriter) -> None:
    kept, gone = await begun(writer), await begun(writer)
    await writer.cache.delete(gone)
    ended = asyncio.Event()
    writer.listen(lambda match_id, _version: ended.set() if match_id == kept.id else None)
    watch.pass_by(11)
    guard = asyncio.create_task(watch_clocks(writer.clocks, writer.load, []))
    await ended.wait()
    await until(lambda: writer.clocks.expired_matches() == [])
    guard.cancel()
    with pytest.raises(UnknownMatch):
        await writer.load(gone.id)


async def until(true: Callable[[], bool]) -> None:
    while not true():
        await asyncio.sleep(0.01)


@pytest.fixture
def faulty_agents(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This process knows them as its workers do."""
    monkeypatch.setattr(registry, "game_points", game_points)
    registry.spec.cache_clear()
    yield
    monkeypatch.undo()
    registry.spec.cache_clear()


@pytest.mark.slow
@pytest.mark.usefixtures("faulty_agents")
@pytest.mark.parametrize("agent", ["deaf", "patient"])
async def test_a_worker_whose_agent_used_all_its_time_serves_the_next(tmp_path: Path, agent: str) -> None:
    """Whether it never stops or stops on request: its match is lost on time, and others go on."""

    database = f"sqlite:///{tmp_path / 'clocks.db'}"
    settings = Settings.read({"database": database, "workers": 1, "preload": False, "grace_ms": 100}, {})
    async with open_state(settings, Metrics(), plant) as state:

        async def after(name: str, met: Callable[[MatchView], bool]) -> MatchView:
            clock = NewClock(seconds=1)
            wish = NewMatch(game="tictactoe", seats=[name, "you"], clock=clock)
            view = await state.matches.begin(wish, "ann")
            while not met(view):
                await asyncio.sleep(0.02)
                view = await state.matches.view(view.id, "ann")
            return view

        lost = await after(agent, lambda view: not view.live)
        assert lost.outcome is not None
        assert (lost.outcome.scores, lost.outcome.reason) == ((-1.0, 1.0), "time forfeit")
        assert lost.clock is not None
        assert lost.clock.left_ms == [0, 1000]
        assert played_moves(await after("counts", lambda view: view.plies == 1))[0]["action"] == 0
