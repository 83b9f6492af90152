"""The administrator: who may become one, what only they may do, and that it is kept."""

import json
import re
from pathlib import Path

import httpx
import pytest
from starlette.requests import HTTPConnection

from ludex.learn.runs import Run
from ludex.web.administrators import (
    LINK_SECONDS,
    MOST_SESSIONS,
    SECONDS,
    Administrators,
    LinkSigner,
    WrongToken,
    cookie_name,
)
from tests.web.running import ADMIN_TOKEN, BEARER, RunningServer, http_client, served, server_fixture

DOCUMENT = {"note": "the first of its kind"}
LOGIN = "/api/administrator/login"
NOTE = "/api/runs/{name}/note"
PROXY = {"X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "https"}
"""What a reverse proxy on the same machine adds."""
SITE = "https://play.example.org"
COOKIE = "ludex_administrator_"
"""What the name of the cookie begins with; the port follows."""
TOKEN = "a token"


# A server on 127.0.0.1 as the documentation recommends it behind a proxy.
proxied = server_fixture("--proxies", "127.0.0.1", "--origins", SITE)


@pytest.fixture(scope="module")
def note(proxied: RunningServer) -> str:
    """The address of a run's note, which only the administrator may write."""
    return NOTE.format(name=Run.create(proxied.home / "runs", "tictactoe", "base", "lr: 0.1\n").name)


def visitor(server: RunningServer, address: str) -> httpx.Client:
    return http_client(base_url=server.url, timeout=60, headers=PROXY | {"X-Forwarded-For": address})


def connection(address: str = "192.0.2.1", **headers: str) -> HTTPConnection:
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    return HTTPConnection({"type": "http", "headers": raw, "client": (address, 5), "server": ("127.0.0.1", 8000)})


def logged_in(administrators: Administrators) -> HTTPConnection:
    """A request with the cookie of a new login."""
    _, cookie = administrators.log_in(TOKEN, connection())
    return connection(cookie=f"{cookie_name(connection())}={cookie}")


def test_a_signed_link_ends_and_is_of_its_server_alone() -> None:
    now = [1000.0]
    signer = LinkSigner(b"k" * 32, lambda: now[0])
    token = signer.sign()
    assert signer.is_valid(token)
    assert not LinkSigner(b"l" * 32, lambda: now[0]).is_valid(token)
    end, rest = token.split(".", 1)
    assert not signer.is_valid(f"{int(end) + 1}.{rest}")
    assert not any(signer.is_valid(text) for text in ("", ".", "..", "é.é.é"))
    now[0] += LINK_SECONDS
    assert not signer.is_valid(token)


def test_visitors_behind_a_proxy_are_no_administrators(proxied: RunningServer) -> None:
    with visitor(proxied, "198.51.100.7") as client:
        for answer in (
            client.put(NOTE.format(name="any"), json=DOCUMENT),
            client.get("/metrics"),
            client.get("/api/administrator/audit"),
        ):
            assert (answer.status_code, answer.json()["code"]) == (403, "administrator_only")
            assert "LUDEX_ADMIN_TOKEN" in answer.json()["message"]
            assert "login link" in answer.json()["message"]


def test_the_login_link_works_once_and_all_is_kept(proxied: RunningServer, note: str) -> None:
    link = proxied.login_link
    path, _, token = link.removeprefix(SITE).partition("#")
    assert path == "/administrator"
    with visitor(proxied, "198.51.100.8") as client, visitor(proxied, "198.51.100.9") as other:
        assert client.get(path).status_code == 200
        assert client.get("/api/administrator").json() == {"administrator": False, "token": True}
        answer = client.post(LOGIN, json={"token": token})
        assert answer.json() == {"administrator": True, "token": True}
        (cookie,) = [one for one in answer.headers.get_list("set-cookie") if one.startswith(COOKIE)]
        assert {"HttpOnly", "SameSite=strict", "Secure"} <= {*cookie.split("; ")}
        used = other.post(LOGIN, json={"token": token})
        assert (used.status_code, used.json()["code"]) == (403, "wrong_token")
        assert other.get("/metrics").status_code == 403
        # The cookie is for https alone, which this client does not speak.
        held = {"Cookie": cookie.partition(";")[0]}
        assert client.get("/api/administrator", headers=held).json()["administrator"]
        assert client.get("/metrics", headers=held).status_code == 200
        assert client.put(note, json=DOCUMENT, headers=held).status_code == 200
        refused = client.put(note, json=DOCUMENT, headers=held | {"Origin": "https://evil.example"})
        assert (refused.status_code, refused.json()["code"]) == (403, "wrong_origin")
        entries = client.get("/api/administrator/audit", headers=held).json()["entries"]
        assert [(entry["action"], entry["subject"], entry["address"]) for entry in entries[:2]] == [
            ("write note", note.split("/")[3], "198.51.100.8"),
            ("log in", "", "198.51.100.8"),
        ]
        ended = client.post("/api/administrator/logout", headers=held)
        assert not ended.json()["administrator"]
        assert any("Max-Age=0" in one for one in ended.headers.get_list("set-cookie") if one.startswith(COOKIE))
        assert client.get("/metrics", headers=held).status_code == 403, "a copy of the cookie is an administrator's"
    lines = [json.loads(line) for line in proxied.logged('"log out"').splitlines() if line.startswith("{")]
    assert {line["action"] for line in lines if line["event"] == "administrator"} == {
        "log in",
        "write note",
        "log out",
    }
    assert token not in proxied.log()


def test_the_token_of_the_server_logs_in(proxied: RunningServer) -> None:
    with visitor(proxied, "198.51.100.10") as client:
        assert client.post(LOGIN, json={"token": ADMIN_TOKEN}).json()["administrator"]
        assert client.get("/metrics", headers=BEARER).status_code == 200
        assert client.get("/metrics", headers={"Authorization": "Bearer wrong"}).status_code == 403


def test_guesses_are_limited(proxied: RunningServer) -> None:
    with visitor(proxied, "198.51.100.11") as client:
        answers = [client.post(LOGIN, json={"token": f"guess {number}"}) for number in range(8)]
        assert [answer.status_code for answer in answers][-2:] == [429, 429]
        assert int(answers[-1].headers["Retry-After"]) > 0
        assert client.get("/metrics", headers={"Authorization": "Bearer guess"}).status_code == 429
        # Not even the right token is taken now, and a guesser keeps no other person out.
        assert client.post(LOGIN, json={"token": ADMIN_TOKEN}).status_code == 429
        assert client.get("/metrics", headers=BEARER).status_code == 429
    with visitor(proxied, "198.51.100.12") as other:
        assert other.post(LOGIN, json={"token": ADMIN_TOKEN}).status_code == 200
        (failed,) = re.findall(r"ludex_failed_logins_total (\d+)", other.get("/metrics", headers=BEARER).text)
    lines = [json.loads(line) for line in proxied.log().splitlines() if '"login failed"' in line]
    # Six guesses, and those of other tests.
    assert sum(line["address"] == "198.51.100.11" for line in lines) == 6
    assert int(failed) == len(lines)


@pytest.mark.slow
def test_a_server_without_a_token_says_so(tmp_path: Path) -> None:
    with served(tmp_path, "--workers", "1", LUDEX_ADMIN_TOKEN="") as server, server.client() as client:
        assert client.get("/api/administrator").json() == {"administrator": False, "token": False}
        assert client.get("/metrics", headers={"Authorization": "Bearer None"}).status_code == 403


def test_a_link_expires() -> None:
    now = [0.0]
    administrators = Administrators(None, lambda: now[0])
    first, second = (administrators.new_link().partition("#")[2] for _ in range(2))
    now[0] = LINK_SECONDS - 1
    assert administrators.log_in(first, connection())[0].login.startswith("link-")
    now[0] = LINK_SECONDS
    with pytest.raises(WrongToken, match="used or expired"):
        administrators.log_in(second, connection())


def test_a_cookie_is_known_to_the_server_that_gave_it_until_its_end() -> None:
    now = [0.0]
    administrators, other = (Administrators(TOKEN, lambda: now[0]) for _ in range(2))
    request = logged_in(administrators)
    assert administrators.find(request) is not None
    assert other.find(request) is None, "it has the same token"
    assert administrators.find(connection()) is None
    now[0] = SECONDS
    assert administrators.find(request) is None


def test_a_logout_revokes_one_login() -> None:
    administrators = Administrators(TOKEN)
    first, second = logged_in(administrators), logged_in(administrators)
    administrators.log_out(first)
    assert administrators.find(first) is None
    assert administrators.find(second) is not None


def test_the_oldest_login_ends_for_a_new_one() -> None:
    administrators = Administrators(TOKEN)
    first, *others = [logged_in(administrators) for _ in range(MOST_SESSIONS + 1)]
    assert administrators.find(first) is None
    assert all(administrators.find(request) is not None for request in others)


def test_the_cookies_of_two_ports_have_two_names() -> None:
    other = HTTPConnection({"type": "http", "headers": [], "server": ("127.0.0.1", 8001)})
    assert (cookie_name(connection()), cookie_name(other)) == (f"{COOKIE}8000", f"{COOKIE}8001")
