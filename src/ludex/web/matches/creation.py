"""New matches, forks and rematches of them, and how many a person may begin."""

import re
import secrets
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from ludex.arena.entrants import ENGINES
from ludex.core.clock import Clock
from ludex.core.errors import BadOption, Unsupported
from ludex.core.game import AnyGame, Json
from ludex.core.match import Match
from ludex.core.options import RUN, split_reference
from ludex.core.record import PERSON
from ludex.core.seeding import MAX_SEED, SEED_BITS
from ludex.lab.limits import DiskQuota
from ludex.learn.run_agents import pin_reference
from ludex.operations.permissions import VISITOR, Permissions
from ludex.store.hosting import Hosting
from ludex.store.timing import Timing, format_utc
from ludex.web.boards import public_game
from ludex.web.errors import BadRequest, TooManyMatches
from ludex.web.matches.cache import MatchCache
from ludex.web.matches.model import MatchDraft, MatchSnapshot, has_secrets
from ludex.web.schemas.requests import ForkRequest, NewClock, NewMatch
from ludex.web.security.address import AddressBook
from ludex.web.security.rate import Buckets
from ludex.web.settings import Settings

OPEN: Final = "open"
LONGEST_NAME: Final = 256
LONGEST_IMPORTED: Final = 128
AGENT_NAMES: Final = re.compile(r"[A-Za-z0-9][\w.+-]*(:[ -~]+)?", re.ASCII)
"""A name, and what follows its colon: options, a run, a command."""
MEASURED_SECONDS: Final = 5.0
"""For which the size of the database is remembered."""


def seed_of(request: NewMatch) -> int:
    """The seed that a request names, else one drawn in secret."""
    seed = secrets.randbits(SEED_BITS) if request.seed is None else int(request.seed)
    if seed > MAX_SEED:
        raise BadRequest(f"seed: expected a number below 2**{SEED_BITS}, found {seed}")
    return seed


def new(
    request: NewMatch,
    person: str,
    permissions: Permissions,
    seed: int,
    begins: tuple[str, Json] | None,
    first: Json = None,
) -> MatchDraft:
    """A match from the first position of its board, which `first` is where it is known; with `begins`, from a position
    of another board."""
    preset, position = (request.preset, None) if begins is None else begins
    game = public_game(request.game, preset)
    if request.seed is not None and has_secrets(game) and not request.practice:
        raise BadRequest(
            f"seed: {request.game} has dice or secrets, which a known seed reveals: name a seed only in practice"
        )
    agents, seats = _check_seats(game, request.seats, person, permissions)
    hosting = Hosting(person, seats, request.practice, request.movetime_ms)
    match = Match(game, seed, position=position, first=None if first is None else game.load(first))
    return MatchDraft(match, agents, hosting, _timing(game, request.clock))


def rematch(snapshot: MatchSnapshot, person: str) -> MatchDraft:
    """The same board and terms with swapped seats; the other person's seat is open until they accept."""
    assert snapshot.hosting is not None
    last = len(snapshot.agents) - 1
    holders = snapshot.hosting.seats.items()
    seats = {last - player: person if holder == person else None for player, holder in holders}
    hosting = Hosting(person, seats, snapshot.practice, snapshot.hosting.movetime_ms)
    timing = None if snapshot.timing is None else Timing(snapshot.timing.clock)
    match = Match(snapshot.game, secrets.randbits(SEED_BITS), position=snapshot.match.position)
    return MatchDraft(match, snapshot.agents, hosting, timing)


def _timing(game: AnyGame, clock: NewClock | None) -> Timing | None:
    """The clocks a match begins with."""
    if clock is None:
        return None
    if game.info.players == 1:
        raise Unsupported(f"clock: {game.info.id} is a game for one player: no opponent wins when the time is over")
    return Timing(Clock(1000 * clock.seconds, 1000 * clock.increment))


def fork(snapshot: MatchSnapshot, request: ForkRequest, person: str, permissions: Permissions = VISITOR) -> MatchDraft:
    """A match from a ply of another, without clocks. With dice or secrets, which stay the same, it is practice."""
    if request.ply > snapshot.match.ply:
        raise BadRequest(f"ply: the match has plies 0..{snapshot.match.ply}, found {request.ply}")
    match = snapshot.match.branch(request.ply)
    if match.over:
        raise BadRequest(f"ply: the match is over after {request.ply} plies, nothing can go on from there")
    agents, seats = _check_seats(snapshot.game, request.seats, person, permissions)
    movetime = None if snapshot.hosting is None else snapshot.hosting.movetime_ms
    return MatchDraft(match, agents, Hosting(person, seats, snapshot.practice or snapshot.has_secrets, movetime))


def draft_import(match: Match[Any, Any], agents: tuple[str, ...], person: str) -> MatchDraft:
    """A match from a file: the importer gets the people's seats, and a live match with dice or secrets is practice."""
    game = match.game
    for name in agents:
        _check_imported_name(name)
        if not match.over and name != PERSON:
            check_agent(game, name)
    seats: dict[int, str | None] = {player: person for player, name in enumerate(agents) if name == PERSON}
    return MatchDraft(match, agents, Hosting(person, seats, practice=has_secrets(game) and not match.over))


def _check_imported_name(name: str) -> None:
    """Raise `BadOption` for what no agent is called: the name is public, and its parts make its title."""
    if len(name) > LONGEST_IMPORTED or not AGENT_NAMES.fullmatch(name):
        raise BadOption(f"agents: expected such as hard:depth=3, up to {LONGEST_IMPORTED} characters, found {name!r}")
    if not name.startswith(ENGINES):
        split_reference(name)


def _check_seats(
    game: AnyGame, names: Sequence[str], person: str, permissions: Permissions
) -> tuple[tuple[str, ...], dict[int, str | None]]:
    """The agent of each seat, and the holder of each person's seat."""
    if len(names) != game.info.players:
        raise BadRequest(f"seats: {game.info.id} has {game.info.players} players, found {len(names)} seats")
    agents, seats = [], {}
    for player, name in enumerate(names):
        if name in (PERSON, OPEN):
            seats[player] = person if name == PERSON else None
            agents.append(PERSON)
        else:
            check_agent(game, name, permissions)
            # What a run's last agent is now: training may go on during the match.
            agents.append(pin_reference(name) if name.startswith(RUN) else name)
    return tuple(agents), seats


def check_agent(game: AnyGame, name: str, permissions: Permissions = VISITOR) -> None:
    """Raise `LudexError` for an invalid agent reference when the match begins, not at its first move.

    The agent itself is made in a worker: its tables and nets would fill the server's memory.
    """
    if len(name) > LONGEST_NAME:
        raise BadOption(f"an agent's name has {len(name)} characters, expected {LONGEST_NAME} at most")
    permissions.check_agent(game, name)


class MatchQuota:
    """Limits a person's live matches and their disk, matches begun in an hour by a person and from an address, and the
    disk of all."""

    def __init__(self, settings: Settings, cache: MatchCache, addresses: AddressBook) -> None:
        self._settings = settings
        self._cache = cache
        self._addresses = addresses
        self._begun_by_address = Buckets(settings.matches_per_address / 60, burst=settings.matches_per_address)
        self._database_bytes = 0
        self._measured = float("-inf")

    async def require(self, person: str) -> None:
        """Raise `TooManyMatches` or `DiskQuota` if a person may not begin another match."""
        await self._require_disk()
        limits, hour = self._settings, datetime.now(UTC) - timedelta(hours=1)
        usage = await self._cache.usage_of(person, format_utc(hour))
        if usage.live >= (most := limits.matches_per_person):
            raise TooManyMatches(f"you have {most} live matches: finish or delete one first")
        if usage.begun >= (most := limits.matches_per_hour):
            raise TooManyMatches(f"you have begun {most} matches in an hour: take a break")
        if usage.stored_bytes >= (most := limits.person_mb) << 20:
            raise DiskQuota(f"your matches fill {most} MB, as much as one person may: delete some of them")
        address = self._addresses.of(person)
        if address is not None and self._begun_by_address.take(address):
            most = limits.matches_per_address
            raise TooManyMatches(f"your address has begun {most} matches in an hour: take a break")

    async def _require_disk(self) -> None:
        if time.monotonic() - self._measured > MEASURED_SECONDS:
            self._measured = time.monotonic()
            self._database_bytes = await self._cache.size_bytes()
        most = self._settings.database_mb
        if self._database_bytes >= most << 20:
            raise DiskQuota(f"the matches of this server fill {most} MB, as much as they may: no match can begin")
