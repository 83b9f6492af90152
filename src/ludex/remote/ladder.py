"""Ladders: saved tournaments whose players are bots that connect from outside, each with a token of its own.

`make_ladder` and `invite` are the administrator's, `join` is the bot's side: it connects outward, so that it works
behind a router.
"""

import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from ludex.arena.saved_tournament import NAME, Bot, Plan, SavedTournament, list_saved, open_tournament, write_bots
from ludex.arena.schedules import LADDER
from ludex.arena.terms import Terms
from ludex.core.clock import Clock
from ludex.core.errors import BadOption, BadTournament, LudexError
from ludex.core.game import AnyGame
from ludex.remote.address import check_url
from ludex.remote.bot_server import LARGEST_QUESTION, AgentOnBoards

MOST_BOTS: Final = 64
LONGEST_CLOCK_MS: Final = 600_000
PAUSED: Final = 4001
"""The close code for a bot that was offline, slow or wrong; it plays again when it joins again."""
REPLACED: Final = 4002
"""The close code of a connection whose bot has joined again."""
LONGEST_WAIT: Final = 30.0
"""Seconds between attempts to connect again."""


def make_ladder(
    base: Path, name: str, board: AnyGame, *, clock: Clock, opening_plies: int, games: int, seed: int
) -> None:
    """Begin a ladder without bots. Raises `BadTournament` where the name is taken."""
    if board.info.players != 2:
        raise BadOption(f"{board.info.id} is a game for one: a ladder needs two players")
    if clock.remaining_ms > LONGEST_CLOCK_MS or clock.increment_ms > LONGEST_CLOCK_MS:
        raise BadOption(
            f"--clock: at most {LONGEST_CLOCK_MS // 1000} seconds: a bot that is away keeps its opponent so long"
        )
    if games < 2 or games % 2:
        raise BadOption(f"--games must be even and at least 2, found {games}")
    if base / name in list_saved(base):
        raise BadTournament(f"{name!r} exists: choose another name")
    terms = Terms.of(board, (), seed=seed, clock=clock, opening_plies=opening_plies, forfeits=True)
    with open_tournament(base, name, terms, Plan(LADDER, games, None)):
        """An empty journal is a ladder."""


def open_ladder(base: Path, name: str) -> SavedTournament:
    """The ladder of this name. Raises `BadTournament`."""
    if base / name not in list_saved(base):
        raise BadTournament(f"no ladder is called {name!r}")
    saved = SavedTournament.open(base / name)
    if saved.plan.format != LADDER:
        raise BadTournament(f"{name!r} is a tournament, not a ladder")
    return saved


def invite(base: Path, name: str, bot: str) -> str:
    """A token for a bot, in place of the one that it had."""
    saved = open_ladder(base, name)
    if not NAME.fullmatch(bot):
        raise BadOption(f"a bot's name has up to 64 letters, digits, dots, dashes and underscores, found {bot!r}")
    token = secrets.token_urlsafe(24)
    invited = Bot(name=bot, token_sha256=_digest(token))
    names = [other.name for other in saved.bots]
    bots = (
        (*saved.bots, invited)
        if bot not in names
        else tuple(invited if other.name == bot else other for other in saved.bots)
    )
    if len(bots) > MOST_BOTS:
        raise BadOption(f"{name!r} has {MOST_BOTS} bots, and takes no more")
    write_bots(saved, bots)
    return token


def bot_of(saved: SavedTournament, token: str) -> str | None:
    """Whose token it is."""
    digest = _digest(token)
    matches = [bot.name for bot in saved.bots if hmac.compare_digest(bot.token_sha256, digest)]
    return matches[0] if matches else None


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class BotPausedError(LudexError):
    """The ladder plays no more with this connection, for the reason in the message."""


def socket_address(page: str) -> str:
    """Where the bots of the ladder of a page connect.

    >>> socket_address("https://example.org/tournaments/spring")
    'wss://example.org/api/ladders/spring/bot'
    """
    parts = urlsplit(check_url(page, "URL"))
    base, _, name = parts.path.rstrip("/").rpartition("/tournaments/")
    if not NAME.fullmatch(name):
        raise BadOption(
            f"expected the address of a ladder's page, such as http://HOST/tournaments/NAME, found {page!r}"
        )
    return f"{'wss' if parts.scheme == 'https' else 'ws'}://{parts.netloc}{base}/api/ladders/{name}/bot"


def join(page: str, token: str, boards: AgentOnBoards, note: Callable[[str], None]) -> None:
    """Play on a ladder until an interruption; a connection that is lost is made again.

    Raises `BadOption` where the ladder does not take the bot, and `BotPausedError` when it pauses it.
    """
    from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
    from websockets.sync.client import connect

    address, wait = socket_address(page), 1.0
    while True:
        try:
            headers = {"Authorization": f"Bearer {token}"}
            with connect(address, additional_headers=headers, max_size=LARGEST_QUESTION, proxy=None) as socket:
                note(f"{boards.agent} plays at {page}; Ctrl-C ends it")
                wait = 1.0
                for question in socket:
                    socket.send(json.dumps(_answer(question, boards)))
            reason = "the server ended the connection"
        except InvalidStatus as error:
            status = error.response.status_code
            if status < 500 and status != 429:
                text = (error.response.body or b"")[:200].decode("utf-8", "backslashreplace")
                raise BadOption(f"{page} does not take this bot: status {status}: {text}") from error
            reason = f"status {status}"
        except ConnectionClosed as error:
            code, reason = (error.rcvd.code, error.rcvd.reason) if error.rcvd else (None, str(error))
            if code in (PAUSED, REPLACED):
                raise BotPausedError(f"{page}: {reason}") from error
        except (OSError, InvalidHandshake) as error:
            reason = str(error) or type(error).__name__
        note(f"{reason}; connecting again in {wait:.0f} s")
        time.sleep(wait)
        wait = min(2 * wait, LONGEST_WAIT)


def _answer(question: str | bytes, boards: AgentOnBoards) -> dict[str, object]:
    number = None
    try:
        document = json.loads(question)
        number = document["id"]
        return {"id": number, "move": boards.decide(question)}
    except LudexError as error:
        return {"id": number, "error": error.message}
