"""The laboratory: a training from the home page to its curve, a tournament by form, and what visitors see."""

import json
import re
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Route, ViewportSize, expect

from tests.browser.accessibility import grave
from tests.browser.browsing import DESKTOP, PHONE, Screen
from tests.browser.newcomer import check_visit, languages, newcomer
from tests.web.page_weight import page_visits
from tests.web.running import RunningServer

JOB: dict[str, Any] = {
    "id": "tournament-tictactoe-1",
    "kind": "tournament",
    "game": "tictactoe",
    "game_title": {"en": "Tic-tac-toe", "fr": "Morpion"},
    "title": "a cup",
    "label": {"en": "a cup", "fr": "a cup"},
    "state": "paused",
    "reason": None,
    "done": 12,
    "total": 60,
    "created_utc": "2026-01-01T00:00:00+00:00",
    "runs": [],
    "tournament": None,
}
PLACES = ("/lab", "/lab/train/tictactoe", "/lab/train/minesweeper", "/lab/tournament")


@pytest.fixture
def administrator(chrome: Browser, server: RunningServer) -> Iterator[Screen]:
    """The administrator's browser."""
    with Screen(chrome, server) as screen:
        screen.log_in()
        yield screen


def test_from_the_home_page_to_the_curve_of_a_training(administrator: Screen) -> None:
    page = administrator.page
    page.get_by_role("navigation").get_by_role("link", name="Laboratory").click()
    page.get_by_role("link", name="Settings Tic-tac-toe").click()
    page.get_by_label("Self-play games").fill("60")
    page.get_by_label("Self-play games").blur()
    expect(page.get_by_text("--config minute --set games=60")).to_be_attached()
    page.get_by_role("button", name="Start training").click()
    page.wait_for_url("**/lab/jobs/*")
    expect(page.locator(".plot canvas")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="finished")).to_be_visible()
    assert grave(page) == []
    page.get_by_role("link", name="To the run").click()
    page.wait_for_url("**/runs/*")
    page.goto("/lab")
    expect(page.locator(".job-list li").first).to_contain_text("finished")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete").first.click()
    expect(page.get_by_text("Nothing runs yet.")).to_be_visible()


def test_what_the_server_refuses_is_said_in_the_form(administrator: Screen) -> None:
    page, administrator.foreseen = administrator.open("/lab/train/tictactoe"), ("422",)
    page.get_by_label("AlphaZero, ten minutes").check()
    page.get_by_text(re.compile(r"All \d+ settings")).click()
    elo = page.get_by_role("spinbutton", name="elo0")
    elo.fill("400")
    page.get_by_role("button", name="Start training").click()
    expect(page.get_by_role("alert").filter(has_text="elo0 must be below elo1")).to_be_visible()
    page.get_by_role("button", name="Back to the preset").click()
    assert elo.input_value() == "0"


def test_a_tournament_is_asked_for_and_watched(administrator: Screen) -> None:
    page, asked = administrator.tab, []

    def begin(route: Route) -> None:
        asked.append(json.loads(route.request.post_data or ""))
        route.fulfill(status=201, json=JOB)

    page.route("**/api/jobs", begin)
    page.route(
        "**/api/jobs/*", lambda route: route.fulfill(json=JOB | {"request": {}, "result": None, "log": "a line"})
    )
    administrator.open("/lab/tournament")
    page.get_by_role("combobox", name="Game", exact=True).select_option("tictactoe")
    expect(page.get_by_text("3 chosen · 30 games in all")).to_be_visible()
    page.get_by_text("Others").click()
    page.get_by_role("textbox", name=re.compile("Any agent")).fill("mcts:simulations=5\n")
    page.get_by_role("combobox", name="Format").select_option("gauntlet")
    page.get_by_role("combobox", name="Time").select_option("clock")
    page.get_by_label("Seconds + increment").fill("9+1")
    # Drawn from the description of the operation.
    page.get_by_text(re.compile("All [0-9]+ settings")).click()
    page.get_by_label("Search depth").fill("3")
    page.get_by_label("Search depth").blur()
    expect(page.get_by_text("4 chosen · 30 games in all")).to_be_visible()
    page.get_by_role("button", name="Start the tournament").click()
    page.wait_for_url(f"**/lab/jobs/{JOB['id']}")
    expect(page.get_by_text("12 of 60")).to_be_visible()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    [wish] = asked
    assert wish["agents"][-1] == "mcts:simulations=5"
    assert len(wish["agents"]) == 4
    assert (wish["kind"], wish["format"], wish["clock"], wish["games"]) == ("tournament", "gauntlet", "9+1", 10)
    assert "movetime" not in wish
    assert wish["depth"] == 3
    page.unroute_all(behavior="ignoreErrors")


@pytest.mark.parametrize(
    ("viewport", "colours"), [pytest.param(DESKTOP, "light", marks=pytest.mark.full), (PHONE, "dark")]
)
def test_visitors_watch_without_barriers(
    chrome: Browser, server: RunningServer, viewport: ViewportSize, colours: Literal["light", "dark"]
) -> None:
    with Screen(chrome, server, viewport, colours) as screen:
        for place in PLACES:
            page = screen.open(place)
            expect(page.get_by_text("Starting and stopping is for the administrator")).to_be_visible()
            assert page.get_by_role("button", name="Start").count() == 0
            for closed in page.locator("details").all():
                closed.locator("summary").first.click()
            assert grave(page) == [], place
            assert screen.overflow() <= 0, place
        page.get_by_role("button", name="EN: Language").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Nouveau tournoi")


@languages
def test_a_first_visit_to_the_laboratory_loads_what_is_counted_and_no_more(
    chrome: Browser, server: RunningServer, language: str
) -> None:
    with newcomer(chrome, server, language) as page:
        page.goto("/lab")
        page.wait_for_selector(".quick-list li")
        check_visit(page, page_visits(language)["lab"])
