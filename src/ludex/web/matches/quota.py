"""How many matches a person may begin."""

from datetime import UTC, datetime, timedelta

from ludex.store.timing import format_utc
from ludex.web.errors import TooManyMatches
from ludex.web.matches.cache import MatchCache
from ludex.web.security.address import AddressBook
from ludex.web.security.bucket import Buckets
from ludex.web.settings import Settings


class MatchQuota:
    """Limits live matches of a person, and matches begun in an hour by a person and from an address."""

    def __init__(self, settings: Settings, cache: MatchCache, addresses: AddressBook) -> None:
        self._settings = settings
        self._cache = cache
        self._addresses = addresses
        hourly = settings.matches_per_address
        self._begun_by_address = Buckets(hourly / 60, burst=hourly)

    async def require(self, person: str) -> None:
        """Raise `TooManyMatches` if a person may not begin another match."""
        most = self._settings.matches_per_person
        if await self._cache.live_matches_of(person) >= most:
            raise TooManyMatches(f"you have {most} live matches: finish or delete one first")
        most, hour = self._settings.matches_per_hour, datetime.now(UTC) - timedelta(hours=1)
        if await self._cache.begun_since(person, format_utc(hour)) >= most:
            raise TooManyMatches(f"you have begun {most} matches in an hour: take a break")
        address = self._addresses.of(person)
        if address is not None and self._begun_by_address.take(address):
            most = self._settings.matches_per_address
            raise TooManyMatches(f"your address has begun {most} matches in an hour: take a break")
