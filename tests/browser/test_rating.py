"""A person's rating in a real browser: at the end of a match that counts, and among the levels on the leaderboard."""

from typing import Literal

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.accessibility import grave
from tests.browser.browsing import Screen
from tests.browser.test_help import play_tictactoe
from tests.web.running import RunningServer


def resign(screen: Screen) -> None:
    for name in ("Resign", "Sure?"):
        screen.page.get_by_role("button", name=name).click()
    expect(screen.page.get_by_role("button", name="Play again")).to_be_visible()


@pytest.mark.parametrize("colours", [pytest.param("light", marks=pytest.mark.full), "dark"])
def test_a_match_that_counts_ends_with_a_rating_which_stands_among_the_levels(
    chrome: Browser, server: RunningServer, colours: Literal["light", "dark"]
) -> None:
    with Screen(chrome, server, colours=colours) as screen:
        page = screen.open("/leaderboard")
        board = page.locator("#tictactoe")
        expect(board.locator(".yours")).to_contain_text("Finish a rated match against one of these machines")
        expect(screen.test_id("you")).to_have_count(0)
        # The levels of a game's card stand there by the card's names.
        expect(board.get_by_test_id("levels").locator("tbody tr").last).to_contain_text("Newcomer")
        page.goto("/")
        play_tictactoe(screen)
        line = page.locator(".rating")
        expect(line).to_have_text("Rated, unless you use help or undo.")
        before = line.bounding_box()
        resign(screen)
        expect(line).to_contain_text("?")
        expect(line).to_contain_text("Your rating: ")
        expect(line).to_contain_text("% of the way to Newcomer")
        page.get_by_text("How sure is it?").click()
        expect(page.locator(".certainty")).to_contain_text("95% sure: below")
        after = line.bounding_box()
        assert before is not None
        assert after is not None
        assert (before["y"], before["height"]) == (after["y"], after["height"]), "the line was kept free"
        page.get_by_role("link", name="Leaderboard").click()
        row = board.get_by_test_id("you")
        expect(row).to_contain_text("You")
        expect(row.locator(".strong")).to_contain_text("?")
        last = board.locator(".scroll .standings tbody tr").last
        expect(last).to_have_attribute("data-testid", "you")
        expect(row.locator(".number").last).to_have_text("1")
        expect(board.locator(".yours")).to_have_count(1)
        assert grave(page, "#tictactoe") == []
        # Other people stand there too.
        own = screen.ask("GET", "/api/me/ratings", None)[1]["boards"][0]
        others = {"people": [{"name": "Ada", "board": own}]}
        page.route("**/api/leaderboard/people", lambda route: route.fulfill(json=others))
        page.reload()
        expect(board.get_by_test_id("person")).to_contain_text("Ada")
        page.get_by_role("button", name="Language").click()
        expect(row).to_contain_text("Vous")


def test_a_match_for_practice_ends_without_one(screen: Screen) -> None:
    screen.begin("tictactoe", "3x3x3", "you", "random")
    expect(screen.page.locator(".rating")).to_have_count(0)
    resign(screen)
    screen.page.get_by_role("link", name="Leaderboard").click()
    yours = screen.page.locator("#tictactoe .yours")
    expect(yours).to_contain_text("Your matches that do not count: 1 in practice.")
