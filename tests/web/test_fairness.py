"""One visitor who wants everything, and others who still play: limits per address, over a real server."""

import json
from contextlib import ExitStack

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

import ludex
from ludex.core.record import match_file
from tests.waiting import PATIENCE
from tests.web.playing import Visitor, prepare
from tests.web.running import RunningServer, http_client, server_fixture

pytestmark = pytest.mark.slow

ATTACKER = "127.0.0.2"
MATCHES = 12
FLAGS = (
    *("--workers", "2", "--searches-per-address", "2", "--matches-per-address", "14", "--sockets-per-address", "3"),
    *("--sockets-per-person", "2", "--proxies", "127.0.0.9", "--replay-ms", "100"),
)


server = server_fixture(*FLAGS)


def attacker(server: RunningServer, address: str = ATTACKER, **headers: str) -> httpx.Client:
    """Another address, which keeps no cookies and so is a new person with every request."""
    transport = httpx.HTTPTransport(local_address=address, verify=False)
    return http_client(base_url=server.url, transport=transport, timeout=PATIENCE, headers=headers)


def begin(client: httpx.Client, **terms: object) -> httpx.Response:
    answer = client.post("/api/matches", json={"game": "quoridor", "seats": ["master", "you"], **terms})
    client.cookies.clear()
    return answer


def live(server: RunningServer, match: str, address: str = ATTACKER) -> ClientConnection:
    return connect(f"{server.socket_url}/api/matches/{match}/live", source_address=(address, 0))


def test_a_longer_move_time_than_the_server_allows_is_refused(server: RunningServer) -> None:
    with Visitor(server) as visitor:
        body = {"game": "tictactoe", "seats": ["you", "perfect"], "movetime_ms": 600_000}
        problem = visitor.refused(422, "bad_request", "POST", "/api/matches", body)
        assert problem["message"] == "movetime_ms: this server allows 10000 ms per move at most, found 600000"
        match = visitor.begin("tictactoe", "you", "open")
        visitor.refused(422, "bad_request", "POST", f"/api/matches/{match['id']}/analysis", {"movetime_ms": 60_000})


def test_one_address_does_not_monopolise_the_workers(server: RunningServer) -> None:
    prepare(server, "quoridor", "tictactoe")
    with attacker(server) as greedy, Visitor(server) as visitor:
        matches = [begin(greedy, movetime_ms=10_000).json()["id"] for _ in range(MATCHES)]
        # The attacker's own matches wait in line, and say so.
        with live(server, matches[-1]) as socket:
            while (place := json.loads(socket.recv(timeout=PATIENCE)).get("match", {}).get("waiting")) is None:
                continue
            assert 1 <= place <= MATCHES
        match = visitor.begin("tictactoe", "perfect", "you")
        played = visitor.on_turn(match)
        assert played["plies"] == 1
        waiting = [greedy.get(f"/api/matches/{match}").json()["plies"] for match in matches]
        # One worker at most is the attacker's: two of its searches of ten seconds cannot be over yet.
        assert sum(waiting) <= 2
        # Further matches of the address are refused, not those of others.
        codes = {begin(greedy).json().get("code") for _ in range(4)}
        assert "too_many_matches" in codes
        visitor.begin("tictactoe", "you", "open")


def test_one_address_has_so_many_sockets(server: RunningServer) -> None:
    with Visitor(server) as visitor, ExitStack() as stack:
        match = visitor.begin("tictactoe", "you", "open")
        for _ in range(3):
            socket = stack.enter_context(live(server, match["id"]))
            assert json.loads(socket.recv(timeout=PATIENCE))["type"] == "state"
        document = json.loads(stack.enter_context(live(server, match["id"])).recv(timeout=PATIENCE))
        assert document["problem"]["code"] == "too_many_sockets"
        assert "of your address" in document["problem"]["message"]
        with visitor.watch(match) as own:
            assert json.loads(own.recv(timeout=PATIENCE))["type"] == "state"


def test_an_address_is_believed_from_a_trusted_proxy_only(server: RunningServer) -> None:
    """X-Forwarded-For gives a new address to a proxy's visitors, and none to anybody else."""
    match = {"game": "tictactoe", "seats": ["you", "open"]}
    refused = []
    for address in ("127.0.0.3", "127.0.0.9"):
        codes = set()
        with attacker(server, address) as client:
            for number in range(16):
                forwarded = {"X-Forwarded-For": f"192.0.2.{number}"}
                answer = client.post("/api/matches", json=match, headers=forwarded)
                client.cookies.clear()
                codes.add(answer.status_code)
        refused.append(429 in codes)
    assert refused == [True, False]


def test_an_import_that_takes_long_to_replay_is_refused(server: RunningServer) -> None:
    game = ludex.make("minesweeper", "expert:rows=64:cols=64:mines=600")
    match = ludex.Match(game, seed=1)
    while not match.over:
        match.play(4096 + match.ply % 4096)  # flags alone, on and off
    body = json.loads(match_file(match, ("you",)))
    with Visitor(server) as visitor:
        visitor.begin("minesweeper", "you")
        problem = visitor.refused(422, "bad_request", "POST", "/api/matches/import", body)
        assert problem["message"] == "the file: this server replays a match for 100 ms at most, and this takes longer"
