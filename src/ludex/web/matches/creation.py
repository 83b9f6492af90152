"""New matches, forks and rematches of them, and how many a person may begin."""

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from ludex.arena.entrants import UGI, check_reference
from ludex.core.clock import Clock
from ludex.core.errors import BadOption, Unsupported
from ludex.core.game import AnyGame
from ludex.core.match import Match
from ludex.core.options import PY, RUN
from ludex.core.record import PERSON
from ludex.core.seeding import MAX_SEED, SEED_BITS
from ludex.learn.run_agents import pin_reference
from ludex.store.hosting import Hosting
from ludex.store.timing import Timing, format_utc
from ludex.web.boards import public_game, require_public_agent
from ludex.web.errors import BadRequest, TooManyMatches
from ludex.web.matches.cache import MatchCache
from ludex.web.matches.model import MatchDraft, MatchSnapshot, has_secrets
from ludex.web.schemas.requests import ForkRequest, NewClock, NewMatch
from ludex.web.security.address import AddressBook
from ludex.web.security.rate import Buckets
from ludex.web.settings import Settings

OPEN: Final = "open"
LONGEST_NAME: Final = 256


def new(request: NewMatch, person: str, *, administrator: bool = False) -> MatchDraft:
    """A match from its first position."""
    game = public_game(request.game, request.preset)
    if request.seed is not None and has_secrets(game) and not request.practice:
        raise BadRequest(
            f"seed: {request.game} has dice or secrets, which a known seed reveals: name a seed only in practice"
        )
    agents, seats = _check_seats(game, request.seats, person, administrator)
    seed = secrets.randbits(SEED_BITS) if request.seed is None else int(request.seed)
    if seed > MAX_SEED:
        raise BadRequest(f"seed: expected a number below 2**{SEED_BITS}, found {seed}")
    hosting = Hosting(person, seats, request.practice, request.movetime_ms)
    return MatchDraft(Match(game, seed), agents, hosting, _timing(game, request.clock))


def rematch(snapshot: MatchSnapshot, person: str) -> MatchDraft:
    """The same board and terms with swapped seats; the other person's seat is open until they accept."""
    assert snapshot.hosting is not None
    last = len(snapshot.agents) - 1
    holders = snapshot.hosting.seats.items()
    seats = {last - player: person if holder == person else None for player, holder in holders}
    hosting = Hosting(person, seats, snapshot.practice, snapshot.hosting.movetime_ms)
    timing = None if snapshot.timing is None else Timing(snapshot.timing.clock)
    return MatchDraft(Match(snapshot.game, secrets.randbits(SEED_BITS)), snapshot.agents, hosting, timing)


def _timing(game: AnyGame, clock: NewClock | None) -> Timing | None:
    """The clocks a match begins with."""
    if clock is None:
        return None
    if game.info.players == 1:
        raise Unsupported(f"clock: {game.info.id} is a game for one player: no opponent wins when the time is over")
    return Timing(Clock(1000 * clock.seconds, 1000 * clock.increment))


def fork(snapshot: MatchSnapshot, request: ForkRequest, person: str, *, administrator: bool = False) -> MatchDraft:
    """A match from a ply of another, without clocks. With dice or secrets, which stay the same, it is practice."""
    if request.ply > snapshot.match.ply:
        raise BadRequest(f"ply: the match has plies 0..{snapshot.match.ply}, found {request.ply}")
    match = snapshot.match.branch(request.ply)
    if match.over:
        raise BadRequest(f"ply: the match is over after {request.ply} plies, nothing can go on from there")
    agents, seats = _check_seats(snapshot.game, request.seats, person, administrator)
    movetime = None if snapshot.hosting is None else snapshot.hosting.movetime_ms
    return MatchDraft(match, agents, Hosting(person, seats, snapshot.practice or snapshot.has_secrets, movetime))


def draft_import(match: Match[Any, Any], agents: tuple[str, ...], person: str) -> MatchDraft:
    """A match from a file: the importer gets the people's seats, and a live match with dice or secrets is practice."""
    game = match.game
    for name in agents:
        if len(name) > LONGEST_NAME or not name.isprintable():
            raise BadRequest(f"agents: expected names of up to {LONGEST_NAME} printable characters")
        if not match.over and name != PERSON:
            check_agent(game, name)
    seats: dict[int, str | None] = {player: person for player, name in enumerate(agents) if name == PERSON}
    return MatchDraft(match, agents, Hosting(person, seats, practice=has_secrets(game) and not match.over))


def _check_seats(
    game: AnyGame, names: Sequence[str], person: str, administrator: bool
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
            check_agent(game, name, administrator=administrator)
            # What a run's last agent is now: training may go on during the match.
            agents.append(pin_reference(name) if name.startswith(RUN) else name)
    return tuple(agents), seats


def check_agent(game: AnyGame, name: str, *, administrator: bool = False) -> None:
    """Raise `LudexError` for an invalid agent reference when the match begins, not at its first move.

    A class, `py:MODULE:CLASS`, runs code that its reference names: only the administrator may name one.

    The agent itself is made in a worker: its tables and nets would fill the server's memory.
    """
    if len(name) > LONGEST_NAME:
        raise BadOption(f"an agent's name has {len(name)} characters, expected {LONGEST_NAME} at most")
    if name.startswith(UGI):
        raise BadOption("engines behind a pipe cannot be started from the web")
    if name.startswith(PY) and not administrator:
        raise BadOption("a class of Python runs code on the server: only its administrator may name one")
    if not name.startswith(PY):
        require_public_agent(game.info.id, name)
    check_reference(game, name, classes=administrator)


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
