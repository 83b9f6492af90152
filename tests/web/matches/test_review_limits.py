"""Reviews with workers that never finish, or answer with nonsense."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest

from ludex.core.record import Record, match_of
from ludex.store.database import Database
from ludex.store.matches import StoredMatch
from ludex.web.errors import ServerFault
from ludex.web.matches.model import MatchSnapshot
from ludex.web.matches.reviews import PER_ADDRESS, PER_PERSON, MatchReviews
from ludex.web.schemas.base import Problem
from ludex.web.workers.task import TooBusy

MATCH = match_of("tictactoe 3x3x3: a1 b1 b2 c2 c3")


class Endless:
    """Stands for a search, the pool that begins it, the book of addresses, and threads that run at once."""

    def begin(self, *_: Any, **__: Any) -> "Endless":
        return self

    async def facts(self) -> dict[str, Any]:
        await asyncio.Event().wait()
        return {}

    def abandon(self) -> None:
        """Nothing waits."""

    def of(self, person: str) -> str:
        return "one address"

    async def run(self, call: Callable[..., Any], *arguments: Any) -> Any:
        return call(*arguments)


class Nonsense(Endless):
    """Answers at once with what is no part of a review, and is the hub that hears of it."""

    def __init__(self) -> None:
        self.faults: list[tuple[str, Problem]] = []

    async def facts(self) -> dict[str, Any]:
        return {"found": [{"nonsense": 1}]}

    def fault(self, match_id: str, problem: Problem) -> None:
        self.faults.append((match_id, problem))


def snapshot(match_id: str) -> MatchSnapshot:
    record = Record.of(MATCH, ("one", "two"))
    return MatchSnapshot(StoredMatch(match_id, 1, "", "", record), None, MATCH)


async def test_a_person_and_an_address_have_so_many_reviews_and_share_each() -> None:
    everything = cast(Any, Endless())
    with Database.open("sqlite://") as database:
        reviews = MatchReviews(everything, everything, database, everything, everything)
        for number in range(PER_PERSON):
            await reviews.of(snapshot(f"m{number}"), "ann")
        with pytest.raises(TooBusy, match="of yours"):
            await reviews.of(snapshot("another"), "ann")
        # What is under way is nobody's own.
        assert (await reviews.of(snapshot("m0"), "bob")).total == 5
        for number in range(PER_PERSON, PER_ADDRESS):
            await reviews.of(snapshot(f"m{number}"), f"person {number}")
        with pytest.raises(TooBusy, match="try again"):
            await reviews.of(snapshot("another"), "bob")
        await reviews.close()


async def test_an_unexpected_error_is_reported_to_those_who_wait_and_to_the_next_who_asks() -> None:
    everything = Nonsense()
    fake = cast(Any, everything)
    with Database.open("sqlite://") as database:
        reviews = MatchReviews(fake, fake, database, fake, fake)
        await reviews.of(snapshot("m"), "ann")
        while not everything.faults:
            await asyncio.sleep(0)
        ((match_id, problem),) = everything.faults
        assert (match_id, problem.code) == ("m", "internal")
        assert problem.message == "the server failed (KeyError); its log says why"
        with pytest.raises(ServerFault, match="KeyError"):
            await reviews.of(snapshot("m"), "ann")
        # Then it is tried again.
        assert not (await reviews.of(snapshot("m"), "ann")).complete
        await reviews.close()
