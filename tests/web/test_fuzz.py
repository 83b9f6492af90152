"""Nonsense over the WebSocket and over HTTP: the server answers, hangs up, and lives."""

import json
import random
import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.waiting import PATIENCE, until
from tests.web.playing import GENEROUS
from tests.web.running import RunningServer, server_fixture

pytestmark = pytest.mark.slow

LONGEST = 600
texts = st.one_of(
    st.text(max_size=200),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
        max_leaves=8,
    ).map(json.dumps),
    st.sampled_from(['{"type":', '{"type":"cancel","x":1}', '{"type":null}', '{"type":["ping"]}', "[" * 300, "", "\0"]),
)


fuzzed = server_fixture(
    *(*GENEROUS, "--search-ms", "200", "--matches-per-person", "100000", "--matches-per-hour", "100000"),
    *("--message-bytes", str(LONGEST), "--messages-per-minute", "1000"),
)


@pytest.fixture(scope="module")
def live(fuzzed: RunningServer) -> str:
    with fuzzed.client() as visitor:
        match = visitor.post("/api/matches", json={"game": "tictactoe", "seats": ["you", "open"]}).json()["id"]
    return f"{fuzzed.socket_url}/api/matches/{match}/live"


@pytest.fixture(autouse=True)
def _lives_on(fuzzed: RunningServer, live: str) -> Iterator[None]:
    """After whatever was done to it the server answers, and has met no surprise."""
    yield
    with fuzzed.client() as visitor:
        assert visitor.get("/api/health").status_code == 200
    with connect(live) as watcher:
        assert json.loads(watcher.recv(timeout=PATIENCE))["type"] == "state"
        assert answer(watcher, '{"type": "ping"}') == "pong"
    assert "Traceback" not in fuzzed.log()


def answer(client: ClientConnection, message: str | bytes) -> str:
    """What kind of message comes next, states aside."""
    client.send(message)
    while True:
        kind = json.loads(client.recv(timeout=PATIENCE))["type"]
        if kind != "state":
            return str(kind)


def shake_hands(raw: socket.socket, fuzzed: RunningServer, live: str) -> None:
    """Open a WebSocket by hand."""
    address = live.removeprefix(f"ws://{fuzzed.host}")
    raw.sendall(
        f"GET {address} HTTP/1.1\r\nHost: {fuzzed.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    assert raw.recv(12) == b"HTTP/1.1 101"


def test_nonsense_is_answered_and_the_socket_stays_open(live: str) -> None:
    with connect(live) as client:

        @settings(max_examples=150, suppress_health_check=[*HealthCheck], database=None)
        @given(message=texts | st.binary(max_size=LONGEST))
        def nonsense(message: str | bytes) -> None:
            if len(message.encode() if isinstance(message, str) else message) > LONGEST:
                return
            assert answer(client, message) == "fault"

        nonsense()
        assert answer(client, '{"type": "ping"}') == "pong"


@pytest.mark.parametrize("size", [LONGEST + 1, 100_000, 20_000_000])
def test_a_huge_frame_ends_only_its_own_socket(live: str, size: int) -> None:
    with connect(live) as witness, connect(live) as client:
        with suppress(ConnectionClosed):
            client.send("x" * size)
            while True:
                client.recv(timeout=PATIENCE)
        # The server closes at the first part of a frame that is too long: the client may still be sending the rest.
        assert client.close_code in ((1009,) if size <= 100_000 else (1009, 1006))
        assert answer(witness, '{"type": "ping"}') == "pong"


def test_a_flood_ends_only_its_own_socket(live: str) -> None:
    with connect(live) as witness, connect(live) as client:
        with suppress(ConnectionClosed):
            for _ in range(3000):
                client.send('{"type": "ping"}')
            while True:
                client.recv(timeout=PATIENCE)
        assert (client.close_code, client.close_reason) == (1008, "too_many_messages")
        assert answer(witness, '{"type": "ping"}') == "pong"


def test_raw_garbage_after_the_handshake(fuzzed: RunningServer, live: str) -> None:
    dice = random.Random(5)
    host, _, port = fuzzed.host.partition(":")
    for _ in range(20):
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as raw:
            shake_hands(raw, fuzzed, live)
            with suppress(ConnectionError):
                raw.sendall(dice.randbytes(dice.randrange(1, 400)))


@pytest.mark.parametrize("match", ["one that there is", "one that there is not"])
def test_clients_that_vanish_leave_nothing_behind(fuzzed: RunningServer, live: str, match: str) -> None:
    host, _, port = fuzzed.host.partition(":")
    address = live if match == "one that there is" else live.replace("/live", "x/live")
    for _ in range(30):
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as raw:
            shake_hands(raw, fuzzed, address)
    with fuzzed.administrator() as visitor:
        until(lambda: "\nludex_websocket_clients 0.0\n" in visitor.get("/metrics").text, "the end of the sockets")


CHECKS = [
    schemathesis.checks.not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]


@pytest.mark.slow
@pytest.mark.parametrize("examples", [2, pytest.param(30, marks=pytest.mark.full)])
def test_nothing_unexpected_is_answered(fuzzed: RunningServer, examples: int) -> None:
    """Asks each operation so many times."""
    schema = schemathesis.openapi.from_url(f"{fuzzed.url}/api/openapi.json", timeout=PATIENCE)
    all_operations = list(schema.get_all_operations())
    operations = [operation.ok() for operation in all_operations if isinstance(operation, Ok)]
    assert len(operations) == len(all_operations) >= 20
    with fuzzed.client() as visitor:
        seats = {"game": "tictactoe", "seats": ["you", "open"]}
        known = visitor.post("/api/matches", json=seats).json()["id"]
        for operation in operations:

            @settings(
                max_examples=examples,
                phases=[Phase.explicit, Phase.generate],
                suppress_health_check=[*HealthCheck],
                database=None,
                derandomize=True,
            )
            @given(case=operation.as_strategy(), real=st.booleans())
            def ask(case: Case[Any], real: bool) -> None:
                # Half of the time of a match that exists, or nothing but 404 would ever be seen.
                if real and "match_id" in (case.path_parameters or {}):
                    case.path_parameters["match_id"] = known
                response = case.call(base_url=fuzzed.url, cookies=dict(visitor.cookies))
                case.validate_response(response, checks=CHECKS)

            ask()
    assert httpx.get(f"{fuzzed.url}/api/health").status_code == 200
    assert "Traceback" not in fuzzed.log()
