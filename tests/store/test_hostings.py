"""Matches of the web app in the database: seats, offers, help, and clocks that are written with the move."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, create_engine, event, text

from ludex.core.clock import Clock
from ludex.core.errors import BadRecord, SeatTaken, StaleMatch, UnknownMatch
from ludex.core.game import Outcome
from ludex.core.record import Record
from ludex.store.database import Database
from ludex.store.hosting import EngineHelp, HostedMatch, Hosting, Offer, first_version
from ludex.store.timing import Timing, utc_now
from tests.store.conftest import Raw, Records


def test_a_match_and_its_hosting_are_kept_together(database: Database, record: Records) -> None:
    hosting = Hosting("ann", {0: "ann", 1: None}, practice=True, movetime_ms=250)
    match_id = database.hostings.create(record(1), hosting)
    assert database.hostings.get(match_id) == HostedMatch(database.matches.get(match_id), hosting)


def test_a_match_of_the_terminal_has_no_hosting(database: Database, record: Records) -> None:
    match_id = database.matches.create(record(1))
    assert database.hostings.get(match_id).hosting is None
    with pytest.raises(UnknownMatch):
        database.hostings.get("nothing")


def test_who_comes_first_gets_the_seat(either: Database, record: Records) -> None:
    match_id = either.hostings.create(record(1), Hosting("ann", {0: "ann", 1: None}))

    def take(person: str) -> int | None:
        try:
            return either.hostings.take_seat(match_id, 1, person)
        except SeatTaken:
            return None

    people = [f"person {number}" for number in range(8)]
    with ThreadPoolExecutor(4) as threads:
        versions = dict(zip(people, threads.map(take, people), strict=True))
    (winner,) = [person for person, version in versions.items() if version is not None]
    hosting = either.hostings.get(match_id)
    assert versions[winner] == hosting.stored.version == first_version(record(1)) + 1
    assert hosting.hosting is not None
    assert hosting.hosting.seats == {0: "ann", 1: winner}


def test_no_seat_is_taken_that_is_none(database: Database, record: Records) -> None:
    match_id = database.hostings.create(record(1), Hosting("ann", {0: "ann"}))
    for player in (0, 1, 2):
        with pytest.raises(SeatTaken):
            database.hostings.take_seat(match_id, player, "bob")
    assert database.hostings.versions([match_id, "nothing"]) == {match_id: first_version(record(1))}
    with pytest.raises(UnknownMatch):
        database.hostings.take_seat("nothing", 0, "bob")


def test_matches_of_a_person(database: Database, record: Records) -> None:
    begin = utc_now()
    begun = database.hostings.create(record(1), Hosting("ann", {0: "bob"}))
    joined = database.hostings.create(record(3), Hosting("bob", {0: "bob", 1: "ann"}))
    over = database.hostings.create(record(2), Hosting("ann", {0: "ann"}))
    other = database.hostings.create(record(5), Hosting("bob", {0: None}))
    terminal = database.matches.create(record(7))
    page, hostings = database.hostings.list(10, person="ann")
    assert [match.id for match in page] == [over, joined, begun]
    assert set(hostings) == {over, joined, begun}
    page, hostings = database.hostings.list(10)
    assert [match.id for match in page] == [terminal, other, over, joined, begun]
    assert terminal not in hostings
    assert database.hostings.usage_of("ann", begin)[:2] == (2, 2)
    assert database.hostings.usage_of("ann", utc_now())[:2] == (2, 0)


def test_a_deleted_match_takes_its_seats_along(database: Database, url: str, record: Records) -> None:
    match_id = database.hostings.create(record(1), Hosting("ann", {0: "ann"}))
    database.matches.delete(match_id)
    engine = create_engine(url)
    with engine.connect() as connection:
        assert (
            connection.execute(text("SELECT (SELECT count(*) FROM seats) + (SELECT count(*) FROM hostings)")).scalar()
            == 0
        )
    engine.dispose()


def test_the_finished_matches_of_a_person_are_those_they_sat_at(database: Database, record: Records) -> None:
    hostings = database.hostings
    first = hostings.create(record(2), Hosting("bob", {1: "ann"}))
    second = hostings.create(record(4), Hosting("ann", {0: "ann"}, practice=True))
    hostings.create(record(3), Hosting("ann", {0: "ann"}))
    hostings.create(record(6), Hosting("ann", {0: "bob"}))
    hostings.create(record(8), Hosting("ann", {}))
    page, by_match = hostings.finished_matches("ann", 10)
    assert [match.id for match in page] == [second, first]
    assert by_match == {second: Hosting("ann", {0: "ann"}, practice=True), first: Hosting("bob", {1: "ann"})}
    assert [match.id for match in hostings.finished_matches("ann", 1)[0]] == [second]


def test_the_finished_matches_of_a_person_are_found_without_reading_all(database: Database, record: Records) -> None:
    for number in range(20):
        database.hostings.create(record(2 * number), Hosting("bob", {0: "bob"}))
    executed: list[tuple[str, Any]] = []

    def listen(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        executed.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", listen)
    try:
        database.hostings.finished_matches("bob", 10)
    finally:
        event.remove(Engine, "before_cursor_execute", listen)
    engine = create_engine(database.name)
    with engine.connect() as connection:
        plans = [
            str(step[-1])
            for statement, parameters in executed
            if statement.startswith("SELECT")
            for step in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        ]
    engine.dispose()
    assert [step for step in plans if step.startswith("SCAN")] == []
    assert any("seats_by_holder" in step for step in plans)


def test_help_is_kept_once_per_ply_and_kind(database: Database, record: Records) -> None:
    match_id = database.hostings.create(record(1), Hosting("ann", {0: "ann"}))
    for _ in range(2):
        database.hostings.add_help(match_id, EngineHelp(0, 3, "hint"))
    database.hostings.add_help(match_id, EngineHelp(0, 1, "analysis"))
    hosting = database.hostings.get(match_id).hosting
    assert hosting is not None
    assert hosting.help == (EngineHelp(0, 1, "analysis"), EngineHelp(0, 3, "hint"))


def test_a_pause_is_kept_and_is_a_new_version(database: Database, record: Records) -> None:
    match_id = database.hostings.create(record(1), Hosting("ann", {}))
    before = database.hostings.get(match_id).stored.version
    assert database.hostings.set_pace(match_id, True, 700) == before + 1
    hosting = database.hostings.get(match_id).hosting
    assert hosting == Hosting("ann", {}, paused=True, pace_ms=700)
    with pytest.raises(UnknownMatch):
        database.hostings.set_pace("nothing", True, None)


def test_an_offer_of_a_draw_is_kept_and_leaves_the_time_of_the_turn(database: Database, record: Records) -> None:
    match_id = database.hostings.create(record(1), Hosting("ann", {0: "ann", 1: "bob"}))
    before = database.hostings.get(match_id).stored
    offer = database.hostings.offer(match_id, 1, 3, before.version)
    hosting = database.hostings.get(match_id)
    assert hosting.hosting == Hosting("ann", {0: "ann", 1: "bob"}, draw=Offer(1, 3, before.version + 1))
    assert (hosting.stored.version, hosting.stored.updated_utc) == (offer.version, before.updated_utc)
    with pytest.raises(StaleMatch):
        database.hostings.end_offer(match_id, before.version)
    assert database.hostings.end_offer(match_id, offer.version) == offer.version + 1


def test_a_match_has_one_rematch(either: Database, record: Records) -> None:
    match_id = either.hostings.create(record(2), Hosting("ann", {0: "ann", 1: "bob"}))
    first = either.hostings.create_rematch(match_id, record(1), Hosting("ann", {0: None, 1: "ann"}))
    second = either.hostings.create_rematch(match_id, record(1), Hosting("bob", {0: "bob", 1: None}))
    assert first == second != match_id
    hosting, rematch = (either.hostings.get(one).hosting for one in (match_id, first))
    assert hosting is not None
    assert hosting.rematch == first
    assert rematch is not None
    assert rematch.seats == {0: None, 1: "ann"}
    with pytest.raises(UnknownMatch):
        either.hostings.create_rematch("nothing", record(1), Hosting("ann", {0: "ann"}))


BLITZ = Timing(Clock(180_000, 2_000))
ANN = Hosting("ann", {0: "ann", 1: "ann"})


def begun(database: Database, record: Record, timing: Timing | None = BLITZ) -> str:
    return database.hostings.create(replace(record, actions=(), outcome=None), ANN, timing)


def test_clocks_are_kept_with_each_move(either: Database, both: str, record: Records) -> None:
    match_id = begun(either, record(1))
    assert either.hostings.get(match_id).timing == BLITZ
    timing = BLITZ
    for ply, left in enumerate((181_000, 179_500, 100), start=1):
        timing = timing.after(left)
        moved = replace(record(1), actions=tuple(range(ply)))
        assert either.hostings.update(match_id, moved, ply, timing) == ply + 1
    with Database.open(both) as other:
        hosting = other.hostings.get(match_id)
    assert hosting.timing == timing
    assert hosting.timing.left_ms == (181_000, 179_500, 100)
    assert len(hosting.stored.record.actions) == 3


def test_a_stale_move_leaves_the_clocks_alone(either: Database, record: Records) -> None:
    match_id = begun(either, record(1))
    moved = replace(record(1), actions=(0,))
    either.hostings.update(match_id, moved, 1, BLITZ.after(170_000))
    with pytest.raises(StaleMatch):
        either.hostings.update(match_id, moved, 1, BLITZ.after(5))
    assert either.hostings.get(match_id).timing == BLITZ.after(170_000)


def test_turns_of_live_matches_with_clocks_begin_anew(either: Database, record: Records) -> None:
    clocked, other, over = begun(either, record(1)), begun(either, record(3), None), begun(either, record(5))
    lost = replace(record(5), actions=(), outcome=Outcome((-1.0, 1.0), "time forfeit"))
    either.hostings.update(over, lost, 1, BLITZ.after(0))
    before = {match_id: either.hostings.get(match_id) for match_id in (clocked, other, over)}
    assert either.hostings.renew_turns() == [clocked]
    assert either.hostings.versions([clocked, other, over]) == {clocked: 2, other: 1, over: 2}
    after = either.hostings.get(clocked)
    assert after.stored.updated_utc > before[clocked].stored.updated_utc
    assert (after.timing, after.stored.record) == (BLITZ, before[clocked].stored.record)
    assert either.hostings.get(over) == before[over]


@pytest.mark.parametrize("left", ["[1,2,3]", "[1.5]", "nonsense", "7"])
def test_damaged_clocks_are_reported(database: Database, raw: Raw, record: Records, left: str) -> None:
    match_id = begun(database, record(1))
    raw("UPDATE clocks SET left_ms = ?", left)
    with pytest.raises(BadRecord, match=f"the clocks of match '{match_id}'"):
        database.hostings.get(match_id)
    # The list does not need them.
    assert [line.id for line in database.hostings.list(5)[0]] == [match_id]


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 10_000))))
def test_what_is_left_is_what_was_last_written_of_a_player(turns: list[tuple[int, int]]) -> None:
    timing = Timing(Clock(10_000, 50))
    for _, left in turns:
        timing = timing.after(left)
    for ply in range(len(turns) + 1):
        movers = [mover for mover, _ in turns[:ply]]
        for player, clock in enumerate(timing.clocks(movers, 2)):
            own = [left for mover, left in turns[:ply] if mover == player]
            assert clock == Clock(own[-1] if own else 10_000, 50)
