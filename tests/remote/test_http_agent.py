"""Bots behind HTTP: `ludex bot serve`, the examples, and everything that can go wrong."""

import json
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import ludex
from ludex.arena.duel import duel
from ludex.arena.entrants import make_entrant
from ludex.arena.terms import Terms
from ludex.core.errors import AgentFault, AgentTimeout, BadOption, IllegalChoice
from ludex.core.executor import InProcess
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.operations.permissions import VISITOR
from ludex.remote.bot_server import AgentOnBoards, BotServer
from tests.remote.chat_server import Answer, serve_chat

BOTS = Path(__file__).parents[2] / "examples" / "bots"
TOKEN = "a-token-of-this-test"


def boards_of(agent: str) -> AgentOnBoards:
    return AgentOnBoards(agent, None, VISITOR.check_board)


@contextmanager
def served(agent: str, **options: Any) -> Iterator[str]:
    server = BotServer(boards_of(agent), host="127.0.0.1", port=0, **options)
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        yield f'http:"{server.url}"'
    finally:
        server.stop()
        thread.join()
        server.close()


@contextmanager
def example(*command: str) -> Iterator[str]:
    process = subprocess.Popen([*command, "0"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield f'http:"{process.stdout.readline().strip()}"'
    finally:
        process.kill()
        process.communicate()


def played(game: str, preset: str, agents: tuple[str, str], games: int = 4) -> list[tuple[int, ...]]:
    terms = Terms.of(ludex.make(game, preset), agents, seed=3, limit=Limit(depth=1), opening_plies=2)
    return [game.actions for game in duel(terms, games=games, executor=InProcess()).played]


@pytest.mark.parametrize(("game", "preset", "agent"), [("tictactoe", "3x3x3", "random"), ("quoridor", "5x5", "easy")])
def test_an_agent_plays_the_same_games_behind_http(game: str, preset: str, agent: str) -> None:
    """Its random numbers travel too."""
    with served(agent) as bot:
        assert played(game, preset, (bot, "random")) == played(game, preset, (agent, "random"))


def test_a_bot_of_a_game_with_secrets_gets_a_position_of_the_view() -> None:
    board = ludex.make("minesweeper", "small")
    match, other = Match(board, 5), Match(board, 5)
    with served("exact") as bot:
        players = [make_entrant(board, reference) for reference in (bot, "exact")]
        for _ in range(4):
            for each, player in zip((match, other), players, strict=True):
                if not each.over:
                    each.carry_out(decide(each, player, Limit()))
    assert match.actions == other.actions


@pytest.mark.slow
@pytest.mark.parametrize("command", [(sys.executable, str(BOTS / "bot.py")), ("node", str(BOTS / "bot.mjs"))])
def test_the_examples_play(command: tuple[str, ...]) -> None:
    assert shutil.which(command[0])
    assert len(Path(command[1]).read_text().splitlines()) < 60
    with example(*command) as bot:
        assert played("quoridor", "5x5", (bot, "walker"), games=2)
        assert played("tictactoe", "3x3x3", (bot, "perfect"), games=2)


def ask(answer: Answer, limit: Limit | None = None, **options: str) -> Any:
    match = Match(ludex.make("tictactoe"), 1)
    match.play_text("a1")
    with serve_chat(answer) as server:
        reference = "".join([f'http:"{server.url}"', *(f":{key}={value}" for key, value in options.items())])
        return decide(match, make_entrant(match.game, reference), limit or Limit())


@pytest.mark.parametrize(
    ("reply", "fault", "reason"),
    [
        ((500, "text/plain", b"oops"), AgentFault, "status 500"),
        ((302, "text/plain", b""), AgentFault, "status 302"),
        ((200, "text/html", b"<html>"), AgentFault, "no JSON"),
        ((200, "application/json", b"[]"), AgentFault, "expected an answer such as"),
        ((200, "application/json", b'{"move": 4}'), AgentFault, "expected an answer such as"),
        ((200, "application/json", b" " * (2 << 20)), AgentFault, "answered more than"),
        ((200, "application/json", b'{"move": "a1"}'), IllegalChoice, "rules forbid"),
        ((200, "application/json", b'{"move": "z9"}'), IllegalChoice, "z9"),
        ((200, "application/json", '{"move": "\N{CYRILLIC SMALL LETTER A}2"}'.encode()), IllegalChoice, "u0430"),
    ],
)
def test_what_a_bot_does_wrong_has_a_name(reply: Any, fault: type[AgentFault], reason: str) -> None:
    with pytest.raises(fault, match=reason) as error:
        ask(lambda question: reply)
    assert type(error.value) is fault


def test_a_bot_that_is_silent_is_timed_out() -> None:
    released = threading.Event()
    try:
        with pytest.raises(AgentTimeout):
            ask(lambda question: ("", released.wait(30))[0], Limit(time_ms=50))
    finally:
        released.set()


def test_a_bot_that_is_down_is_a_fault() -> None:
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        player = make_entrant(ludex.make("tictactoe"), f'http:"http://127.0.0.1:{reserved.getsockname()[1]}"')
        with pytest.raises(AgentFault, match="cannot be reached"):
            decide(Match(ludex.make("tictactoe"), 1), player, Limit())


def test_a_token_is_wanted_and_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_TOKEN", TOKEN)
    board = ludex.make("tictactoe")
    with served("perfect", token=TOKEN) as bot:
        with pytest.raises(AgentFault, match="status 401") as error:
            decide(Match(board, 1), make_entrant(board, bot), Limit())
        assert TOKEN not in error.value.message
        decide(Match(board, 1), make_entrant(board, f"{bot}:api_key_env=BOT_TOKEN"), Limit())


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"protocol": 2}, "protocol 1"),
        ({"game": "chess"}, "unknown game"),
        ({"version": 99}, "version"),
        ({"position": {"cells": 1}}, "code"),
        ({"player": 1}, "turn of player 1"),
        ({"limit": None}, "cannot be read"),
    ],
)
def test_a_bad_question_is_refused_with_its_reason(change: dict[str, Any], reason: str) -> None:
    board = ludex.make("tictactoe")
    with serve_chat(lambda body: "x") as recorder, pytest.raises(AgentFault):
        decide(Match(board, 1), make_entrant(board, f'http:"{recorder.url}"'), Limit())
    questions = recorder.requests
    server = BotServer(boards_of("perfect"), host="127.0.0.1", port=0)
    status, document = server.handle("", lambda: json.dumps({**questions[0], **change}).encode())
    server.close()
    assert (status, reason in json.dumps(document)) == (400, True)


def test_an_unquoted_address_is_explained() -> None:
    with pytest.raises(BadOption, match="double quotes"):
        make_entrant(ludex.make("tictactoe"), "http://127.0.0.1")
