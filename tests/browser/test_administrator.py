"""The administrator logs in and out in the browser, in both languages."""

from playwright.sync_api import Browser

from tests.browser.browsing import Screen
from tests.web.running import ADMIN_TOKEN, RunningServer


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
