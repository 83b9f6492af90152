"""Two servers on one PostgreSQL show the same matches; on SQLite: test_restart.py."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.sync.client import ClientConnection

from tests.postgres import Cluster
from tests.web.playing import GENEROUS, View, Visitor, path
from tests.web.running import RunningServer, served

pytestmark = pytest.mark.full

SECRET = "both servers know it"


@pytest.fixture
def pair(postgres: Cluster, tmp_path: Path) -> Iterator[tuple[RunningServer, RunningServer]]:
    terms = {"LUDEX_DB": postgres.new_database(), "LUDEX_SECRET": SECRET}
    flags = (*GENEROUS, "--workers", "1")
    with served(tmp_path / "a", *flags, **terms) as first, served(tmp_path / "b", *flags, **terms) as second:
        yield first, second


def test_two_servers_show_the_same_matches_and_moves(pair: tuple[RunningServer, RunningServer]) -> None:
    first, second = pair
    with Visitor(first) as ann, Visitor(second) as bob:
        match = ann.begin("tictactoe", "you", "open")
        invitation = ann.ask("POST", path(match, "invitation")).json()["path"].rpartition("invitation=")[2]
        joined = bob.ask("POST", path(match, "join"), {"invitation": invitation})
        assert joined.status_code == 200, joined.text
        match = bob.view(match)
        with ann.watch(match) as at_first, bob.watch(match) as at_second:
            for number, text in enumerate(["b2", "a1", "a2", "c2", "a3"]):
                mover = (ann, bob)[number % 2]
                match = mover.move(mover.view(match), text)
                for socket in (at_first, at_second):
                    assert _heard(socket, number + 1)["moves"] == match["moves"]
        # A move decided on an old version is stale wherever it is made.
        stale = {"version": match["version"] - 1, "text": "c3"}
        for server in (second, first):
            bob.move_to(server).refused(409, "stale_match", "POST", path(match, "moves"), stale)
        assert _listed(ann) == _listed(bob) == [match["id"]]
        # A person is the same at both.
        match = bob.move(bob.view(match), "c3")
        match = ann.move_to(second).view(match)
        assert (match["plies"], [seat["you"] for seat in match["seats"]]) == (6, [True, False])


def test_the_other_server_goes_on_when_one_is_killed(pair: tuple[RunningServer, RunningServer]) -> None:
    first, second = pair
    with Visitor(first) as ann:
        match = ann.begin("tictactoe", "you", "perfect")
        match = ann.move(match, "b2")
        first.kill()
        match = ann.move_to(second).on_turn(match)
        assert match["plies"] == 2
        assert match["moves"][0]["text"] == "b2"


def _heard(socket: ClientConnection, plies: int) -> View:
    """The match as a socket sends it once so many moves were played."""
    while True:
        message = json.loads(socket.recv(timeout=60))
        if message["type"] == "state" and message["match"]["plies"] == plies:
            return dict(message["match"])


def _listed(visitor: Visitor) -> list[str]:
    return [line["id"] for line in visitor.ask("GET", "/api/matches").json()["matches"]]
