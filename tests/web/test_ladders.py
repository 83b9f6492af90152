"""Ladders: a real server, and bots that connect to it by WebSocket."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

import ludex
from ludex.arena.saved_tournament import SavedTournament
from ludex.core.clock import Clock
from ludex.core.errors import BadOption, BadTournament
from ludex.operations.permissions import VISITOR
from ludex.remote.bot_server import AgentOnBoards
from ludex.remote.ladder import PAUSED, REPLACED, BotPausedError, bot_of, invite, join, make_ladder, open_ladder
from tests.waiting import until
from tests.web.running import RunningServer, served

Play = Callable[[dict[str, Any]], str]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with served(tmp_path_factory.mktemp("ladders")) as running:
        yield running


def base(server: RunningServer) -> Path:
    return server.home / "tournaments"


def ladder(server: RunningServer, name: str, *bots: str, clock: str = "60", games: int = 2) -> dict[str, str]:
    """A ladder of tic-tac-toe, and the tokens of its bots."""
    board = ludex.make("tictactoe")
    make_ladder(base(server), name, board, clock=Clock.parse(clock), opening_plies=2, games=games, seed=1)
    return {bot: invite(base(server), name, bot) for bot in bots}


def dial(server: RunningServer, name: str, token: str) -> ClientConnection:
    headers = {"Authorization": f"Bearer {token}"}
    return connect(f"{server.socket_url}/api/ladders/{name}/bot", additional_headers=headers, proxy=None)


def reply(socket: ClientConnection, play: Play | None = None) -> None:
    """Answer one question; the first legal move if nothing else is said."""
    question = json.loads(socket.recv(60))
    socket.send(json.dumps({"id": question["id"], "move": play(question) if play else question["legal"][0]}))


@contextmanager
def playing(server: RunningServer, name: str, token: str, agent: str = "random") -> Iterator[list[BaseException]]:
    """The client of `ludex bot join`, until the ladder ends it."""
    ends: list[BaseException] = []
    boards = AgentOnBoards(agent, None, VISITOR.check_board)

    def run() -> None:
        try:
            join(f"{server.url}/tournaments/{name}", token, boards, lambda text: None)
        except BaseException as error:
            ends.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    yield ends


def games(client: httpx.Client, name: str, count: int) -> list[dict[str, Any]]:
    """The games of a ladder, once there are so many."""

    def played() -> list[dict[str, Any]]:
        return list(client.get(f"/api/tournaments/{name}/games").json()["games"])

    until(lambda: len(played()) >= count, f"{count} games of {name}")
    return played()


def states(client: httpx.Client, name: str) -> dict[str, tuple[str, str | None]]:
    return {bot["name"]: (bot["state"], bot["fault"]) for bot in client.get(f"/api/ladders/{name}").json()["bots"]}


def drain(socket: ClientConnection) -> None:
    while True:
        socket.recv(60)


def closing(socket: ClientConnection) -> tuple[int, str]:
    """Why the server closes a connection."""
    with pytest.raises(ConnectionClosed) as end:
        drain(socket)
    assert end.value.rcvd is not None
    return end.value.rcvd.code, end.value.rcvd.reason


def test_bots_are_paired_and_their_games_are_those_of_a_tournament(server: RunningServer) -> None:
    tokens = ladder(server, "paired", "strong", "weak", "third")
    with (
        server.client() as client,
        playing(server, "paired", tokens["strong"], "perfect"),
        playing(server, "paired", tokens["weak"]),
        playing(server, "paired", tokens["third"]),
    ):
        played = games(client, "paired", 6)
        detail = client.get("/api/tournaments/paired").json()
        match = client.get(f"/api/matches/{played[0]['match']}").json()
        page = client.get("/tournaments/paired")
    assert {tuple(sorted(game["agents"])) for game in played} == {
        ("strong", "weak"),
        ("strong", "third"),
        ("third", "weak"),
    }
    assert all(game["fault"] is None for game in played)
    assert (detail["format"], detail["clock"], detail["opening_plies"]) == ("ladder", [60000, 0], 2)
    rows = {row["agent"]: row for row in detail["standings"]}
    assert rows["strong"]["elo"] >= max(rows["weak"]["elo"], rows["third"]["elo"])
    assert rows["strong"]["elo_ci95"][0] < rows["strong"]["elo"] < rows["strong"]["elo_ci95"][1]
    assert match["outcome"] is not None
    assert page.status_code == 200


def test_two_bots_meet_only_so_often(server: RunningServer) -> None:
    tokens = ladder(server, "bounded", "a", "b")
    with server.client() as client, playing(server, "bounded", tokens["a"]), playing(server, "bounded", tokens["b"]):
        games(client, "bounded", 2)
        assert client.get("/api/tournaments/bounded").json()["finished"]


def test_an_answer_that_is_wrong_forfeits_and_pauses(server: RunningServer) -> None:
    tokens = ladder(server, "wrong", "good", "bad")
    with server.client() as client, dial(server, "wrong", tokens["bad"]) as bad:
        with playing(server, "wrong", tokens["good"]):
            for _ in range(2):
                reply(bad, lambda question: "a9")
            code, reason = closing(bad)
            played = games(client, "wrong", 2)
        assert (code, "a9" in reason) == (PAUSED, True)
        assert {game["fault"]["agent"] for game in played} == {"bad"}
        assert states(client, "wrong")["bad"][0] == "paused"
        detail = client.get("/api/tournaments/wrong").json()
        assert [(line["fault"]["code"]) for line in detail["forfeits"]] == ["illegal_choice"] * 2
        # It joins again, and is no longer paused.
        with dial(server, "wrong", tokens["bad"]):
            assert states(client, "wrong")["bad"][1] is None


@pytest.mark.parametrize("away", [False, True])
def test_a_bot_that_is_slow_or_away_forfeits_and_is_paused(server: RunningServer, *, away: bool) -> None:
    name = f"slow-{away}"
    tokens = ladder(server, name, "good", "late", clock="0.5")
    with server.client() as client, dial(server, name, tokens["late"]) as late:
        with playing(server, name, tokens["good"]):
            late.recv(60)
            if away:
                late.close()
            played = games(client, name, 2)
        assert all(game["fault"]["agent"] == "late" for game in played)
        assert {game["fault"]["code"] for game in played} <= {"agent_timeout", "agent_fault"}
        if not away:
            assert closing(late)[0] == PAUSED
        # Its games are written before it is paused.
        until(lambda: states(client, name)["late"][0] == "paused", "the pause")


def test_a_bot_that_reconnects_is_asked_the_same_again(server: RunningServer) -> None:
    tokens = ladder(server, "again", "good", "back")
    with server.client() as client, playing(server, "again", tokens["good"]):
        with dial(server, "again", tokens["back"]) as first:
            question = json.loads(first.recv(60))
        with dial(server, "again", tokens["back"]) as second:
            repeated = json.loads(second.recv(60))
            assert repeated == question
            second.send(json.dumps({"id": question["id"], "move": question["legal"][0]}))
            while len(games(client, "again", 0)) < 2:
                with suppress(TimeoutError):
                    question = json.loads(second.recv(0.1))
                    second.send(json.dumps({"id": question["id"], "move": question["legal"][0]}))
            played = games(client, "again", 2)
    assert all(game["fault"] is None for game in played)


def test_a_second_connection_takes_the_place_of_the_first(server: RunningServer) -> None:
    tokens = ladder(server, "twice", "only")
    with dial(server, "twice", tokens["only"]) as first, dial(server, "twice", tokens["only"]):
        assert closing(first)[0] == REPLACED


@pytest.mark.parametrize("message", ["", "[]", "no json", '{"id": 7, "move": "a1"}', '{"id": 0}'])
def test_a_message_that_answers_no_question_ends_the_connection(server: RunningServer, message: str) -> None:
    name = f"unasked-{abs(hash(message))}"
    tokens = ladder(server, name, "talks")
    with dial(server, name, tokens["talks"]) as socket:
        socket.send(message)
        if message == '{"id": 0}':
            # It may answer what it was asked before it left; but not for ever.
            for _ in range(20):
                socket.send(message)
        assert closing(socket)[0] == PAUSED


@pytest.mark.parametrize(("token", "status"), [("", 401), ("wrong", 401), ("\u00e9", 401)])
def test_a_bad_token_is_refused(server: RunningServer, token: str, status: int) -> None:
    if not (base(server) / "guarded").exists():
        ladder(server, "guarded", "bot")
    with pytest.raises(InvalidStatus) as error, dial(server, "guarded", token):
        """It does not get here."""
    assert error.value.response.status_code == status
    with pytest.raises(BadOption, match="status 401"):
        join(f"{server.url}/tournaments/guarded", "wrong", AgentOnBoards("random", None, VISITOR.check_board), print)


def test_a_new_token_replaces_the_old_and_no_file_holds_either(server: RunningServer) -> None:
    tokens = ladder(server, "tokens", "bot")
    again = invite(base(server), "tokens", "bot")
    saved = open_ladder(base(server), "tokens")
    assert (bot_of(saved, tokens["bot"]), bot_of(saved, again), len(saved.bots)) == (None, "bot", 1)
    with pytest.raises(InvalidStatus), dial(server, "tokens", tokens["bot"]):
        """The old one."""
    with dial(server, "tokens", again):
        """The new one."""
    for file in server.home.rglob("*"):
        if file.is_file():
            content = file.read_bytes()
            assert again.encode() not in content, file
            assert tokens["bot"].encode() not in content, file


def test_an_unknown_ladder_is_not_there(server: RunningServer) -> None:
    with pytest.raises(InvalidStatus) as error, dial(server, "nowhere", "x"):
        """It does not get here."""
    assert error.value.response.status_code == 404
    with server.client() as client:
        assert client.get("/api/ladders/nowhere").status_code == 404


def test_a_paused_bot_is_told_why(server: RunningServer) -> None:
    """The client of `ludex bot join` ends; a connection that is lost it makes again."""
    tokens = ladder(server, "told", "good", "unable")
    ends: list[BaseException]
    with server.client() as client, playing(server, "told", tokens["good"]):
        # No game has this agent: every question is answered with an error.
        with playing(server, "told", tokens["unable"], "nobody") as ends:
            games(client, "told", 2)
            until(lambda: ends, "its end")
        assert isinstance(ends[0], BotPausedError)
        assert "nobody" in ends[0].message


def test_what_a_ladder_is_not(tmp_path: Path) -> None:
    board, clock = ludex.make("tictactoe"), Clock.parse("60")
    options: dict[str, Any] = {"opening_plies": 2, "games": 4, "seed": 1}
    with pytest.raises(BadOption, match="two players"):
        make_ladder(tmp_path, "x", ludex.make("minesweeper"), clock=clock, **options)
    with pytest.raises(BadOption, match="--clock"):
        make_ladder(tmp_path, "x", board, clock=Clock.parse("601"), **options)
    with pytest.raises(BadOption, match="even"):
        make_ladder(tmp_path, "x", board, clock=clock, **{**options, "games": 3})
    make_ladder(tmp_path, "x", board, clock=clock, **options)
    with pytest.raises(BadTournament, match="exists"):
        make_ladder(tmp_path, "x", board, clock=clock, **options)
    with pytest.raises(BadOption, match="a bot's name"):
        invite(tmp_path, "x", "a b")
    with pytest.raises(BadTournament, match="no ladder"):
        invite(tmp_path, "y", "a")
    for number in range(64):
        invite(tmp_path, "x", f"bot{number}")
    with pytest.raises(BadOption, match="takes no more"):
        invite(tmp_path, "x", "one-too-many")
    assert len(SavedTournament.open(tmp_path / "x").terms.agents) == 64
