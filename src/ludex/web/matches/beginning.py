"""Matches that begin: new, forked from a ply of another, or read from a file."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from ludex.arena.entrants import UGI, check_reference
from ludex.core.clock import Clock
from ludex.core.errors import BadOption, Unsupported
from ludex.core.game import AnyGame
from ludex.core.match import Match
from ludex.core.record import PERSON, MatchFile
from ludex.store.hosting import Hosting
from ludex.store.timing import Timing
from ludex.web.errors import BadRequest
from ludex.web.matches.table import Table, has_secrets
from ludex.web.references import public_game, require_public_machine
from ludex.web.schemas import ForkRequest, NewClock, NewMatch

OPEN: Final = "open"
SEED_BITS: Final = 53
"""Every seed is a whole number in JavaScript too."""
LONGEST_NAME: Final = 256


@dataclass(frozen=True, slots=True)
class Beginning:
    """A match that is not in the database yet."""

    match: Match[Any, Any]
    agents: tuple[str, ...]
    hosting: Hosting
    timing: Timing | None = None


def new(request: NewMatch, person: str) -> Beginning:
    """A match from its first position."""
    game = public_game(request.game, request.preset)
    if request.seed is not None and has_secrets(game) and not request.practice:
        raise BadRequest(
            f"seed: {request.game} has dice or secrets, and who names the seed knows them: only in practice"
        )
    agents, seats = seated(game, request.seats, person)
    seed = secrets.randbits(SEED_BITS) if request.seed is None else request.seed
    hosting = Hosting(person, seats, request.practice, request.movetime_ms)
    return Beginning(Match(game, seed), agents, hosting, timed(game, request.clock))


def timed(game: AnyGame, clock: NewClock | None) -> Timing | None:
    """The clocks a match begins with."""
    if clock is None:
        return None
    if game.info.players == 1:
        raise Unsupported(f"clock: {game.info.id} is a game for one player, and nobody wins when the time is over")
    return Timing(Clock(1000 * clock.seconds, 1000 * clock.increment))


def fork(table: Table, request: ForkRequest, person: str) -> Beginning:
    """A match from a ply of another, without clocks. With dice or secrets, which stay the same, it is practice."""
    if request.ply > table.match.ply:
        raise BadRequest(f"ply: the match has plies 0..{table.match.ply}, asked for {request.ply}")
    match = table.match.branch(request.ply)
    if match.over:
        raise BadRequest(f"ply: the match is over after {request.ply} plies, nothing can go on from there")
    agents, seats = seated(table.game, request.seats, person)
    movetime = None if table.hosting is None else table.hosting.movetime_ms
    return Beginning(match, agents, Hosting(person, seats, table.practice or table.has_secrets, movetime))


def read(body: Any, person: str) -> Beginning:
    """A match from a file. People's seats go to who reads it; a live one with dice or secrets is practice."""
    file = MatchFile.parse(body, "the file")
    game = public_game(file.record.game, file.record.preset)
    match = file.replay(game)
    agents = file.record.agents
    for name in agents:
        if len(name) > LONGEST_NAME or not name.isprintable():
            raise BadRequest(f"agents: expected names of up to {LONGEST_NAME} printable characters")
        if not match.over and name != PERSON:
            check_machine(game, name)
    seats: dict[int, str | None] = {player: person for player, name in enumerate(agents) if name == PERSON}
    return Beginning(match, agents, Hosting(person, seats, practice=has_secrets(game) and not match.over))


def seated(game: AnyGame, asked: Sequence[str], person: str) -> tuple[tuple[str, ...], dict[int, str | None]]:
    """The seats' names, and who holds those of people."""
    if len(asked) != game.info.players:
        raise BadRequest(f"seats: {game.info.id} has {game.info.players} players, found {len(asked)} seats")
    agents, seats = [], {}
    for player, name in enumerate(asked):
        if name in (PERSON, OPEN):
            seats[player] = person if name == PERSON else None
            agents.append(PERSON)
        else:
            check_machine(game, name)
            agents.append(name)
    return tuple(agents), seats


def check_machine(game: AnyGame, name: str) -> None:
    """Raise what is wrong with a machine's reference: better now than when it shall move.

    The machine itself is made in a worker: its tables and nets would fill the server's memory.
    """
    if len(name) > LONGEST_NAME:
        raise BadOption(f"a machine's name has {len(name)} characters, expected {LONGEST_NAME} at most")
    if name.startswith(UGI):
        raise BadOption("engines behind a pipe cannot be started from the web")
    require_public_machine(game.info.id, name)
    check_reference(game, name)
