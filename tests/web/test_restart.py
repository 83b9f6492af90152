"""A match survives `kill -9` of its server; two servers on one database, of either kind, show the same matches."""

import json
import random
import signal
import socket
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from ludex.store.database import Database
from tests.web.playing import GENEROUS, View, Visitor, path
from tests.web.routes.test_live import at_ply, heard, of_type
from tests.web.running import RunningServer, served

pytestmark = pytest.mark.slow

FLAGS = (*GENEROUS, "--workers", "1")
SECRET = "w8Lc4NpZ7xVt2Rm9KqY3sHd6FgJ1eTab"
HOUR = {"seconds": 3600, "increment": 2}
SECOND = {"seconds": 1, "increment": 0}


@pytest.mark.full
@pytest.mark.parametrize(("seed", "kills"), [(0, 1), (1, 6)])
def test_a_match_goes_on_after_kill_9(tmp_path: Path, seed: int, kills: int) -> None:
    """Killed at random moments of a machine's search: nothing that was answered is lost, the seat is still ours."""
    choice = random.Random(seed)
    server = RunningServer(tmp_path, *FLAGS)
    visitor = Visitor(server)
    try:
        match = visitor.begin("quoridor", "you", "master", preset="5x5", movetime_ms=400)
        known = match["moves"]
        for _ in range(kills):
            match = visitor.on_turn(match)
            if not match["live"]:
                break
            match = visitor.move(match, choice.choice(visitor.legal(match)))
            known = match["moves"]
            time.sleep(choice.choice([0.0, choice.uniform(0.0, 0.6), choice.uniform(0.0, 2.0)]))
            server.kill()
            server.close()
            server = RunningServer(tmp_path, *FLAGS)
            visitor.move_to(server)
            match = visitor.view(match)
            assert match["moves"][: len(known)] == known
            assert [seat["you"] for seat in match["seats"]] == [True, False]
        match = visitor.on_turn(match)
        assert match["moves"][: len(known)] == known
        assert not match["live"] or match["can"]["move"]
    finally:
        visitor.client.close()
        server.close()


@dataclass(frozen=True)
class Restarted:
    """A visitor at a server whose predecessor was killed, and the matches that were begun there."""

    visitor: Visitor
    searching: View
    """The machine was searching."""
    gone: View
    """Its machine does not exist any more."""
    clocked: View
    """One move was made, an hour remains."""
    dying: View
    """No move was made, a second remains."""


@pytest.fixture(scope="module")
def restarted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Restarted]:
    home = tmp_path_factory.mktemp("restarted")
    with served(home, *FLAGS) as first:
        visitor = Visitor(first)
        gone = visitor.begin("tictactoe", "you", "perfect")
        clocked = visitor.move(visitor.begin("tictactoe", "you", "you", clock=HOUR), "b2")
        searching = visitor.begin("quoridor", "you", "master", preset="5x5", movetime_ms=3000)
        searching = visitor.move(searching, "c2")
        dying = visitor.begin("tictactoe", "you", "you", clock=SECOND)
        first.kill()
    with sqlite3.connect(home / "data" / "ludex.db") as database:
        database.execute("UPDATE matches SET agents = ? WHERE id = ?", (json.dumps(["you", "gone"]), gone["id"]))
    with served(home, *FLAGS) as second, visitor.move_to(second):
        yield Restarted(visitor, searching, gone, clocked, dying)


def test_clocks_last_through_kill_9(restarted: Restarted) -> None:
    visitor, match = restarted.visitor, restarted.clocked
    with visitor.watch(restarted.dying) as socket:
        # No move was made: the turn restarts with the server, and the second player runs out of time.
        ended = heard(socket, lambda message: message["type"] == "state" and not message["match"]["live"])
        assert ended["match"]["outcome"]["reason"] == "time forfeit"
    view = visitor.view(match)
    assert view["version"] == match["version"] + 1
    assert view["clock"]["left_ms"][0] == match["clock"]["left_ms"][0]
    assert (view["clock"]["running"], view["live"]) == (1, True)
    # The move still finds its match.
    assert visitor.move(view, "a1")["clock"]["running"] == 0


def test_a_socket_alone_wakes_the_machine_after_a_restart(restarted: Restarted) -> None:
    """What was answered before the kill is not lost, and the seat is still ours."""
    with restarted.visitor.watch(restarted.searching) as watching:
        state = json.loads(watching.recv(timeout=60))["match"]
        assert (state["moves"], state["searching"]) == (restarted.searching["moves"], True)
        assert [seat["you"] for seat in state["seats"]] == [True, False]
        played = heard(watching, at_ply(2))["match"]
    assert played["moves"][:1] == restarted.searching["moves"]
    assert played["can"]["move"]


def test_a_match_with_a_machine_that_is_gone_is_shown_and_goes_on_with_another(restarted: Restarted) -> None:
    visitor, match = restarted.visitor, restarted.gone
    with visitor.watch(match) as socket:
        match = visitor.move(visitor.view(match), "b2")
        problem = heard(socket, of_type("fault"))["problem"]
    assert problem["code"] == "unknown_agent"
    assert (
        "unknown agent of tictactoe: 'gone'; known: ranking, perfect, tactical, flawless, mcts, minimax, random, zero"
        in problem["message"]
    )
    assert [move["text"] for move in visitor.view(match)["moves"]] == ["b2"]
    answer = visitor.ask("POST", path(match, "fork"), {"ply": 1, "seats": ["you", "perfect"]})
    assert visitor.on_turn(answer.json())["plies"] == 2


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.full)])
def two_servers(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[RunningServer, RunningServer]]:
    """Two servers on one database."""
    home = tmp_path_factory.mktemp("two")
    url = f"sqlite:///{home / 'shared.db'}"
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres").new_database()
    shared = {"LUDEX_SECRET": SECRET, "LUDEX_DB": url}
    with served(home / "one", *FLAGS, **shared) as one, served(home / "two", *FLAGS, **shared) as two:
        yield one, two


def test_two_servers_show_the_same_match(two_servers: tuple[RunningServer, RunningServer]) -> None:
    one, two = two_servers
    with Visitor(one) as ann, Visitor(two) as bob:
        match = ann.begin("tictactoe", "you", "open")
        token = ann.invite(match)
        with ann.watch(match) as left, bob.watch(match) as right:
            assert heard(right, at_ply(0))["match"]["id"] == match["id"]
            bob.join(match, token)
            state = heard(left, lambda message: message["type"] == "state" and message["match"]["version"] == 2)[
                "match"
            ]
            for ply, text in enumerate(("a1", "b1", "a2", "b2", "a3")):
                mover = (ann, bob)[ply % 2]
                state = mover.move(mover.view(state), text)
                for socket in (left, right):
                    assert heard(socket, at_ply(ply + 1))["match"]["moves"] == state["moves"]
                if ply == 2:
                    # A move decided on an old version is stale wherever it is made.
                    stale = {"version": state["version"] - 1, "text": "c3"}
                    for server in (one, two):
                        bob.move_to(server).refused(409, "stale_match", "POST", path(match, "moves"), stale)
        assert ann.view(match)["status"] == "You win: a complete line."
        assert bob.view(match)["status"] == "Player 1 wins: a complete line."
        listed = [
            [line["id"] for line in visitor.ask("GET", "/api/matches").json()["matches"]] for visitor in (ann, bob)
        ]
        assert match["id"] in listed[0]
        assert listed[0] == listed[1]
        # A person is the same at both.
        seen = ann.move_to(two).view(match)
        assert (seen["plies"], [seat["you"] for seat in seen["seats"]]) == (5, [True, False])


def test_of_two_servers_that_think_one_plays(two_servers: tuple[RunningServer, RunningServer]) -> None:
    """Both search the same position; the match gets one answer and goes on."""
    one, two = two_servers
    with Visitor(one) as ann, Visitor(two) as bob:
        match = ann.begin("quoridor", "walker", "walker", preset="5x5", movetime_ms=50)
        with ann.watch(match) as left, bob.watch(match) as right:
            ends = [
                heard(socket, lambda message: message["type"] == "state" and not message["match"]["live"])["match"]
                for socket in (left, right)
            ]
        assert ends[0]["moves"] == ends[1]["moves"]
        assert ends[0]["outcome"] == ends[1]["outcome"]


def test_the_other_server_goes_on_when_one_is_killed(two_servers: tuple[RunningServer, RunningServer]) -> None:
    """The last test of a pair: the first server is gone after it."""
    one, two = two_servers
    with Visitor(one) as ann:
        match = ann.move(ann.begin("tictactoe", "you", "perfect"), "b2")
        one.kill()
        match = ann.move_to(two).on_turn(match)
        assert (match["plies"], match["moves"][0]["text"]) == (2, "b2")


def test_sigterm_lets_requests_finish_and_keeps_what_they_did(tmp_path: Path) -> None:
    """A move of which half has arrived is played, clients learn to come back, and no agent delays the end."""
    with served(tmp_path, *FLAGS) as first:
        visitor = Visitor(first)
        searching = visitor.begin("quoridor", "you", "master", preset="5x5", movetime_ms=60_000)
        searching = visitor.move(searching, visitor.legal(searching)[0])
        match = visitor.begin("tictactoe", "you", "you")
        port = int(first.host.rpartition(":")[2])
        cookie = "; ".join(f"{cookie.name}={cookie.value}" for cookie in visitor.client.cookies.jar)
        body = json.dumps({"version": match["version"], "text": "b2"})
        head = f"POST {path(match, 'moves')} HTTP/1.1\r\nHost: {first.host}\r\nCookie: {cookie}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        with visitor.watch(match) as watching, socket.create_connection(("127.0.0.1", port), 60) as moving:
            heard(watching, of_type("state"))
            moving.sendall((head + body[:5]).encode())
            visitor.view(match)  # by now the server has read the half that was sent before
            first.process.send_signal(signal.SIGTERM)
            with pytest.raises(ConnectionClosed) as closed:
                heard(watching, of_type("nothing"))
            moving.sendall(body[5:].encode())
            answer = moving.makefile("rb").read().decode()
        assert answer.startswith("HTTP/1.1 200 OK")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == CloseCode.SERVICE_RESTART
        assert first.process.wait(30) == -signal.SIGTERM
        assert "Traceback" not in first.log()
        visitor.client.close()
    with Database.open(f"sqlite:///{tmp_path / 'data' / 'ludex.db'}") as database:
        assert [len(database.matches.get(one["id"]).record.actions) for one in (match, searching)] == [1, 1]
