"""What a first visit to every page weighs, and in which language it is drawn."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from ludex.coach.puzzles.training import daily, utc_today
from ludex.learn.runs import Run
from ludex.web.routes.pages import PAGES
from tests.browser.browsing import PATIENCE_MS, Screen, languages
from tests.browser.test_tournaments import play_tournament
from tests.web.playing import GENEROUS, Visitor
from tests.web.running import RunningServer, served

MOST_BYTES = 75_000
_LOADED = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .map((entry) => [new URL(entry.name).pathname, entry.encodedBodySize])
  .filter(([path]) => !path.startsWith("/api/"))"""
READ = """(() => {
  window.read = [];
  new MutationObserver(() => {
    const said = document.querySelector("header nav a")?.textContent;
    if (said && window.read.at(-1) !== said) window.read.push(said);
  }).observe(document, {subtree: true, childList: true, characterData: true});
})()"""
"""Run before anything of the page, it keeps all that the first place of the header is ever called."""
GAMES = {"tictactoe": "3x3x3", "quoridor": "9x9", "skirmish": "default", "minesweeper": "beginner"}
BOARD = ".learn-board .board"


@contextmanager
def newcomer(chrome: Browser, server: RunningServer, language: str) -> Iterator[Page]:
    """A fresh browser with a preferred language."""
    context = chrome.new_context(locale=language, base_url=server.url)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.add_init_script(READ)
    yield page
    context.close()


def loaded(page: Page) -> dict[str, int]:
    """The files loaded by their paths, and what each weighed on its way."""
    return dict(page.evaluate(_LOADED))


def assert_light(page: Page) -> None:
    sizes = loaded(page)
    assert 20_000 < sum(sizes.values()) < MOST_BYTES, sizes


# A player's own page has a coach, and after the end a rating: it is heavier than a visitor's.
@languages
@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_ones_own_match_is_light_before_and_after_its_end(
    chrome: Browser, server: RunningServer, game: str, language: str
) -> None:
    with Visitor(server) as player:
        seats = ["you"] if game == "minesweeper" else ["you", "random"]
        match = player.begin(
            game, *seats, preset=GAMES[game], clock=None if game == "minesweeper" else {"seconds": 600}
        )
        cookies: Any = [
            {"name": cookie.name, "value": cookie.value, "url": server.url} for cookie in player.client.cookies.jar
        ]
        for live in (True, False):
            if not live:
                player.change(player.on_turn(match), "resign")
            with newcomer(chrome, server, language) as page:
                page.context.add_cookies(cookies)
                page.goto(f"/match/{match['id']}")
                page.wait_for_selector(".board")
                assert_light(page)


@pytest.mark.parametrize(
    ("game", "language", "said"),
    [
        ("skirmish", "fr", "Jouer"),
        ("minesweeper", "en", "Play"),
        *(pytest.param(game, "en", "Play", marks=pytest.mark.full) for game in ("tictactoe", "quoridor")),
    ],
)
def test_the_home_page_is_light_and_painted_in_the_language_of_the_visitor(
    chrome: Browser, server: RunningServer, game: str, language: str, said: str
) -> None:
    with newcomer(chrome, server, language) as page:
        page.route("**/api/puzzles", lambda route: route.fulfill(json=_on_a_day_of(route, game)))
        page.goto("/")
        expect(page.locator(".card .picture svg")).to_have_count(4)
        expect(page.locator(f'.daily-board[data-game="{game}"] svg.board')).to_be_visible()
        assert_light(page)
        assert page.evaluate("window.read") == [said]
        assert page.evaluate("document.documentElement.lang") == language


def _on_a_day_of(route: Route, game: str) -> Any:
    """The overview of puzzles on a day whose puzzle is one of this game."""
    overview = route.fetch().json()
    puzzle = daily(utc_today(), game)
    return overview | {"daily": overview["daily"] | {"game": game, "id": puzzle.id}}


VISITS = {
    "join": ("/join/{open}?invitation=", "h1"),
    "learn": ("/learn/skirmish", BOARD),
    "edit": ("/edit/minesweeper", ".edit .board"),
    "review": ("/review/{over}", ".review-graph"),
    "ghost": ("/ghost/{ghost}", ".ghost"),
    "puzzles": ("/puzzles", ".puzzle-games"),
    "round": ("/puzzles/round/tictactoe/rush", ".round-start"),
    "calendar": ("/puzzles/calendar", ".calendar"),
    "puzzle": ("/puzzles/skirmish", BOARD),
    "lab": ("/lab", ".lab-examples .board"),
    "job": ("/lab/jobs/none", "h1"),
    "trainform": ("/lab/train/minesweeper", "h1"),
    "tournamentform": ("/lab/tournament", "h1"),
    "jobform": ("/lab/new/evaluation", "h1"),
    "tournaments": ("/tournaments", ".tournaments"),
    "tournament": ("/tournaments/newcomers", ".plot canvas"),
    "runs": ("/runs", ".plot canvas"),
    "compare": ("/runs/compare?runs=newcomers", ".plot canvas"),
    "run": ("/runs/{run}", ".plot canvas"),
    "agents": ("/agents", "h1"),
    "me": ("/me", "h1"),
    "settings": ("/settings", "h1"),
    "administrator": ("/administrator", "h1"),
    "leaderboard": ("/leaderboard", ".standings"),
}
"""The address of each page where there is something to see, and what shows that it is drawn."""


@pytest.fixture(scope="module")
def content(home: Path, server: RunningServer) -> dict[str, str]:
    """What is looked at: runs of a group, a tournament, and matches that are open and over."""
    for seed in (1, 2):
        run = Run.create(home / "runs", "tictactoe", "negamax", "", group="newcomers", changes={"seed": seed})
        for row in range(20):
            run.log({"games": 10 * row, "losing_lines": 40 - row})
        run.finish({"games": 190})
    play_tournament(home, "newcomers")
    with Visitor(server) as visitor:
        waiting = visitor.begin("tictactoe", "you", "open")
        over = visitor.change(
            visitor.on_turn(visitor.move(visitor.begin("tictactoe", "you", "random"), "b2")), "resign"
        )
        ghost: httpx.Response = visitor.ask("POST", "/api/ghosts", {"match": over["id"]})
    return {"open": waiting["id"], "over": over["id"], "ghost": ghost.json()["id"], "run": run.name}


@languages
@pytest.mark.parametrize("name", VISITS)
def test_a_first_visit_is_light(
    chrome: Browser, server: RunningServer, content: dict[str, str], name: str, language: str
) -> None:
    address, drawn = VISITS[name]
    with newcomer(chrome, server, language) as page:
        page.goto(address.format(**content))
        page.wait_for_selector(drawn)
        assert_light(page)


def test_every_page_is_weighed() -> None:
    assert {*PAGES.values()} == {*VISITS, "home", "match"}


def test_a_language_is_loaded_when_it_is_chosen_and_there_at_once_after_a_reload(screen: Screen) -> None:
    screen.begin("quoridor", "5x5", "you", "you")
    page = screen.page
    assert not [path for path in loaded(page) if _written_in("fr", path)]
    page.get_by_role("button", name="Language").click()
    expect(page.get_by_role("heading", name="Coups")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "fr"
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Clavier")).to_be_visible()
    page.add_init_script(READ)
    page.reload()
    page.wait_for_selector(".board")
    assert page.evaluate("window.read") == ["Jouer"]
    assert not [path for path in loaded(page) if _written_in("en", path)]


def test_a_language_that_cannot_be_loaded_is_reported_and_the_page_stays_as_it_is(
    chrome: Browser, tmp_path: Path
) -> None:
    with served(tmp_path, *GENEROUS, "--workers", "1") as running, Screen(chrome, running) as screen:
        screen.foreseen = ("net::ERR_CONNECTION_", "net::ERR_SOCKET_NOT_CONNECTED")
        expect(screen.page.locator(".card .picture svg")).to_have_count(4)
        running.kill()
        screen.page.get_by_role("button", name="Language").click()
        expect(screen.page.locator(".message.fault")).to_contain_text("The server does not answer")
        expect(screen.page.get_by_role("heading", level=1)).to_contain_text("Play against the machine")
        assert screen.page.evaluate("document.documentElement.lang") == "en"


def _written_in(language: str, path: str) -> bool:
    return f"/{language}/" in path or path.endswith(f".{language}.json")
