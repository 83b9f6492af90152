"""Tournaments and the leaderboard in a real browser: while they are played, and every game a click away."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import ludex
from ludex.arena.saved_tournament import Plan, open_tournament
from ludex.arena.schedules import Format, league, round_robin
from ludex.arena.terms import Terms
from ludex.arena.tournament import hold
from ludex.core.clock import Clock
from ludex.core.executor import Executor, InProcess
from ludex.core.limit import Limit
from ludex.remote.ladder import invite, make_ladder
from tests.arena.executors import Backwards
from tests.arena.test_tournament import engine
from tests.browser.accessibility import grave
from tests.browser.browsing import PHONE, Screen
from tests.web.running import RunningServer
from tests.web.test_ladders import dial, playing, reply

FIELD = ("perfect:ties=random", "ranking", "random")
TITLES = {"Exact solver (ties=random)", "Learned ranking", "Random"}
MEASURED = re.compile(r"[\d,]+ games, seed \d+, 95% intervals; measured \w+ \d+, \d{4} on ")
MINUS = "\N{MINUS SIGN}"
TERMS = Terms.of(ludex.make("tictactoe"), FIELD, seed=6, opening_plies=1, forfeits=True)
PAGES = ("/tournaments", "/tournaments/robin", "/tournaments/solitaire", "/tournaments/engines", "/leaderboard")


def play_tournament(
    home: Path,
    name: str,
    terms: Terms = TERMS,
    games: int = 20,
    form: Format | None = None,
    executor: Executor | None = None,
) -> None:
    plan = round_robin(len(terms.agents)) if form is None else form
    with open_tournament(home / "tournaments", name, terms, Plan(plan.name, games, None)) as journal:
        hold(terms, plan, games=games, executor=executor or InProcess(), journal=journal)


@pytest.fixture(scope="module", autouse=True)
def kept(home: Path) -> None:
    """Three finished tournaments: for two players, for one, and with an engine that crashes."""
    play_tournament(home, "robin")
    board = ludex.make("minesweeper", "small")
    play_tournament(home, "solitaire", Terms.of(board, ("rules", "random"), seed=3, forfeits=True), 10, league(2))
    field = ("perfect", engine("crash"))
    engines = Terms.of(ludex.make("tictactoe"), field, seed=1, limit=Limit(time_ms=500), forfeits=True)
    play_tournament(home, "engines", engines, 2)


def test_a_ladder_shows_its_bots_and_their_games(chrome: Browser, server: RunningServer) -> None:
    """One bot answers, the other one is wrong: the page says so while it is open, in both languages and on a phone."""
    base = server.home / "tournaments"
    board = ludex.make("tictactoe")
    make_ladder(base, "spring", board, clock=Clock.parse("60"), opening_plies=2, games=2, seed=1)
    with Screen(chrome, server) as screen:
        page = screen.open("/tournaments/spring")
        expect(page.get_by_text("No bot has been invited yet")).to_be_visible()
        tokens = {bot: invite(base, "spring", bot) for bot in ("steady", "wrong")}
        with playing(server, "spring", tokens["steady"]):
            bots = page.locator("section", has=page.get_by_role("heading", name="Bots"))
            expect(bots.get_by_text("waiting for an opponent")).to_be_visible()
            with dial(server, "spring", tokens["wrong"]) as wrong:
                for _ in range(2):
                    reply(wrong, lambda question: "z9")
                expect(bots.get_by_text("paused until it joins again")).to_be_visible()
            expect(page.locator(".game-list li")).to_have_count(2)
            expect(page.get_by_text("ladder of bots")).to_be_visible()
            assert grave(page) == []
    with Screen(chrome, server, PHONE, "dark", "fr") as screen:
        page = screen.open("/tournaments/spring")
        expect(page.get_by_text("classement permanent de bots")).to_be_visible()
        assert screen.overflow() <= 0


def test_the_page_hears_that_a_tournament_is_over(screen: Screen, home: Path) -> None:
    play_tournament(home, "ending", executor=Backwards(1, after=5))
    page = screen.open("/tournaments/ending")
    expect(page.locator(".progress-text")).to_contain_text("10 of 60 games")
    expect(page.locator(".progress-text")).to_contain_text("in progress")
    play_tournament(home, "ending")
    expect(page.locator(".progress-text")).to_contain_text("60 of 60 games")
    expect(page.locator(".progress-text")).to_contain_text("finished")
    expect(page.locator(".game-list .number").first).to_have_text("60")


def test_before_the_first_game_there_is_a_word(screen: Screen, home: Path) -> None:
    play_tournament(home, "waiting", executor=Backwards(1, after=0))
    screen.open("/tournaments/waiting")
    expect(screen.page.locator(".panel").first).to_contain_text("The first games are being played")
    play_tournament(home, "waiting", executor=Backwards(1, after=3))
    expect(screen.page.locator(".plot canvas")).to_be_visible()
    expect(screen.page.locator(".standings tbody tr")).to_have_count(3)


def test_every_game_is_one_click_away(screen: Screen) -> None:
    page = screen.open("/tournaments/robin")
    number = page.locator(".game-list .number").nth(3).inner_text()
    first, second = page.locator(".game-list li").nth(3).locator(".first, .second").all_inner_texts()
    page.locator(".game-list a").nth(3).click()
    expect(page.locator("svg.board")).to_be_visible()
    assert page.url.endswith(f"/match/robin~{number}")
    expect(page.locator(".seat .name")).to_have_text([first, second])
    # The page of every match: positions, analyses, playing on.
    page.get_by_role("button", name="First position").click()
    expect(page.locator(".board .piece")).to_have_count(0)
    page.get_by_role("button", name="One move on").click()
    expect(page.locator(".board .piece")).to_have_count(1)
    page.locator("label", has_text="Heat").click()
    expect(page.locator(".board .outcome").first).to_be_visible(timeout=120_000)
    page.get_by_role("link", name=f"Game {number} of the tournament robin").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("robin")


def test_a_cell_of_the_cross_table_lists_its_games(screen: Screen) -> None:
    page = screen.open("/tournaments/robin")
    expect(page.locator(".game-list li")).to_have_count(20)
    page.get_by_role("button", name=re.compile("^Random against Learned ranking:")).click()
    expect(page.locator(".game-list li").filter(has_text="Exact solver")).to_have_count(0)
    expect(page.locator(".game-list li")).to_have_count(20)
    for line in page.locator(".game-list li").all():
        assert set(line.locator(".first, .second").all_inner_texts()) == {"Random", "Learned ranking"}
    page.locator(".game-list a").last.click()
    expect(page.locator("svg.board")).to_be_visible()
    page.go_back()
    expect(page.locator(".chosen select").last).to_have_value("ranking")
    page.locator(".chosen select").first.select_option("")
    page.get_by_role("button", name="Older games").click()
    expect(page.locator(".game-list li")).to_have_count(40)
    page.get_by_role("button", name="Older games").click()
    expect(page.locator(".game-list .number").last).to_have_text("1")
    expect(page.get_by_role("button", name="Older games")).to_have_count(0)


def test_the_table_adds_up_on_the_screen_and_is_reached_by_keyboard(screen: Screen) -> None:
    page = screen.open("/tournaments/robin")
    expect(page.locator(".standings tbody th")).to_have_count(3)
    expect(page.get_by_role("columnheader", name="Better than next")).to_be_visible()
    agents = page.locator(".standings tbody th").all_inner_texts()
    assert set(agents) == TITLES
    assert agents[-1] == "Random"
    points = [text.replace("½", ".5") for text in page.locator(".cross .points").all_inner_texts()]
    assert sum(map(float, points)) == 60
    ratings = [int(text.replace(MINUS, "-")) for text in page.locator(".standings tbody .strong").all_inner_texts()]
    assert ratings == sorted(ratings, reverse=True)
    assert abs(sum(ratings) - 3 * 1500) <= 2
    intervals = page.locator(".whisker").all()
    assert len(intervals) == 3
    for rating, interval in zip(ratings, intervals, strict=True):
        low, high = (interval.get_attribute("aria-label") or "").replace(MINUS, "-").split(" … ")
        assert int(low) <= rating <= int(high)
    screen.tab_to(".met")
    page.keyboard.press("Enter")
    expect(page.locator("#games")).to_be_focused()
    assert page.locator(".chosen select").first.input_value() in FIELD


def test_a_forfeit_is_shown_with_its_reason(screen: Screen) -> None:
    page = screen.open("/tournaments/engines")
    expect(page.locator(".faults li")).to_have_count(2)
    expect(page.locator(".faults li").first).to_contain_text("ended unexpectedly")
    # An engine's command without the folders it lies in.
    name = page.locator(".standings tbody th").last.inner_text()
    assert name.endswith('engines.py crash"')
    assert "/" not in name
    page.locator(".faults a").first.click()
    expect(page.locator(".status")).to_contain_text("Exact solver wins: forfeit")
    expect(page.locator(".origin")).to_contain_text("ended unexpectedly")


def test_a_league_shows_shares_and_opens_its_games(screen: Screen) -> None:
    page = screen.open("/tournaments/solitaire")
    expect(page.locator(".standings tbody tr")).to_have_count(2)
    expect(page.locator(".cross")).to_have_count(0)
    assert page.locator(".standings tbody .strong").last.inner_text() == "0.0%"
    page.locator(".chosen select").first.select_option("rules")
    expect(page.locator(".game-list li")).to_have_count(10)
    page.locator(".game-list a").first.click()
    expect(page.locator(".board")).to_be_visible()
    expect(page.locator(".seat .name")).to_have_text("Rules")


def test_the_leaderboard_shows_how_it_was_measured(screen: Screen) -> None:
    page = screen.page
    page.get_by_role("link", name="Leaderboard").click()
    # Best times of Minesweeper are there too once a test on this server has set one.
    games = page.locator(".game:not(#times)")
    expect(games).to_have_count(4)
    expect(page.locator(".game[open]")).to_have_count(1)
    for game in games.all():
        if game.get_attribute("open") is None:
            game.locator("summary").first.click()
        for board in game.locator(".boards > section").all():
            assert board.locator(".standings tbody tr").count() >= 3
            expect(board).to_contain_text(MEASURED)
            board.get_by_text("How it was measured").click()
            expect(board.locator("pre")).to_contain_text("ludex ")
    page.get_by_text("Head-to-head results").first.click()
    expect(page.locator(".cross").first).to_be_visible()


def test_every_page_fits_a_phone_and_has_no_grave_barrier(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server, PHONE, "dark") as screen:
        for path in (*PAGES, "/match/engines~1"):
            screen.open(path)
            screen.page.wait_for_selector("h1")
            assert screen.overflow() <= 0, path
            screen.page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
            assert grave(screen.page) == [], path
        last = screen.page.get_by_role("link", name="Laboratory").bounding_box()
        assert last is not None
        assert last["x"] + last["width"] <= 390, "all of the navigation is on the screen"


def test_the_pages_speak_french_too(screen: Screen) -> None:
    page = screen.page
    page.get_by_role("button", name="Language").click()
    page.get_by_role("link", name="Laboratoire").click()
    page.get_by_role("link", name="Tous les tournois").click()
    page.locator(".tournaments a", has_text="robin").click()
    expect(page.locator(".progress-text")).to_contain_text("60 parties sur 60 · terminé")
    expect(page.locator(".tournament-head")).to_contain_text("Morpion · 3×3, 3 alignés · chacun contre tous")
    page.get_by_role("link", name="Palmarès").click()
    expect(page.get_by_role("heading", level=2).first).to_have_text("Morpion")


def test_what_is_not_there_is_said(screen: Screen) -> None:
    # The browser writes of every refused request, sooner or later.
    screen.foreseen = ("status of 404",)
    screen.open("/tournaments/nothing")
    expect(screen.page.get_by_role("heading", level=1)).to_have_text(
        "No tournament has this name: choose one in the list."
    )
