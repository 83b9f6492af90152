"""Watching two machines in a real browser."""

from playwright.sync_api import expect

from tests.browser.browsing import Screen


def test_a_paused_match_outlives_a_reload_and_goes_on_by_single_moves(screen: Screen) -> None:
    page = screen.tab
    _, made = screen.ask("POST", "/api/matches", {"game": "quoridor", "preset": "9x9", "seats": ["random", "random"]})
    # The game shall not end before the page has opened.
    screen.ask("PUT", f"/api/matches/{made['id']}/pace", {"paused": False, "ms": 5000})
    screen.look_at(made["id"])
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".status")).to_contain_text("Paused")
    page.reload()
    expect(page.locator(".status")).to_contain_text("Paused")
    plies = screen.match()["plies"]
    page.get_by_role("button", name="Next move").click()
    expect(page.locator(".plies > li")).to_have_count(plies + 1)
    expect(page.locator(".status")).to_contain_text("Paused")
    page.get_by_label("Slow").check(force=True)
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    assert screen.match()["pace"] == {"paused": False, "ms": 2500, "least_ms": 20}
