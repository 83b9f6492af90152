"""The laboratory: a training from the home page to its curve, a tournament by form, and who may do what."""

import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Route, ViewportSize, expect

from ludex.operations.operation import Operation
from tests.browser.accessibility import grave
from tests.browser.browsing import DESKTOP, PHONE, Screen
from tests.operations.toy import CHANGED, TOY
from tests.web.running import ADMIN_TOKEN, RunningServer

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
PLACES = ("/lab", "/lab/train/tictactoe", "/lab/train/minesweeper", "/lab/tournament", "/lab/new/evaluation")


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
    expect(page.locator(".job-head .story").first).to_contain_text("which cannot be beaten, it lost")
    expect(page.locator(".job-head .story").last).to_contain_text("in which it can lose")
    assert grave(page) == []
    # The page of the job is that of its run.
    expect(page.locator(".staircase [data-step]").last).to_be_visible()
    expect(page.get_by_role("button", name="Play against step 60")).to_be_visible()
    page.goto("/lab")
    expect(page.locator(".job-list li").first).to_contain_text("finished")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete").first.click()
    expect(page.get_by_text("Nothing runs yet.")).to_be_visible()


def test_what_the_server_refuses_is_said_in_the_form(administrator: Screen) -> None:
    page, administrator.foreseen = administrator.open("/lab/train/tictactoe"), ("422",)
    page.get_by_role("radio", name=re.compile("^AlphaZero")).check()
    page.get_by_text(re.compile(r"All \d+ settings")).click()
    elo = page.get_by_role("spinbutton", name="elo0")
    elo.fill("400")
    page.get_by_role("button", name="Start training").click()
    expect(page.get_by_role("alert").filter(has_text="elo0 must be below elo1")).to_be_visible()
    page.get_by_role("button", name="Back to the preset").click()
    assert elo.input_value() == "0"


def test_a_tournament_is_asked_for_and_watched(administrator: Screen) -> None:
    page, requests = administrator.tab, []

    def begin(route: Route) -> None:
        requests.append(json.loads(route.request.post_data or ""))
        route.fulfill(status=201, json=JOB)

    page.route("**/api/jobs", begin)
    page.route(
        "**/api/jobs/*", lambda route: route.fulfill(json=JOB | {"request": {}, "result": None, "log": "a line"})
    )
    administrator.open("/lab/tournament")
    page.get_by_role("combobox", name="Game", exact=True).select_option("tictactoe")
    expect(page.get_by_text("3 chosen")).to_be_visible()
    expect(page.get_by_text("30 games in all")).to_be_visible()
    page.get_by_text("Others", exact=True).click()
    page.get_by_role("textbox", name=re.compile("Any agent")).fill("mcts:simulations=5\n")
    page.get_by_label("How agents are paired").select_option("gauntlet")
    page.get_by_label("Milliseconds per move").fill("")
    page.get_by_label("Each player's seconds for a game").fill("9+1")
    page.get_by_text("Further options").click()
    page.get_by_label("Search depth").fill("3")
    page.get_by_label("Search depth").blur()
    expect(page.get_by_text("4 chosen")).to_be_visible()
    expect(page.get_by_text("30 games in all")).to_be_visible()
    page.get_by_role("button", name="Start the tournament").click()
    page.wait_for_url(f"**/lab/jobs/{JOB['id']}")
    expect(page.get_by_text("12 of 60")).to_be_visible()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    [wish] = requests
    assert wish["agents"][-1] == "mcts:simulations=5"
    assert len(wish["agents"]) == 4
    assert (wish["kind"], wish["format"], wish["clock"], wish["games"]) == ("tournament", "gauntlet", "9+1", 10)
    assert (wish["depth"], wish["opening_plies"]) == (3, 2)
    assert not {"movetime", "rounds", "seed", "workers"} & wish.keys(), "what was left alone is left to the operation"
    page.unroute_all(behavior="ignoreErrors")


@pytest.mark.parametrize(
    ("operation", "count", "most", "default"), [(TOY, "How often", "100", "2"), (CHANGED, "How many times", "9", "5")]
)
def test_an_operation_is_drawn_as_a_form_and_changed_in_one_place(
    administrator: Screen, operation: Operation[Any, Any], count: str, most: str, default: str
) -> None:
    page, requests = administrator.tab, []

    def begin(route: Route) -> None:
        requests.append(json.loads(route.request.post_data or ""))
        route.fulfill(status=201, json=JOB)

    page.route("**/api/operations/toy", lambda route: route.fulfill(json=asdict(operation.describe())))
    page.route("**/api/jobs", begin)
    page.route("**/api/jobs/*", lambda route: route.fulfill(json=JOB | {"request": {}, "result": None, "log": ""}))
    administrator.open("/lab/new/toy")
    expect(page.get_by_text("Repeat some words.")).to_be_visible()
    number = page.get_by_label(count)
    assert [number.get_attribute(name) for name in ("min", "max")] == ["1", most]
    assert number.input_value() == default
    number.fill("3")
    assert page.get_by_label("How much").input_value() == "0.75", "what is suggested"
    page.get_by_label("How much").fill("0.25")
    page.get_by_label("In capitals").check()
    page.locator("label", has=page.get_by_text("How", exact=True)).get_by_role("combobox").select_option("In peace")
    page.get_by_label("The first word").fill("hello")
    page.get_by_label("More words").fill("a\nb\n")
    page.get_by_label("Values").fill('{"k": [1]}')
    page.get_by_label("Values").blur()
    page.get_by_text("The same in a terminal").click()
    flags = "--count 3 --share 0.25 --loud --mode slow --word hello --words a --words b --set 'k=[1]'"
    expect(page.get_by_text(f"ludex jobs start toy tictactoe {flags}")).to_be_visible()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_text("12 of 60")).to_be_visible()
    request = operation.parse({name: value for name, value in requests[0].items() if name != "kind"})
    assert (request.game, request.count, request.share, request.loud) == ("tictactoe", 3, 0.25, True)
    assert (request.mode, request.word, request.words, request.values) == ("slow", "hello", ["a", "b"], {"k": [1]})
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
            expect(page.get_by_text("starting and stopping is for the administrator")).to_be_visible()
            assert page.get_by_role("button", name="Start").count() == 0
            for closed in page.locator("details").all():
                closed.locator("summary").first.click()
            assert grave(page) == [], place
            assert screen.overflow() <= 0, place
        page.get_by_role("button", name="EN: Language").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Nouvelle tâche : évaluation")


def test_the_login_link_and_the_token(chrome: Browser, server: RunningServer) -> None:
    link = server.login_link
    with Screen(chrome, server) as screen:
        page = screen.open(link)
        page.get_by_text("You are the administrator of this server").wait_for()
        page.wait_for_url(f"{server.url}/")
        page.goto("/runs")
        page.get_by_role("link", name="Administrator").click()
        page.get_by_role("button", name="Log out").click()
        token = page.get_by_label("Token")
        assert token.evaluate("field => getComputedStyle(field).borderRadius") != "0px", "it looks like every field"
        screen.foreseen = ("403",)
        page.get_by_label("Token").fill("a wrong token")
        page.get_by_role("button", name="Log in").click()
        page.get_by_text("This token or link is wrong or no longer valid").wait_for()
        page.get_by_label("Token").fill(ADMIN_TOKEN)
        page.get_by_role("button", name="Log in").click()
        page.get_by_role("button", name="Log out").wait_for()
        page.get_by_role("button", name="EN: Language").click()
        page.get_by_role("button", name="Se déconnecter").click()
        page.get_by_label("Jeton").wait_for()
        # The link was used.
        page.goto("/")
        page.goto(link)
        page.get_by_text("est faux ou n’est plus valable").wait_for()
