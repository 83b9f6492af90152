"""Matches in the database, their reviews and their times on timed boards."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update

from ludex.core.errors import BadRecord, StaleMatch, UnknownMatch
from ludex.core.game import Outcome
from ludex.core.record import Record
from ludex.store import matches
from ludex.store.database import Database
from ludex.store.hosting import Hosting
from ludex.store.matches import PACKED, ListedMatch, json_of, unpack
from ludex.store.schema import MATCHES
from ludex.store.times import MatchTime, insert_time
from tests.store.conftest import Raw, Records

names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
scores = st.floats(-1, 1)
records = st.builds(
    Record,
    game=names,
    version=st.integers(0, 2**31 - 1),
    preset=names,
    seed=st.one_of(st.integers(0, 2**64 - 1), st.sampled_from([0, 2**63 - 1, 2**63, 2**64 - 1])),
    actions=st.lists(st.integers(0, 2**40)).map(tuple),
    agents=st.lists(names, max_size=2).map(tuple),
    outcome=st.none() | st.builds(Outcome, st.tuples(scores, scores), names),
    aborted=st.none() | names,
)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(originals=st.lists(records, min_size=1, max_size=5))
def test_a_record_comes_back_as_it_went(memory: Database, originals: list[Record]) -> None:
    ids = [memory.matches.create(original) for original in originals]
    assert [memory.matches.get(match_id).record for match_id in ids] == originals


def test_the_largest_seed_survives_the_disk(either: Database, both: str, record: Records) -> None:
    original = replace(record(), seed=2**128 - 1)
    match_id = either.matches.create(original)
    either.close()
    with Database.open(both) as again:
        assert again.matches.get(match_id).record == original


@pytest.mark.parametrize("seed", [-1, 2**128])
def test_an_impossible_seed_is_refused(database: Database, record: Records, seed: int) -> None:
    with pytest.raises(BadRecord, match=f"found {seed}"):
        database.matches.create(replace(record(), seed=seed))
    assert database.matches.list(10) == []


def test_a_score_that_is_no_number_is_refused(database: Database, record: Records) -> None:
    with pytest.raises(ValueError, match="JSON"):
        database.matches.create(replace(record(), outcome=Outcome((float("nan"), 0.0), "line")))
    assert database.matches.list(10) == []


def test_ids_are_short_and_fit_a_url(database: Database, record: Records) -> None:
    ids = {database.matches.create(record()) for _ in range(20)}
    assert len(ids) == 20
    assert all(re.fullmatch("[a-z2-7]{10}", match_id) for match_id in ids)


def test_a_new_match_has_version_one_and_its_time(database: Database, record: Records) -> None:
    stored = database.matches.get(database.matches.create(record()))
    assert stored.version == 1
    assert stored.created_utc == stored.updated_utc
    assert datetime.now(UTC) - datetime.fromisoformat(stored.created_utc) < timedelta(minutes=1)


def test_an_update_raises_the_version(either: Database, record: Records) -> None:
    match_id = either.matches.create(record(1))
    created = either.matches.get(match_id)
    assert either.matches.update(match_id, record(2), expected_version=1) == 2
    assert either.matches.update(match_id, record(3), expected_version=2) == 3
    updated = either.matches.get(match_id)
    assert (updated.version, updated.record) == (3, record(3))
    assert updated.created_utc == created.created_utc < updated.updated_utc


def test_an_update_of_an_older_version_is_refused(either: Database, record: Records) -> None:
    match_id = either.matches.create(record(1))
    either.matches.update(match_id, record(2), expected_version=1)
    with pytest.raises(StaleMatch, match=f"{match_id}.*version 2, expected 1"):
        either.matches.update(match_id, record(3), expected_version=1)
    assert either.matches.get(match_id).record == record(2)


def test_an_unknown_id_is_named(either: Database, record: Records) -> None:
    for attempt in (
        lambda: either.matches.get("nobody"),
        lambda: either.matches.update("nobody", record(), 1),
        lambda: either.matches.delete("nobody"),
        lambda: either.matches.list(1, before="nobody"),
    ):
        with pytest.raises(UnknownMatch, match="'nobody'"):
            attempt()


def test_a_listing_goes_from_the_newest_page_by_page(either: Database, record: Records) -> None:
    ids = [either.matches.create(record(number)) for number in range(7)]
    pages, before = [], None
    while page := either.matches.list(3, before=before):
        pages.append([stored.id for stored in page])
        before = page[-1].id
    newest_first = ids[::-1]
    assert pages == [newest_first[:3], newest_first[3:6], newest_first[6:]]


def test_pages_hold_matches_of_the_same_instant(database: Database, record: Records, raw: Raw) -> None:
    ids = {database.matches.create(record(number)) for number in range(5)}
    raw("UPDATE matches SET created_utc = '2026-01-01T00:00:00.000000Z'")
    first = database.matches.list(2)
    second = database.matches.list(10, before=first[-1].id)
    assert len(first) + len(second) == 5
    assert {stored.id for stored in first + second} == ids


def test_a_clock_that_jumps_hides_no_match(
    database: Database, record: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Set back by a day in the middle: the order follows the clock, and every match is on exactly one page."""
    times = [f"2026-01-0{day}T00:00:00.000000Z" for day in (3, 4, 2, 3, 5)]
    ids = []
    for number, now in enumerate(times):
        monkeypatch.setattr(matches, "utc_now", lambda now=now: now)
        ids.append(database.matches.create(record(number)))
    assert database.matches.update(ids[1], record(9), 1) == 2
    seen, before = [], None
    while page := database.matches.list(2, before=before):
        seen += page
        before = page[-1].id
    assert sorted(stored.id for stored in seen) == sorted(ids)
    assert [stored.created_utc for stored in seen] == sorted(times, reverse=True)


def test_a_listing_can_be_of_one_game(database: Database, record: Records) -> None:
    wanted = [database.matches.create(replace(record(number), game="quoridor")) for number in range(3)]
    database.matches.create(record())
    listed = database.matches.list(10, game="quoridor")
    assert [stored.id for stored in listed] == wanted[::-1]
    assert [stored.id for stored in database.matches.list(10, "quoridor", before=wanted[1])] == [wanted[0]]


def test_a_negative_limit_is_refused(database: Database) -> None:
    with pytest.raises(ValueError, match="-1"):
        database.matches.list(-1)


@pytest.mark.parametrize(("column", "value"), [("actions", "[1,2"), ("actions", "7"), ("seed", "many")])
def test_a_damaged_row_is_named(database: Database, record: Records, raw: Raw, column: str, value: str) -> None:
    match_id = database.matches.create(record())
    raw(f"UPDATE matches SET {column} = ?", value)
    with pytest.raises(BadRecord, match=f"{match_id}.*ludex.db"):
        database.matches.get(match_id)


def test_several_are_deleted_or_none(database: Database, record: Records) -> None:
    ids = [database.matches.create(record(number)) for number in (1, 2, 3)]
    with pytest.raises(UnknownMatch, match="'unknown'"):
        database.matches.delete(ids[0], "unknown")
    database.matches.delete(*ids[1:])
    assert [match.id for match in database.matches.list(10)] == ids[:1]
    with pytest.raises(UnknownMatch):
        database.matches.get(ids[1])


def test_long_actions_are_compressed_and_lists_do_not_read_them(database: Database, record: Records) -> None:
    long = replace(record(1), actions=tuple(range(4_096)) * 4)
    match_id = database.matches.create(long)
    assert database.matches.get(match_id).record == long
    with database._transactions.writing() as connection:
        (stored,) = connection.execute(select(MATCHES.c.actions, MATCHES.c.plies, MATCHES.c.bytes))
        assert stored.actions.startswith(PACKED)
        assert (stored.plies, stored.bytes) == (len(long.actions), len(stored.actions))
        assert stored.bytes < len(json_of(long.actions)) / 2
        connection.execute(update(MATCHES).values(actions="damaged"))
    (listed,) = database.matches.list(10)
    assert isinstance(listed, ListedMatch)
    assert listed.plies == len(long.actions)
    with pytest.raises(BadRecord):
        database.matches.get(match_id)


@pytest.mark.parametrize("text", ["z:!", "z:AAAA", "z:eJyr"])
def test_what_is_not_compressed_as_it_should_be_is_damaged(text: str) -> None:
    with pytest.raises(ValueError, match=r"compressed|cut off"):
        unpack(text)


def test_nothing_of_a_deleted_person_is_left_in_the_files(tmp_path: Path, record: Records) -> None:
    person = "a person whose id is long enough to be found"
    with Database.open(f"sqlite:///{tmp_path / 'ludex.db'}") as database:
        for _ in range(20):
            database.hostings.create(record(1), Hosting(person, {0: person}))
        database.nicknames.set(person, "Ann")

        def files_with_id() -> list[str]:
            return [file.name for file in tmp_path.iterdir() if person.encode() in file.read_bytes()]

        assert files_with_id()
        assert len(database.personal.delete(person).matches) == 20
        assert files_with_id() == []


def test_a_review_is_found_by_its_fingerprint_only(record: Callable[..., Record]) -> None:
    with Database.open("sqlite://") as database:
        match = database.matches.create(record(1))
        database.reviews.put(match, "one", {"done": 1})
        assert database.reviews.get(match, "one") == {"done": 1}
        assert database.reviews.get(match, "two") is None
        database.reviews.put(match, "two", {"done": 2})
        assert database.reviews.get(match, "one") is None
        assert database.reviews.of([match, "another"]) == {match: {"done": 2}}


def test_a_review_goes_with_its_match(record: Callable[..., Record]) -> None:
    with Database.open("sqlite://") as database:
        match = database.matches.create(record(1))
        database.reviews.put(match, "one", {})
        database.matches.delete(match)
        assert database.reviews.of([match]) == {}


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
