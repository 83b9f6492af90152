"""A game that is compiled while the page is open: it says how far it is, and a match starts by itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.accessibility import grave
from tests.browser.browsing import PHONE, Screen
from tests.web.playing import GENEROUS
from tests.web.running import RunningServer, served
from tests.web.thirdparty_games import gates, installed


@pytest.fixture
def pipes(tmp_path: Path) -> Path:
    return gates(tmp_path / "gates")


@pytest.fixture
def environment(tmp_path: Path, pipes: Path) -> dict[str, str]:
    return {"PYTHONPATH": installed(tmp_path / "site", gated=True), "GATES": str(pipes)}


@pytest.fixture
def server(tmp_path: Path, environment: dict[str, str]) -> Iterator[RunningServer]:
    with served(tmp_path / "server", *GENEROUS, "--workers", "1", **environment) as running:
        yield running


def test_a_match_starts_when_its_game_is_ready(chrome: Browser, server: RunningServer, pipes: Path) -> None:
    with Screen(chrome, server, PHONE) as screen:
        page = screen.page
        card = page.locator(".card", has=page.locator("#card-gated"))
        other = page.locator(".card", has=page.locator("#card-pile"))
        expect(card.locator(".preparing")).to_have_text("Preparing, 0 of 2")
        expect(other.locator(".preparing")).to_have_count(0)
        button = card.locator("button.primary")
        button.click()
        expect(button).to_contain_text("Starts when ready")
        expect(button).to_be_disabled()
        expect(other.get_by_role("button", name="Play")).to_be_enabled()
        assert grave(page) == []
        assert screen.overflow() <= 0
        (pipes / "rules").write_text("")
        expect(card.locator(".preparing")).to_have_text("Preparing, 1 of 2")
        (pipes / "search").write_text("")
        expect(card.locator(".preparing")).to_have_count(0)
        # Levels that are derived from `mcts` wait for the kernels of agents too.
        expect(button).to_be_disabled()
        (pipes / "planner").write_text("")
        screen.started()
        assert screen.on_turn()["game"] == "gated"


def test_a_game_that_fails_can_be_tried_again_and_the_page_of_its_match_waits_for_it(
    chrome: Browser, server: RunningServer, pipes: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    with Screen(chrome, server) as screen:
        page = screen.page
        page.get_by_role("button", name="EN: Language").click()
        card = page.locator(".card", has=page.locator("#card-gated"))
        (pipes / "rules").write_text("no space left")
        expect(card.locator(".preparing")).to_have_text("Indisponible")
        # The reason may name folders of the server: it is the administrator's.
        expect(page.locator(".panel.fault")).to_contain_text("the server's log says why")
        with server.administrator() as administrator:
            assert "no space left" in administrator.get("/api/games/preparation").text
        card.locator("button.primary").click()
        expect(card.locator("button.primary")).to_contain_text("Commence bientôt")
        for name in ("rules", "search", "planner"):
            (pipes / name).write_text("")
        screen.started()
        # A page that asked the server at this moment would report a lost connection.
        page.goto("about:blank")
        server.kill()
        # Another version of the game, of which one kernel is new.
        (pipes / "search.compiled").unlink()
        with (tmp_path / "site" / "gated.py").open("a") as source:
            source.write("# changed\n")
        port = server.url.rpartition(":")[2]
        with served(tmp_path / "server", *GENEROUS, "--workers", "1", "--port", port, **environment):
            # The browser still speaks French.
            page.goto(f"/match/{screen.id}")
            expect(page.locator(".alone .preparing")).to_have_text("Préparation : 1 sur 2")
            (pipes / "search").write_text("")
            page.wait_for_selector(".board")
            screen.foreseen = ("ERR_CONNECTION_REFUSED", "WebSocket")
