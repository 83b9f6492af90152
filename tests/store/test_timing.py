"""Clocks in the database: written with the move or not at all."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.core.clock import Clock
from ludex.core.errors import BadRecord, StaleMatch
from ludex.core.game import Outcome
from ludex.core.record import Record
from ludex.store.database import Database
from ludex.store.hosting import Hosting
from ludex.store.timing import Timing
from tests.store.conftest import Raw, Records

BLITZ = Timing(Clock(180_000, 2_000))
ANN = Hosting("ann", {0: "ann", 1: "ann"})


def begun(database: Database, record: Record, timing: Timing | None = BLITZ) -> str:
    return database.hostings.create(replace(record, actions=(), outcome=None), ANN, timing)


def test_clocks_are_kept_with_each_move(database: Database, url: str, record: Records) -> None:
    match_id = begun(database, record(1))
    assert database.hostings.get(match_id).timing == BLITZ
    timing = BLITZ
    for ply, left in enumerate((181_000, 179_500, 100), start=1):
        timing = timing.after(left)
        moved = replace(record(1), actions=tuple(range(ply)))
        assert database.hostings.update(match_id, moved, ply, timing) == ply + 1
    with Database.open(url) as other:
        found = other.hostings.get(match_id)
    assert found.timing == timing
    assert found.timing.left_ms == (181_000, 179_500, 100)
    assert len(found.stored.record.actions) == 3


def test_a_stale_move_leaves_the_clocks_alone(database: Database, record: Records) -> None:
    match_id = begun(database, record(1))
    moved = replace(record(1), actions=(0,))
    database.hostings.update(match_id, moved, 1, BLITZ.after(170_000))
    with pytest.raises(StaleMatch):
        database.hostings.update(match_id, moved, 1, BLITZ.after(5))
    assert database.hostings.get(match_id).timing == BLITZ.after(170_000)


def test_turns_of_live_matches_with_clocks_begin_anew(database: Database, record: Records) -> None:
    clocked, other, over = begun(database, record(1)), begun(database, record(3), None), begun(database, record(5))
    lost = replace(record(5), actions=(), outcome=Outcome((-1.0, 1.0), "time forfeit"))
    database.hostings.update(over, lost, 1, BLITZ.after(0))
    before = {match_id: database.hostings.get(match_id) for match_id in (clocked, other, over)}
    assert database.hostings.renew_turns() == [clocked]
    assert database.hostings.versions([clocked, other, over]) == {clocked: 2, other: 1, over: 2}
    after = database.hostings.get(clocked)
    assert after.stored.updated_utc > before[clocked].stored.updated_utc
    assert (after.timing, after.stored.record) == (BLITZ, before[clocked].stored.record)
    assert database.hostings.get(over) == before[over]


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
