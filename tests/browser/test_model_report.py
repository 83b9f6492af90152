"""The page of a language model's evaluation: the table, its mistakes with the better moves, and its games."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from ludex.remote.llm_agent import reference_of
from tests.browser.accessibility import grave
from tests.browser.browsing import DESKTOP, PHONE, Screen
from tests.remote.chat_server import serve_chat
from tests.web.running import RunningServer


@pytest.fixture(scope="module")
def job(server: RunningServer) -> Iterator[str]:
    """An evaluation that the command line put into the server's queue, of a model that says one of two things."""
    answers = iter(["I think b2 is best.", "b3"] * 10_000)
    with serve_chat(lambda body: next(answers)) as chat:
        agent = reference_of("small-model", url=chat.url, retries=1)
        flags = ("--positions", "6", "--games", "2", "--opponent", "newcomer", "--relabelled", "--json")
        subprocess.run(
            [sys.executable, "-m", "ludex", "jobs", "start", "eval-llm", "tictactoe", "--agent", agent, *flags],
            env={**os.environ, "LUDEX_JOBS": str(server.home / "jobs"), "LUDEX_DATA": str(server.home / "data")},
            check=True,
        )
        (folder,) = (path for path in (server.home / "jobs").iterdir() if "eval-llm" in path.name)
        with server.client() as client:
            pause = threading.Event()
            while (state := client.get(f"/api/jobs/{folder.name}").json()["state"]) in ("queued", "running"):
                pause.wait(0.1)
        assert state == "finished"
        yield folder.name


def report(screen: Screen, job: str, done: str) -> Page:
    page = screen.open(f"/lab/jobs/{job}")
    expect(page.get_by_role("heading", name=done)).to_be_visible()
    return page


def test_a_report_shows_figures_mistakes_and_games(
    chrome: Browser, server: RunningServer, job: str, tmp_path: Path
) -> None:
    with Screen(chrome, server, DESKTOP) as screen:
        page = report(screen, job, "Mistakes and better moves")
        figures = page.get_by_role("table")
        expect(figures.get_by_role("row", name="Refused answers")).to_contain_text("prose")
        expect(figures.get_by_role("columnheader")).to_have_text(["In the game’s own words", "With other names"])
        first = page.locator(".model-mistake").first
        first.locator("summary").click()
        expect(first.locator("pre")).to_contain_text("It is your turn.")
        expect(page.locator(".model-games li").first).to_contain_text("small-model")
        assert page.locator(".model-mistake", has_text="Better").count() > 0
        assert grave(page) == []
        page.screenshot(path=tmp_path / "report.png", full_page=True)
        page.get_by_role("button", name="With other names").click()
        expect(page.get_by_role("button", name="With other names")).to_have_attribute("aria-pressed", "true")
        page.locator(".model-mistake").first.locator("summary").click()
        expect(page.locator(".model-mistake pre").first).not_to_contain_text(" O ")
    with Screen(chrome, server, PHONE, "dark", "fr") as screen:
        page = report(screen, job, "Erreurs et meilleurs coups")
        assert screen.overflow() <= 0
        page.screenshot(path=tmp_path / "report-phone.png", full_page=True)


def test_the_answers_of_another_job_are_refused(server: RunningServer, job: str) -> None:
    with server.client() as client:
        assert client.get(f"/api/jobs/{job}/answers").status_code == 200
        assert client.get(f"/api/jobs/{job}/answers", params={"names": "others"}).status_code == 422
        assert client.get("/api/jobs/nothing-1/answers").status_code == 404
