"""A match survives `kill -9` of its server, and two servers on one database show the same match."""

import json
import random
import signal
import socket
import sqlite3
import time
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from tests.web.playing import GENEROUS, Visitor, path
from tests.web.routes.test_live import at_ply, heard, of_type
from tests.web.running import RunningServer, served

pytestmark = pytest.mark.slow

FLAGS = (*GENEROUS, "--workers", "1")
SECRET = "a secret of thirty-two characters"


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.full)])
def test_a_match_goes_on_after_kill_9(tmp_path: Path, seed: int) -> None:
    """Killed at random moments of a machine's thinking: nothing that was answered is lost, the seat is still ours."""
    choice = random.Random(seed)
    server = RunningServer(tmp_path, *FLAGS)
    visitor = Visitor(server)
    try:
        match = visitor.begin("quoridor", "you", "master", preset="5x5", movetime_ms=400)
        known = match["moves"]
        for _ in range(3):
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


def test_a_socket_alone_wakes_the_machine_after_a_restart(tmp_path: Path) -> None:
    with served(tmp_path, *FLAGS) as first:
        visitor = Visitor(first)
        match = visitor.begin("quoridor", "you", "master", preset="5x5", movetime_ms=3000)
        visitor.move(match, "c2")
        first.kill()
    with served(tmp_path, *FLAGS) as second:
        with visitor.move_to(second).watch(match) as watching:
            state = json.loads(watching.recv(timeout=60))["match"]
            assert (state["plies"], state["thinking"]) == (1, True)
            assert heard(watching, at_ply(2))["match"]["can"]["move"]
        visitor.client.close()


def test_a_match_with_a_machine_that_is_gone_is_shown_and_goes_on_with_another(tmp_path: Path) -> None:
    with served(tmp_path, *FLAGS) as older:
        visitor = Visitor(older)
        match = visitor.begin("tictactoe", "you", "perfect")
    with sqlite3.connect(tmp_path / "data" / "ludex.db") as database:
        database.execute("UPDATE matches SET agents = ?", (json.dumps(["you", "gone"]),))
    with served(tmp_path, *FLAGS) as newer:
        with visitor.move_to(newer).watch(match) as socket:
            match = visitor.move(visitor.view(match), "b2")
            problem = heard(socket, of_type("fault"))["problem"]
        assert problem["code"] == "unknown_agent"
        assert (
            "unknown agent of tictactoe: 'gone'; known: ranking, perfect, tactical, mcts, minimax, random, zero"
            in problem["message"]
        )
        assert [move["text"] for move in visitor.view(match)["moves"]] == ["b2"]
        answer = visitor.ask("POST", path(match, "fork"), {"ply": 1, "seats": ["you", "perfect"]})
        assert visitor.on_turn(answer.json())["plies"] == 2
        visitor.client.close()


def test_two_servers_show_the_same_match(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'shared.db'}"
    flags, shared = (*FLAGS, "--database", database), {"LUDEX_SECRET": SECRET}
    with served(tmp_path / "one", *flags, **shared) as one, served(tmp_path / "two", *flags, **shared) as two:
        ann = Visitor(one)
        bob = Visitor(two)
        match = ann.begin("tictactoe", "you", "open")
        token = ann.ask("POST", f"/api/matches/{match['id']}/invitation").json()["path"].partition("=")[2]
        with ann.watch(match) as left, bob.watch(match) as right:
            assert heard(right, at_ply(0))["match"]["id"] == match["id"]
            bob.ask("POST", f"/api/matches/{match['id']}/join", {"invitation": token})
            state = heard(left, lambda message: message["type"] == "state" and message["match"]["version"] == 2)[
                "match"
            ]
            for ply, text in enumerate(("a1", "b1", "a2", "b2", "a3")):
                mover = (ann, bob)[ply % 2]
                state = mover.move(mover.view(state), text)
                for socket in (left, right):
                    seen = heard(socket, at_ply(ply + 1))["match"]
                    assert [move["text"] for move in seen["moves"]][-1] == text
        assert ann.view(match)["status"] == "You win by line."
        assert bob.view(match)["status"] == "Player 1 wins by line."
        stale = {"version": 3, "text": "c3"}
        assert bob.ask("POST", f"/api/matches/{match['id']}/moves", stale).json()["code"] in {
            "game_over",
            "stale_match",
        }
        ann.client.close()
        bob.client.close()


def test_of_two_servers_that_think_one_plays(tmp_path: Path) -> None:
    """Both search the same position; the match gets one answer and goes on."""
    database = f"sqlite:///{tmp_path / 'shared.db'}"
    flags, shared = (*FLAGS, "--database", database), {"LUDEX_SECRET": SECRET}
    with served(tmp_path / "one", *flags, **shared) as one, served(tmp_path / "two", *flags, **shared) as two:
        ann = Visitor(one)
        bob = Visitor(two)
        match = ann.begin("quoridor", "walker", "walker", preset="5x5", movetime_ms=50)
        with ann.watch(match) as left, bob.watch(match) as right:
            ends = [
                heard(socket, lambda message: message["type"] == "state" and not message["match"]["live"])["match"]
                for socket in (left, right)
            ]
        assert ends[0]["moves"] == ends[1]["moves"]
        assert ends[0]["outcome"] == ends[1]["outcome"]
        ann.client.close()
        bob.client.close()


def test_sigterm_lets_requests_finish_and_the_next_server_goes_on(tmp_path: Path) -> None:
    """A move of which half has arrived is played, clients learn to come back, and no agent delays the end."""
    with served(tmp_path, *FLAGS) as first:
        visitor = Visitor(first)
        thinking = visitor.begin("quoridor", "you", "master", preset="5x5", movetime_ms=60_000)
        thinking = visitor.move(thinking, visitor.legal(thinking)[0])
        match = visitor.begin("tictactoe", "you", "you")
        port = int(first.host.rpartition(":")[2])
        cookie = "; ".join(f"{one.name}={one.value}" for one in visitor.client.cookies.jar)
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
    with served(tmp_path, *FLAGS) as second:
        visitor.move_to(second)
        assert [move["text"] for move in visitor.view(match)["moves"]] == ["b2"]
        assert visitor.view(thinking)["thinking"]
        visitor.client.close()
