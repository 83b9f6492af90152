"""What a first visit loads, and in which language it is drawn."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from ludex.coach.puzzles.training import daily, utc_today
from ludex.learn.runs import Run
from tests.browser.browsing import Screen
from tests.browser.newcomer import READ, check_visit, languages, loaded, newcomer
from tests.browser.test_tournaments import play_tournament
from tests.web.page_weight import LANGUAGES, board_visit, home_visit, match_visit, page_visits
from tests.web.playing import GENEROUS
from tests.web.running import RunningServer, served

LINKED = {
    "tictactoe": ("3x3x3", 2),
    "quoridor": ("9x9", 2),
    "skirmish": ("default", 2),
    "minesweeper": ("beginner", 1),
}
"""A preset of each game, and its number of players."""


# Which language is loaded does not depend on the game.
@pytest.mark.parametrize(
    ("game", "language"),
    [
        pytest.param(game, language, marks=[pytest.mark.full] if language != "en" or number % 2 else [])
        for number, game in enumerate(LINKED)
        for language in LANGUAGES
    ],
)
def test_a_link_to_a_match_loads_what_is_counted_and_no_more(
    screen: Screen, chrome: Browser, server: RunningServer, game: str, language: str
) -> None:
    preset, players = LINKED[game]
    clock = {"seconds": 600, "increment": 5} if players == 2 else None
    screen.make(game, preset, *["you"] * players, clock=clock)
    with newcomer(chrome, server, language) as page:
        page.goto(f"/match/{screen.id}")
        page.wait_for_selector(".board")
        check_visit(page, match_visit(game, language, clock=clock is not None))


@pytest.mark.parametrize(
    ("game", "language", "said"),
    [
        ("skirmish", "fr", "Jouer"),
        ("minesweeper", "en", "Play"),
        *(pytest.param(game, "en", "Play", marks=pytest.mark.full) for game in ("tictactoe", "quoridor")),
    ],
)
def test_the_home_page_is_painted_in_the_language_of_the_visitor_and_loads_what_is_counted(
    chrome: Browser, server: RunningServer, game: str, language: str, said: str
) -> None:
    with newcomer(chrome, server, language) as page:
        page.route("**/api/puzzles", lambda route: route.fulfill(json=_on_a_day_of(route, game)))
        page.goto("/")
        expect(page.locator(".card .picture svg")).to_have_count(4)
        expect(page.locator(f'.daily-board[data-game="{game}"] svg.board')).to_be_visible()
        check_visit(page, home_visit(language, game))
        assert page.evaluate("window.read") == [said]
        assert page.evaluate("document.documentElement.lang") == language


def _on_a_day_of(route: Route, game: str) -> Any:
    """The overview of puzzles on a day whose puzzle is one of this game."""
    overview = route.fetch().json()
    puzzle = daily(utc_today(), game)
    return overview | {"daily": overview["daily"] | {"game": game, "id": puzzle.id}}


FIRST_VISITS: dict[str, tuple[str, Callable[[str], set[Path]]]] = {
    "/runs": (".plot canvas", lambda language: page_visits(language)["runs"]),
    "/runs/compare?runs=newcomers": (".plot canvas", lambda language: page_visits(language)["compare"]),
    "/leaderboard": (".standings", lambda language: page_visits(language)["leaderboard"]),
    "/tournaments": (".tournaments", lambda language: page_visits(language)["tournaments"]),
    "/tournaments/newcomers": (".plot canvas", lambda language: page_visits(language, "tictactoe")["tournament"]),
    "/lab": (".quick-list li", lambda language: page_visits(language)["lab"]),
    "/learn/tictactoe": (".learn-board .board", lambda language: board_visit("learn", "tictactoe", language)),
    "/puzzles": (".puzzle-games", lambda language: page_visits(language)["puzzles"]),
    "/puzzles/tictactoe/fork": (".learn-board .board", lambda language: board_visit("puzzle", "generic", language)),
    "/puzzles/round/tictactoe/rush": (".round-start", lambda language: board_visit("round", "generic", language)),
}
"""What shows that a page is drawn, and the files counted for it."""


@pytest.fixture(scope="module", autouse=True)
def content(home: Path) -> None:
    """A group of runs and a tournament to look at."""
    for seed in (1, 2):
        run = Run.create(home / "runs", "tictactoe", "negamax", "", group="newcomers", changes={"seed": seed})
        for row in range(20):
            run.log({"games": 10 * row, "losing_lines": 40 - row})
        run.finish({"games": 190})
    play_tournament(home, "newcomers")


@languages
@pytest.mark.parametrize("path", FIRST_VISITS)
def test_a_first_visit_loads_what_is_counted_and_no_more(
    chrome: Browser, server: RunningServer, path: str, language: str
) -> None:
    drawn, counted = FIRST_VISITS[path]
    with newcomer(chrome, server, language) as page:
        page.goto(path)
        page.wait_for_selector(drawn)
        check_visit(page, counted(language))


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
        screen.foreseen = ("net::ERR_CONNECTION_",)
        expect(screen.page.locator(".card .picture svg")).to_have_count(4)
        running.kill()
        screen.page.get_by_role("button", name="Language").click()
        expect(screen.page.locator(".message.fault")).to_contain_text("The server does not answer")
        expect(screen.page.get_by_role("heading", level=1)).to_contain_text("Play against the machine")
        assert screen.page.evaluate("document.documentElement.lang") == "en"


def _written_in(language: str, path: str) -> bool:
    return f"/{language}/" in path or path.endswith(f".{language}.json")
