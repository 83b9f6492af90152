"""Times on timed boards, on every kind of database."""

from dataclasses import replace

from ludex.store.database import Database
from ludex.store.times import MatchTime, insert_time

LONG = MatchTime("ann", "mines", "8x8", "1", "a", "2026-01-31T12:00:00.000000Z", 12_300, True, {"speed": 1.5})


def put(database: Database, *times: MatchTime) -> None:
    with database.times._transactions.writing() as connection:
        for time in times:
            insert_time(connection, time)


def test_a_layout_counts_once(database: Database) -> None:
    again = replace(LONG, match_id="b", ms=900)
    put(database, LONG, again, replace(LONG, person="bob", match_id="c", counts=False), replace(again, person="bob"))
    assert database.times.of("ann") == [LONG]
    assert database.times.find("a", "ann") == LONG
    assert database.times.find("b", "ann") is None
    assert database.times.find("a", "bob") is None
    assert database.times.best_of("bob") == [], "a lost match shows where the mines are"


def test_best_times_stand_apart_by_board_and_need_a_nickname(database: Database) -> None:
    short = replace(LONG, seed="2", match_id="b", ms=9_000)
    other = replace(LONG, preset="8x8_no_guess", match_id="c", ms=20_000)
    bob = replace(LONG, person="bob", match_id="d", ms=8_000)
    put(database, LONG, short, other, bob, replace(bob, person="eve", match_id="e", ms=1))
    for name in ("ann", "bob"):
        database.nicknames.set(name, name.title())
    assert database.times.best_of("ann") == [short, other]
    assert database.times.best_before(short) == 12_300
    assert database.times.best_before(other) is None
    assert database.times.table(10) == [("Bob", bob), ("Ann", short), ("Ann", other)]
    assert database.times.table(1) == [("Bob", bob), ("Ann", other)]


def test_a_person_takes_their_times_away_and_deletes_them(database: Database) -> None:
    put(database, LONG, replace(LONG, person="bob", match_id="b"))
    assert '"ms": 12300' in "".join(database.personal.export("ann"))
    database.personal.delete("ann")
    assert database.times.of("ann") == []
    assert len(database.times.of("bob")) == 1
