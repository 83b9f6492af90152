"""The documentation at /docs/: served with a policy that allows the scripts of each page and no other."""

import asyncio
import base64
import hashlib
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from ludex.core.errors import BadOption
from ludex.web.routes import documentation
from ludex.web.security.headers import HEADERS, POLICY, SecurityHeaders
from ludex.web.settings import Settings

FIRST = 'var a = "b"'
PAGE = f'<!doctype html><script>{FIRST}</script><script src="x.js"></script><script>run()</script>'


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "play").mkdir()
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "play" / "index.html").write_text(PAGE.replace("run()", "walk()"))
    (tmp_path / "x.js").write_text("1")
    return tmp_path


@pytest.fixture
def app(site: Path) -> FastAPI:
    made = FastAPI()
    documentation.install(made, Settings(docs=str(site)))
    made.add_middleware(SecurityHeaders)
    return made


def get(app: FastAPI, path: str, encoding: str = "gzip", **headers: str) -> httpx.Response:
    async def answer() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://ludex") as client:
            return await client.get(path, headers={"Accept-Encoding": encoding, **headers})

    return asyncio.run(answer())


def hashed(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


@pytest.mark.parametrize(("path", "script"), [("/docs/", "run()"), ("/docs/play/", "walk()")])
@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_a_page_may_run_the_scripts_that_are_written_in_it(app: FastAPI, path: str, script: str, encoding: str) -> None:
    answer = get(app, path, encoding)
    policy = answer.headers["Content-Security-Policy"]
    assert answer.status_code == 200
    assert policy == POLICY.replace("script-src 'self'", f"script-src 'self' {hashed(FIRST)} {hashed(script)}")
    others = {name: value for name, value in HEADERS.items() if name != "Content-Security-Policy"}
    assert {name: answer.headers[name] for name in others} == others


def test_a_page_that_did_not_change_keeps_its_policy(app: FastAPI) -> None:
    first = get(app, "/docs/")
    again = get(app, "/docs/", **{"If-None-Match": first.headers["etag"]})
    assert (first.status_code, again.status_code) == (200, 304)
    assert again.headers["Content-Security-Policy"] == first.headers["Content-Security-Policy"] != POLICY


def test_other_files_have_the_policy_of_the_app(app: FastAPI) -> None:
    for path, status in (("/docs/x.js", 200), ("/docs/nothing", 404), ("/docs/../x.js", 404)):
        answer = get(app, path)
        assert (answer.status_code, answer.headers["Content-Security-Policy"]) == (status, POLICY)


def test_a_folder_without_a_site_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="make docs"):
        documentation.install(FastAPI(), Settings(docs=str(tmp_path / "nothing")))


def test_without_the_setting_nothing_is_served() -> None:
    app = FastAPI()
    before = len(app.routes)
    documentation.install(app, Settings())
    assert len(app.routes) == before
