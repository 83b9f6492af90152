"""A bot behind HTTP as an agent: `http:"http://127.0.0.1:9000"`. It gets a position as JSON and answers with a move.

Nothing is kept between requests, so that any web framework can serve a bot; `ludex bot serve` does so for an agent.
"""

import http.client
import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from pydantic import Field

from ludex.core.decision import Decision
from ludex.core.documents import strict_json
from ludex.core.errors import AgentFault, AgentTimeout, BadOption, IllegalChoice, MoveError
from ludex.core.game import AnyGame, Json, Mask, legal_actions, sample_state
from ludex.core.limit import Limit
from ludex.core.options import LOCAL, Options
from ludex.core.seeding import Rng
from ludex.core.services import Services
from ludex.core.spec import AgentSpec, GameSpec
from ludex.core.text import as_json, game_text
from ludex.remote.address import LARGEST_ANSWER, LONGEST_SHOWN, REDACTED, call_in_time, check_url, read_key

PROTOCOL: Final = 1
GRACE_SECONDS: Final = 1.0
"""How long after its time a bot may still answer: the way there and back."""


class HttpOptions(Options):
    """Where a bot is, and how long it may take."""

    url: str = Field("", max_length=512, json_schema_extra=LOCAL)
    api_key_env: str | None = Field(
        None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", json_schema_extra=LOCAL, description="variable that holds the token"
    )
    seconds: float = Field(30.0, gt=0, le=3600, description="time for a move without a limit of the match")


class RemoteAgent(ABC):
    """Sends each position to a bot, in the way of a subclass. A fault is never asked about again."""

    def __init__(self, game: AnyGame, name: str, seconds: float) -> None:
        """`seconds` are those of a move without a limit of the match."""
        self.name = name
        self._game = game
        self._seconds = seconds
        self._text = game_text(game)
        self._moves: Sequence[str] = ()

    @abstractmethod
    def send(self, body: bytes, seconds: float) -> str:
        """The move in a bot's answer. Raises `AgentFault`."""

    def follow(self, moves: Sequence[str]) -> None:
        """Note the moves so far."""
        self._moves = list(moves)

    def decide(self, view: Any, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
        # What the bot gets is drawn from the view: it holds no secret of the match.
        state = sample_state(self._game, view, Rng(rng.state))
        question = position_document(self._game, self._text.board(view), view, state, legal, rng, limit)
        info = self._game.info
        if info.information == "perfect" or info.players == 1:
            question["moves"] = [*self._moves]
        allowed = self._seconds if limit.longest_ms is None else limit.longest_ms / 1000
        text = self.send(json.dumps(question).encode(), allowed + GRACE_SECONDS)
        if not text.isascii():
            # The game's error would show a letter that looks like another one.
            raise IllegalChoice(f"{self.name}: {text!a} is no move: moves are ASCII")
        try:
            action = self._game.parse_action(state, text)
        except MoveError as error:
            raise IllegalChoice(f"{self.name}: {error.message}") from error
        if not legal[action]:
            raise IllegalChoice(f"{self.name}: {text!a} is a move that the rules forbid in this position")
        return Decision(action)

    def read_move(self, answer: str) -> str:
        """The move that an answer names. Raises `AgentFault` where it names none."""
        quoted = ascii(answer)[:LONGEST_SHOWN]
        try:
            document = strict_json(answer)
        except (ValueError, RecursionError) as error:
            raise AgentFault(f"{self.name}: answered no JSON: {quoted}") from error
        move = document.get("move") if isinstance(document, dict) else None
        if isinstance(document, dict) and isinstance(document.get("error"), str):
            raise AgentFault(f"{self.name}: {ascii(document['error'])[:LONGEST_SHOWN]}")
        if not isinstance(move, str):
            raise AgentFault(f'{self.name}: expected an answer such as {{"move": "e2"}}, found {quoted}')
        return move


class HttpAgent(RemoteAgent):
    """Asks a bot by a request for each move."""

    def __init__(self, game: AnyGame, options: HttpOptions, name: str) -> None:
        super().__init__(game, name, options.seconds)
        self._options = options
        self._token = read_key(options.api_key_env)

    def send(self, body: bytes, seconds: float) -> str:
        parts = urlsplit(self._options.url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=seconds)
        headers = {"Content-Type": "application/json", "Connection": "close"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"

        def work() -> tuple[int, bytes]:
            connection.request("POST", parts.path or "/", body, headers)
            response = connection.getresponse()
            return response.status, response.read(LARGEST_ANSWER + 1)

        def abort() -> None:
            if connection.sock is not None:
                connection.sock.close()

        try:
            # The stop flag is raised when time is up, and the grace is for the way: only the time ends the wait.
            status, answer = call_in_time(work, seconds=seconds, limit=Limit(), owner=self.name, abort=abort)
        except TimeoutError as error:
            raise AgentTimeout(f"{self.name}: no answer within {seconds:.1f} s") from error
        except (OSError, http.client.HTTPException) as error:
            raise AgentFault(f"{self.name}: cannot be reached: {error or type(error).__name__}") from error
        finally:
            connection.close()
        text = answer.decode("utf-8", "backslashreplace")
        text = text.replace(self._token, REDACTED) if self._token else text
        if status != http.HTTPStatus.OK:
            raise AgentFault(f"{self.name}: answered status {status}: {ascii(text)[:LONGEST_SHOWN]}")
        if len(answer) > LARGEST_ANSWER:
            raise AgentFault(f"{self.name}: answered more than {LARGEST_ANSWER:,} bytes")
        return self.read_move(text)


def position_document(
    game: AnyGame, board: str, view: Any, state: Any, legal: Mask, rng: Rng, limit: Limit
) -> dict[str, Json]:
    """What a bot gets: docs/bots.md is its reference."""
    info = game.info
    clocks: list[Json] = [
        {"remaining_ms": clock.remaining_ms, "increment_ms": clock.increment_ms} for clock in limit.clocks
    ]
    return {
        "protocol": PROTOCOL,
        "game": info.id,
        "version": info.version,
        "preset": info.preset,
        "player": game.to_move(state),
        "legal": [game.action_text(state, action) for action in legal_actions(legal)],
        "board": board,
        "view": as_json(view),
        "position": game.dump(state),
        "clocks": clocks,
        "limit": {"time_ms": limit.time_ms, "depth": limit.depth, "nodes": limit.nodes},
        # As a text: JavaScript has no whole numbers of 64 bits.
        "random": str(rng.state),
    }


def http_agent(game: AnyGame, options: HttpOptions, services: Services, name: str) -> HttpAgent:
    """The factory."""
    return HttpAgent(game, options, name)


def check_http(game: AnyGame, options: HttpOptions) -> None:
    """Raise what is wrong with the options, without calling the bot."""
    if options.url.startswith("//"):
        raise BadOption(f'expected http:"http://HOST:PORT", with double quotes, found http:{options.url}')
    check_url(options.url, "http")


def http_spec(game_spec: GameSpec, url: str) -> AgentSpec:
    """What `http:"URL"` plays as."""
    return AgentSpec(
        summary="a bot behind HTTP",
        factory="ludex.remote.http_agent:http_agent",
        options=HttpOptions,
        defaults={"url": url.strip('"')},
        check="ludex.remote.http_agent:check_http",
    )
