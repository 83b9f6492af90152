"""The agents that a run keeps, in the browser: slider, matches, levels and files, on desktop and phone."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from ludex.core.ranking import Entry
from ludex.core.registry import make, resolve, spec
from ludex.learn.run_agents import keep_agent
from ludex.learn.runs import Run
from tests.browser.accessibility import grave
from tests.browser.browsing import PHONE, Screen
from tests.web.playing import prepare
from tests.web.running import RunningServer


@pytest.fixture(scope="module")
def run(home: Path) -> str:
    """A finished run whose second agent prefers a corner, and whose third the middle."""
    made = Run.create(home / "runs", "tictactoe", "kept", "")
    codec = resolve(str(spec("tictactoe").learning.rankings))(make("tictactoe"))
    for index, learned in enumerate(([], [Entry("EEEEEEEEE", 0, 0.5)], [Entry("EEEEEEEEE", 4, 0.5)])):
        made.log({"games": 100 * index, "loss": 1 / (1 + index)})
        document = codec.export(learned, "2026-01-31T12:00:00Z")
        keep_agent(made, index, 100 * index, json.dumps(document).encode())
    made.finish({"games": 200})
    return made.name


def test_a_person_looks_through_training_and_plays_a_step(chrome: Browser, server: RunningServer, run: str) -> None:
    prepare(server, "tictactoe")
    with Screen(chrome, server, PHONE, "dark") as screen:
        page = screen.open(f"/runs/{run}")
        expect(page.get_by_role("button", name="Play against step 200")).to_be_visible()
        assert page.get_by_role("button", name="Keep as a level").count() == 0
        page.get_by_role("slider", name="Step 200").fill("1")
        assert screen.overflow() <= 0
        assert grave(page) == []
        page.get_by_label("Opponent").select_option("0")
        expect(page.get_by_role("button", name="Let step 100 meet step 0")).to_be_visible()
        page.get_by_role("button", name="Play against step 100").click()
        screen.started()
        expect(page.get_by_text(f"{run}, step 100").first).to_be_visible()


def test_the_administrator_keeps_exports_imports_and_removes(screen: Screen, run: str, tmp_path: Path) -> None:
    screen.log_in()
    page = screen.open(f"/runs/{run}")
    page.get_by_label("Name").fill("My pupil")
    page.get_by_role("button", name="Keep as a level").click()
    expect(page.get_by_text("is a level on the home page now")).to_be_visible()
    page.goto("/")
    expect(page.get_by_role("radio", name="My pupil")).to_be_checked()
    page.goto("/agents")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export My pupil").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name == "tictactoe-3x3x3-my-pupil.json"
    page.get_by_label("File").set_input_files(file)
    expect(page.get_by_label("Board")).to_have_value("3x3x3")
    page.get_by_label("Name").fill("A friend")
    assert grave(page) == []
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator(".kept-list li")).to_have_count(2, timeout=120_000)
    page.on("dialog", lambda dialog: dialog.accept())
    for title in ("My pupil", "A friend"):
        page.get_by_role("button", name=f"Remove {title}").click()
        expect(page.get_by_role("button", name=f"Remove {title}")).to_have_count(0)
    page.get_by_role("button", name="EN: Language").click()
    expect(page.get_by_role("heading", name="Agents entraînés")).to_be_visible()
    page.goto("/")
    expect(page.get_by_role("radio", name="My pupil")).to_have_count(0)
