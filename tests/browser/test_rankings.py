"""The page of rankings: a visitor looks, the administrator imports, plays against and deletes a ranking."""

import json
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.accessibility import grave
from tests.browser.browsing import PHONE, Screen
from tests.web.running import RunningServer

CREATED = "2020-01-31T12:00:00+00:00"
RANKING = {
    "version": 1,
    "createdUtc": CREATED,
    "qValues": [{"state": "EEEEEEEEE", "moveIndex": 1, "q": 1.0}],
}


def test_the_administrator_brings_a_ranking_plays_it_and_deletes_it(
    chrome: Browser, server: RunningServer, tmp_path: Path
) -> None:
    file, broken = tmp_path / "mine.json", tmp_path / "broken.json"
    file.write_text(json.dumps(RANKING))
    broken.write_text("no JSON")
    with Screen(chrome, server) as screen:
        screen.log_in()
        page = screen.open("/rankings")
        row = page.get_by_role("row", name="Tic-tac-toe 3x3x3")
        expect(row).to_contain_text("no ranking of your own")
        row.get_by_label("Import").set_input_files(broken)
        page.get_by_text("broken.json is not a rankings file").wait_for()
        row.get_by_label("Import").set_input_files(file)
        page.get_by_text("Imported 1 values").wait_for()
        # The file says when it was made.
        expect(row.locator("time")).to_have_attribute("datetime", CREATED)
        assert grave(page) == []
        row.get_by_role("button", name="Play it").click()
        page.wait_for_url("**/match/*")
        page.get_by_text("Learned ranking (ranking=database)").first.wait_for()
        page.goto("/rankings")
        page.on("dialog", lambda dialog: dialog.accept())
        row.get_by_role("button", name="Delete").click()
        expect(row).to_contain_text("no ranking of your own")


def test_a_visitor_looks_on_a_phone(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server, PHONE) as screen:
        screen.open("/rankings")
        expect(screen.page.get_by_role("link", name="Export ours")).to_be_visible()
        expect(screen.page.get_by_label("Import")).to_have_count(0)
        expect(screen.page.get_by_text("Only the administrator")).to_be_visible()
        assert screen.overflow() <= 0
