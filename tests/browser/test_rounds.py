"""Rushes and streaks on the screen: begun from the list of puzzles, played to their ends, in both languages."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from ludex.core.puzzle import Puzzle
from tests.browser.accessibility import grave
from tests.browser.browsing import PHONE, Screen, languages
from tests.web.rounds import asked, wrong_move
from tests.web.running import RunningServer

BOARD = ".learn-board .board"
WORDS = {
    "en": {
        "rush": "Rush",
        "start": "Start",
        "end": "The third error",
        "solved": "1 puzzle solved",
        "again": "Once more",
    },
    "fr": {
        "rush": "Course",
        "start": "Commencer",
        "end": "C’est la troisième erreur",
        "solved": "1 problème résolu",
        "again": "Encore une fois",
    },
}


@pytest.fixture
def database(home: Path) -> Path:
    return home / "data" / "ludex.db"


def play(page: Page, puzzle: Puzzle, *, right: bool) -> None:
    """Answer the puzzle on the screen, and wait until the server has judged it."""
    for move in puzzle.moves if right else (wrong_move(puzzle),):
        with page.expect_response(lambda answer: "/rounds/" in answer.url and answer.request.method == "POST"):
            page.get_by_role("gridcell", name=move).click()


def begin(screen: Screen, mode: str, name: str) -> Page:
    """Begin a round of tic-tac-toe at its page."""
    page = screen.open(f"/puzzles/round/tictactoe/{mode}")
    page.get_by_role("button", name=name).click()
    page.wait_for_selector(BOARD)
    return page


@languages
def test_a_rush_ends_with_the_third_error(
    chrome: Browser, server: RunningServer, database: Path, language: str
) -> None:
    words = WORDS[language]
    with Screen(chrome, server, PHONE, colours="dark", language=language) as screen:
        screen.open("/puzzles").get_by_role("link", name=words["rush"]).first.click()
        expect(screen.page.get_by_role("heading", level=1)).to_contain_text(words["rush"])
        assert grave(screen.page) == []
        page = begin(screen, "rush", words["start"])
        expect(page.get_by_role("timer")).to_contain_text(":")
        play(page, asked(database), right=True)
        expect(page.locator(".learn-answer .right")).to_be_visible()
        play(page, asked(database), right=False)
        expect(page.locator(".learn-answer .wrong")).to_be_visible()
        expect(page.locator(".errors .made")).to_have_count(1)
        assert grave(page) == []
        assert screen.overflow() <= 0
        play(page, asked(database), right=False)
        play(page, asked(database), right=False)
        expect(page.locator("#result")).to_be_focused()
        expect(page.locator("#result")).to_have_text(words["solved"])
        expect(page.locator(".round-end")).to_contain_text(words["end"])
        expect(page.locator(".round-end li a")).to_have_count(3)
        assert grave(page) == []
        assert screen.overflow() <= 0
        page.get_by_role("button", name=words["again"]).click()
        page.wait_for_selector(BOARD)
        expect(page.locator(".errors .made")).to_have_count(0)


def test_a_streak_ends_with_the_first_error_and_stands_in_the_table_and_on_the_persons_page(
    screen: Screen, database: Path
) -> None:
    screen.ask("PUT", "/api/me/nickname", {"nickname": "Streaker"})
    page = begin(screen, "streak", "Start")
    expect(page.get_by_role("timer")).to_have_count(0)
    play(page, asked(database), right=True)
    play(page, asked(database), right=False)
    expect(page.locator("#result")).to_have_text("1 puzzle solved")
    expect(page.locator(".round-table .own")).to_contain_text("Streaker")
    page.locator(".round-end li a").click()
    page.wait_for_selector(BOARD)
    expect(page.get_by_role("button", name="Show the solution")).to_be_visible()
    page.goto("/me")
    expect(page.locator(".me .rounds")).to_contain_text("Streak")
    assert grave(page) == []


@pytest.mark.parametrize("mode", ["rush", "streak"])
def test_a_page_that_is_loaded_again_goes_on_with_its_round(screen: Screen, database: Path, mode: str) -> None:
    page = begin(screen, mode, "Start")
    play(page, asked(database), right=True)
    expect(page.locator(".learn-answer .right")).to_be_visible()
    task = page.locator(".learn-task").get_by_role("heading").inner_text()
    page.reload()
    page.wait_for_selector(BOARD)
    expect(page.locator(".learn-task").get_by_role("heading")).to_have_text(task)
    expect(page.locator(".standing")).to_contain_text("Solved1")
    # Whoever comes back later finds it as well.
    page.goto(f"/puzzles/round/tictactoe/{mode}")
    page.get_by_role("button", name="Go on with your round").click()
    page.wait_for_selector(BOARD)
    for _ in range(3 if mode == "rush" else 1):
        play(page, asked(database), right=False)
    expect(page.locator("#result")).to_have_text("1 puzzle solved")
    page.reload()
    expect(page.locator("#result")).to_have_text("1 puzzle solved")
