"""Crowds that load a server: everybody plays, and what they met is judged."""

import asyncio
import socket
import subprocess
import sys
import threading

import pytest

from benchmarks.documents import ROOT
from benchmarks.web_load import people
from benchmarks.web_load.crowd import Crowd, cards_of, figures, seatings
from benchmarks.web_load.people import Experience
from tests.web.conftest import home, server
from tests.web.running import RunningServer

__all__ = ["home", "server"]


def test_every_machine_is_played() -> None:
    cards = [
        {"id": "one", "players": 1, "presets": ["small"], "agents": [{"name": "solver", "presets": None}]},
        {
            "id": "two",
            "players": 2,
            "presets": ["a", "b"],
            "agents": [
                {"name": "easy", "presets": None},
                {"name": "hard", "presets": ["b"]},
                {"name": "own", "presets": []},
            ],
        },
    ]
    pairs, machines = seatings(cards)
    assert [(plan.game, plan.seats) for plan in pairs] == [("two", ("you", "open"))]
    assert {(plan.game, plan.preset, plan.seats) for plan in machines} == {
        ("one", "small", ("you",)),
        ("two", "a", ("easy", "you")),
        ("two", "b", ("you", "hard")),
    }


@pytest.mark.parametrize(
    ("met", "holds"),
    [
        (Experience(moves=[10.0] * 20), True),
        (Experience(moves=[10.0] * 20, lines={1: [20.0], 2: [900.0]}), True),
        (Experience(), False),
        (Experience(moves=[10.0] * 18 + [200.0] * 2), False),
        (Experience(moves=[10.0] * 20, lines={1: [20.0], 2: [900.0, 1200.0]}), False),
    ],
)
def test_a_crowd_is_held_or_not(met: Experience, holds: bool) -> None:
    assert figures(met, 1.0)["holds"] is holds


def test_a_fault_is_no_success() -> None:
    met = Experience(moves=[10.0] * 20)
    met.faults["agent_fault"] += 1
    assert not figures(met, 1.0)["holds"]


@pytest.mark.full
@pytest.mark.slow
def test_a_small_crowd_plays_and_loses_nothing(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "THINKING_SECONDS", (0.0, 0.05))

    async def play() -> dict[str, int]:
        crowd = Crowd(server.url, 4, cards_of(server.url))
        met = crowd.met

        async def enough() -> None:
            while len(met.moves) < 6 or not met.waits:
                await asyncio.sleep(0.05)
            crowd.stop.set()

        found = await crowd.play(120, enough)
        assert not met.faults
        return found

    found = asyncio.run(play())
    assert found["acknowledged"] >= 6
    assert found["lost"] == 0


@pytest.mark.slow
def test_the_proxy_passes_by_a_server_that_is_gone() -> None:
    with socket.create_server(("127.0.0.1", 0)) as alive, socket.create_server(("127.0.0.1", 0)) as gone:
        ports = [one.getsockname()[1] for one in (gone, alive)]
        gone.close()

        def answer() -> None:
            for _ in range(2):
                connection, _address = alive.accept()
                with connection:
                    connection.sendall(connection.recv(100).upper())

        thread = threading.Thread(target=answer)
        thread.start()
        command = [sys.executable, "-m", "benchmarks.web_load.proxy", *map(str, ports)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as proxy:
            assert proxy.stdout is not None
            port = int(proxy.stdout.readline())
            for _ in range(2):
                with socket.create_connection(("127.0.0.1", port), 60) as client:
                    client.sendall(b"hello")
                    assert client.makefile("rb").read() == b"HELLO"
            thread.join()
            proxy.terminate()
