"""What stands between the network and the app, over real HTTP and real WebSockets."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from socket import create_connection
from typing import Any

import httpx
import pytest
from websockets import Origin
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from ludex.web.app import SMALL_ANSWER
from ludex.web.seats import COOKIE
from ludex.web.security.headers import HEADERS
from tests.web.running import BEARER, RunningServer, served, server_fixture

pytestmark = pytest.mark.slow

LIMITS = (
    *("--body-bytes", "2000", "--messages-per-minute", "20", "--message-bytes", "600"),
    *("--searches-per-person", "1", "--searches-waiting", "1"),
    *("--sockets-per-person", "2", "--sockets", "3"),
)


# It has small limits, and is called from another origin too.
server = server_fixture(*LIMITS, LUDEX_ORIGINS="https://play.example.org")


def begun(visitor: httpx.Client, **changes: Any) -> dict[str, Any]:
    answer = visitor.post("/api/matches", json={"game": "tictactoe", "seats": ["you", "open"], **changes})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/api/health", 200),
        ("GET", "/static/main.js", 200),
        ("GET", "/static/nothing.js", 404),
        ("GET", "/api/nothing", 404),
        ("DELETE", "/api/health", 405),
        ("POST", "/api/matches", 422),
        ("GET", "/metrics", 403),
    ],
)
def test_every_response_is_guarded(visitor: httpx.Client, method: str, path: str, status: int) -> None:
    answer = visitor.request(method, path)
    assert answer.status_code == status
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert "server" not in answer.headers


def test_refusals_are_guarded_too(visitor: httpx.Client) -> None:
    answer = visitor.post("/api/matches", json={}, headers={"Origin": "http://evil.example"})
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert answer.headers["X-Request-ID"]


def test_what_a_person_sees_is_not_cached(visitor: httpx.Client) -> None:
    assert visitor.get("/api/games").headers["Cache-Control"] == "no-store"


def test_long_answers_are_compressed_and_those_of_a_move_are_not(visitor: httpx.Client) -> None:
    schema = visitor.get("/api/openapi.json")
    assert (len(schema.content) > SMALL_ANSWER, schema.headers["Content-Encoding"]) == (True, "gzip")
    match = begun(visitor)
    answer = visitor.get(f"/api/matches/{match['id']}")
    assert (len(answer.content) < SMALL_ANSWER, answer.headers.get("Content-Encoding")) == (True, None)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "nonsense", "http://["])
def test_pages_of_other_sites_change_nothing(server: RunningServer, visitor: httpx.Client, origin: str) -> None:
    body = {"game": "tictactoe", "seats": ["you", "open"]}
    answer = visitor.post("/api/matches", json=body, headers={"Origin": origin})
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_origin")
    answer = visitor.post("/api/matches", json=body, headers={"Sec-Fetch-Site": "cross-site"})
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_origin")
    # Reading is harmless: the browser does not let the other page see the answer.
    assert visitor.get("/api/health", headers={"Origin": origin}).status_code == 200
    match = begun(visitor)
    with (
        pytest.raises(InvalidStatus) as error,
        connect(f"{server.socket_url}/api/matches/{match['id']}/live", origin=Origin(origin)),
    ):
        pass
    assert error.value.response.status_code == 403


def test_our_own_page_may_do_everything(server: RunningServer, visitor: httpx.Client) -> None:
    answer = visitor.post(
        "/api/matches",
        json={"game": "tictactoe", "seats": ["you", "open"]},
        headers={"Origin": server.url, "Sec-Fetch-Site": "same-origin"},
    )
    assert answer.status_code == 201
    with connect(f"{server.socket_url}/api/matches/{answer.json()['id']}/live", origin=Origin(server.url)) as socket:
        assert json.loads(socket.recv())["type"] == "state"


def test_a_name_that_points_here_is_not_ours(server: RunningServer, visitor: httpx.Client) -> None:
    for host in ("evil.example", "evil.example:8000", "127.0.0.1.evil.example", "[", ""):
        answer = visitor.get("/api/health", headers={"Host": host})
        assert (answer.status_code, answer.json()["code"]) == (403, "wrong_host")
    for host in ("localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:9"):
        assert visitor.get("/api/health", headers={"Host": host}).status_code == 200


def test_long_bodies_are_refused(server: RunningServer, visitor: httpx.Client) -> None:
    long = json.dumps({"game": "x" * 3000}).encode()
    typed = {"Content-Type": "application/json"}

    def in_chunks() -> Iterator[bytes]:
        for start in range(0, len(long), 100):
            yield long[start : start + 100]

    for content in (long, in_chunks()):
        answer = visitor.post("/api/matches", content=content, headers=typed)
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    # A request that only declares a long body is refused at once.
    host, _, port = server.host.partition(":")
    with create_connection((host, int(port)), timeout=10) as raw:
        raw.sendall(
            b"POST /api/matches HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            b"Content-Length: 9999999999\r\n\r\n{"
        )
        assert raw.recv(12) == b"HTTP/1.1 413"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_bodies_are_json(visitor: httpx.Client, kind: str) -> None:
    answer = visitor.post("/api/matches", content=b"{}", headers={"Content-Type": kind})
    assert (answer.status_code, answer.json()["code"]) == (415, "not_json")


def test_request_ids_are_kept_if_sane_and_are_in_the_log(server: RunningServer, visitor: httpx.Client) -> None:
    assert visitor.get("/api/health", headers={"X-Request-ID": "a-Sane_id.7"}).headers["X-Request-ID"] == "a-Sane_id.7"
    for strange in ("with space", "x" * 65, '"quoted"', "new\tline"):
        answer = visitor.get("/api/health", headers={"X-Request-ID": strange}).headers["X-Request-ID"]
        assert answer != strange
        assert len(answer) == 16
    lines = [json.loads(line) for line in server.logged("a-Sane_id.7").splitlines() if line.startswith("{")]
    (line,) = [line for line in lines if line.get("request_id") == "a-Sane_id.7"]
    assert (line["event"], line["method"], line["path"], line["status"]) == ("request", "GET", "/api/health", 200)
    assert line["ms"] >= 0


def test_the_log_knows_no_addresses_cookies_or_invitations(tmp_path: Path) -> None:
    with served(tmp_path, "--workers", "1") as server, server.client() as visitor:
        cookie = visitor.get("/").cookies[COOKIE]
        match = begun(visitor)
        invited = visitor.post(f"/api/matches/{match['id']}/invitation").json()["path"]
        invitation = invited.partition("=")[2]
        assert visitor.get(invited).status_code == 200
        visitor.post(f"/api/matches/{match['id']}/join", json={"invitation": invitation})
        own = {"Cookie": f"{COOKIE}={cookie}"}
        with connect(f"{server.socket_url}/api/matches/{match['id']}/live", additional_headers=own) as socket:
            socket.recv(timeout=10)
        assert visitor.get("/api/health", headers={"X-Request-ID": "the-last"}).status_code == 200
        log = server.logged("the-last")
    lines = [json.loads(line) for line in log.splitlines() if "the-last" in line]
    assert len(lines) == 1
    assert f"/api/matches/{match['id']}" in log
    for secret in ("127.0.0.1", cookie, cookie.partition(".")[0], invitation, "?"):
        assert secret not in log


def test_metrics_name_routes_and_no_match(server: RunningServer, visitor: httpx.Client) -> None:
    match = begun(visitor)
    for number in range(3):
        visitor.get(f"/api/matches/{match['id']}")
        visitor.get(f"/api/matches/nobody{number}")
    played = visitor.post(f"/api/matches/{match['id']}/moves", json={"version": match["version"], "text": "b2"})
    assert played.status_code == 200
    answer = visitor.post(f"/api/matches/{match['id']}/moves", json={"version": match["version"] + 1, "text": "zz"})
    assert answer.status_code in (403, 422)
    assert visitor.request("PROPFIND", "/api/health").status_code == 405
    text = visitor.get("/metrics", headers=BEARER).text
    assert "PROPFIND" not in text
    assert match["id"] not in text
    assert "nobody" not in text
    assert 'ludex_request_seconds_count{method="GET",route="/api/matches/{match_id}",status="200"}' in text
    assert 'ludex_moves_total{agent="person",game="tictactoe"}' in text
    for name in ("active_matches", "websocket_clients", "searches_running", "workers_replaced_total"):
        assert f"\nludex_{name} " in text


def test_one_person_has_so_many_searches(server: RunningServer) -> None:
    with server.client() as visitor, ThreadPoolExecutor(4) as threads:
        match = begun(visitor, game="quoridor", preset="5x5", seats=["you", "you"])
        request = {"agent": "master", "movetime_ms": 1500}

        def analysed(client: httpx.Client) -> httpx.Response:
            return client.post(f"/api/matches/{match['id']}/analysis", json=request)

        answers = [*threads.map(analysed, [visitor] * 3)]
        codes = sorted(answer.status_code for answer in answers)
        assert codes == [200, 429, 429]
        for answer in answers:
            if answer.status_code == 429:
                assert answer.json()["code"] == "too_busy"
                assert int(answer.headers["Retry-After"]) >= 1
        # In all, over all people: one running, one waiting.
        with server.client() as second, server.client() as third:
            answers = [*threads.map(analysed, [visitor, second, third])]
        assert sorted(answer.status_code for answer in answers) == [200, 200, 429]


def test_sockets_are_few(server: RunningServer) -> None:
    with server.client() as visitor:
        match = begun(visitor)
        cookie = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
        url = f"{server.socket_url}/api/matches/{match['id']}/live"
        own = {"Cookie": cookie}
        with connect(url, additional_headers=own) as first, connect(url, additional_headers=own) as second:
            for socket in (first, second):
                assert json.loads(socket.recv())["type"] == "state"
            with connect(url, additional_headers=own) as third:
                assert json.loads(third.recv())["problem"]["code"] == "too_many_sockets"
            with connect(url) as stranger:
                assert json.loads(stranger.recv())["type"] == "state"
                with connect(url) as one_too_many:
                    assert json.loads(one_too_many.recv())["problem"]["code"] == "too_many_sockets"


def test_an_address_asks_so_often(tmp_path_factory: pytest.TempPathFactory) -> None:
    home = tmp_path_factory.mktemp("rate")
    with (
        served(home, "--workers", "1", "--burst", "5", "--requests-per-minute", "2") as server,
        server.client() as visitor,
    ):
        answers = [visitor.get("/api/health") for _ in range(6)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429]
        refused = answers[-1]
        assert refused.json()["code"] == "too_many_requests"
        assert 1 <= int(refused.headers["Retry-After"]) <= 30
        assert {name: refused.headers[name] for name in HEADERS} == HEADERS
        # A new cookie is no new address, and a claim to be another one is not believed.
        with server.client() as again:
            assert again.get("/api/health", headers={"X-Forwarded-For": "192.0.2.1"}).status_code == 429
            # Pages, files and numbers are counted apart.
            assert again.get("/").status_code == 200
            assert again.get("/metrics", headers=BEARER).status_code == 200
        with pytest.raises(InvalidStatus) as closed, connect(f"{server.socket_url}/api/matches/nobody/live"):
            pass
        assert closed.value.response.status_code == 429
        assert server.end() == 0


def test_origins_and_hosts_named_in_the_settings_may_call(visitor: httpx.Client) -> None:
    body = {"game": "tictactoe", "seats": ["you", "open"]}
    friend = {"Origin": "https://play.example.org"}
    assert visitor.post("/api/matches", json=body, headers=friend).status_code == 201
    proxied = {**friend, "Host": "play.example.org"}
    assert visitor.post("/api/matches", json=body, headers=proxied).status_code == 201
    other = {"Origin": "https://other.example.org"}
    assert visitor.post("/api/matches", json=body, headers=other).status_code == 403
