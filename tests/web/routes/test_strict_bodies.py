"""Bodies of requests are read strictly, whatever they are for."""

import json

import pytest

import ludex
from ludex.core.record import match_file
from ludex.web.answers import StrictRoute
from tests.web.playing import Visitor, api_routes
from tests.web.running import BEARER

DEEP = json.dumps({"kind": "train", "game": "tictactoe", "changes": {"games": 0}}).replace(
    "0", f"{'[' * 700}{']' * 700}"
)
MATCH = match_file(ludex.Match(ludex.make("tictactoe"), seed=1), ("you", "you"))


def test_every_route_with_a_body_reads_it_strictly() -> None:
    routes = [route for route in api_routes() if route.body_field]
    assert len(routes) > 5
    assert [route.path for route in routes if not isinstance(route, StrictRoute)] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "address", "body"),
    [
        ("POST", "/api/matches/import", MATCH),
        ("POST", "/api/matches", json.dumps({"game": "tictactoe", "seats": ["you", "you"]})),
        ("PUT", "/api/runs/none/note", "{}"),
        ("POST", "/api/administrator/login", json.dumps({"token": "no token of this server"})),
    ],
)
@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda body: body.replace("{", '{"twice": 1, "twice": 2, ', 1).replace(", }", "}"), "'twice' is given twice"),
        (lambda body: f"\ufeff{body}", "byte-order mark"),
        (lambda body: body.encode("utf-16"), "not valid JSON"),
    ],
)
def test_a_body_that_json_would_guess_at_is_refused(
    ann: Visitor, method: str, address: str, body: str, change: "object", complaint: str
) -> None:
    assert callable(change)
    headers = {"Content-Type": "application/json", **BEARER}
    answer = ann.client.request(method, address, content=change(body), headers=headers)
    assert answer.status_code in (400, 422), answer.text
    assert complaint in answer.json()["message"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "address", "body", "complaint"),
    [
        ("PUT", "/api/me/nickname", json.dumps(dict.fromkeys(map(str, range(5_000)))), "1,000 keys"),
        ("POST", "/api/matches/import", json.dumps({"moves": [[]] * 100_000}), "65,536 values"),
        ("POST", "/api/jobs", DEEP, "nested too deeply"),
        ("PUT", "/api/me/nickname", json.dumps({"x" * 100_000: 1}), "nickname: Field required"),
    ],
)
def test_a_body_that_costs_more_than_it_says_is_refused_in_few_words(
    ann: Visitor, method: str, address: str, body: str, complaint: str
) -> None:
    headers = {"Content-Type": "application/json", **BEARER}
    answer = ann.client.request(method, address, content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_request")
    assert complaint in answer.json()["message"]
    assert len(answer.content) < 20_000


@pytest.mark.slow
def test_a_message_of_a_websocket_is_read_strictly(ann: Visitor) -> None:
    match = ann.begin("tictactoe", "you", "you")
    with ann.watch(match) as socket:
        for text in ('{"type": "ping", "type": "cancel"}', '\ufeff{"type": "ping"}', "{"):
            socket.send(text)
            while (message := json.loads(socket.recv(timeout=60)))["type"] != "fault":
                continue
            assert (message["problem"]["code"], message["problem"]["message"][:14]) == ("bad_request", "not valid JSON")
