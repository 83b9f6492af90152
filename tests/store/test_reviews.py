"""Reviews in the database."""

from collections.abc import Callable

from ludex.core.record import Record
from ludex.store.database import Database


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
