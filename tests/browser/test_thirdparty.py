"""Third-party games in a real browser: one that ships no renderer, and one that ships its own."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.accessibility import grave
from tests.browser.browsing import PHONE, Screen
from tests.web.playing import GENEROUS
from tests.web.running import served
from tests.web.thirdparty_games import installed


def test_it_plays_through_its_legal_moves(chrome: Browser, tmp_path: Path) -> None:
    path = installed(tmp_path / "site")
    flags = (*GENEROUS, "--workers", "1")
    with served(tmp_path, *flags, PYTHONPATH=path) as server, Screen(chrome, server, PHONE) as screen:
        page = screen.page
        # A game that cannot be loaded is reported, and does not stop the others.
        expect(page.locator(".panel.fault")).to_contain_text("torn")
        card = page.locator(".card", has=page.locator("#card-pile"))
        card.get_by_role("button", name="Play").click()
        screen.started()
        assert grave(page) == []
        while (found := screen.on_turn())["live"]:
            expect(page.locator(".generic pre")).to_have_text(found["picture"])
            page.locator(".generic-moves button").last.click()
            screen.after(found["plies"] + 1)
        expect(page.locator(".status")).to_contain_text("last one taken")
        expect(page.locator(".generic-moves button")).to_have_count(0)
        assert screen.overflow() <= 0


def test_it_is_drawn_by_its_own_renderer_in_the_language_of_the_screen(chrome: Browser, tmp_path: Path) -> None:
    path = installed(tmp_path / "site")
    flags = (*GENEROUS, "--workers", "1")
    with served(tmp_path, *flags, PYTHONPATH=path) as server, Screen(chrome, server) as screen:
        page = screen.page
        expect(page.locator(".panel.fault")).to_contain_text("game 'smudged': screen.web: pile holds no folder 'wbe'")
        page.get_by_role("button", name="Language").click()
        card = page.locator(".card", has=page.locator("#card-drawn"))
        expect(card.get_by_role("heading", name="Tas dessiné")).to_be_visible()
        expect(card.locator(".picture svg .stone").first).to_be_attached()
        card.get_by_role("button", name="Jouer").click()
        screen.started()
        assert grave(page) == []
        expect(page.locator(".pile .stone").first).to_have_css("stroke-width", "3px")
        while (found := screen.on_turn())["live"]:
            expect(page.locator(".pile .stone")).to_have_count(found["scene"]["left"])
            page.get_by_role("button", name="Prendre 1").click()
            screen.after(found["plies"] + 1)
        expect(page.locator(".pile .stone")).to_have_count(0)
