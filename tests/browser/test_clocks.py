"""A game with clocks as a person sees it. Where seconds matter the page's time is the test's."""

import re
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.browser.accessibility import grave
from tests.browser.browsing import DESKTOP, PHONE, Screen
from tests.web.running import RunningServer


def clocks(page: Page) -> Locator:
    return page.locator(".seat game-clock")


def test_a_game_with_a_clock_from_the_home_page_to_the_end(screen: Screen) -> None:
    page = screen.page
    card = page.get_by_role("article", name="Tic-tac-toe")
    alone = page.get_by_role("article", name="Minesweeper")
    alone.get_by_text("More", exact=True).click()
    expect(alone.get_by_label("Board")).to_be_visible()
    expect(alone.get_by_label("Clock")).to_have_count(0)
    card.get_by_text("More", exact=True).click()
    card.get_by_label("Clock").select_option("3 min + 2 s")
    card.get_by_role("button", name="Two people here").click()
    screen.started()
    expect(clocks(page)).to_have_count(2)
    expect(clocks(page).nth(1)).to_have_text("3:00")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    expect(page.get_by_role("button", name="Undo")).to_have_attribute("title", re.compile("time cannot be given back"))
    # The first player's runs, whatever the second's shows.
    expect(clocks(page).first).not_to_have_text("3:00")
    expect(clocks(page).nth(1)).to_have_text("3:00")
    for text in ("a1", "b1", "a2", "b2", "a3"):
        screen.play(text)
    view = screen.after(5)
    assert not view["live"]
    for player, left in enumerate(view["clock"]["left_ms"]):
        minutes, seconds = divmod(-(-left // 1000), 60)
        expect(clocks(page).nth(player)).to_have_text(f"{minutes}:{seconds:02}")
    # The past shows what was left then.
    page.keyboard.press("Home")
    expect(clocks(page)).to_have_text(["3:00", "3:00"])
    assert grave(page, ".seat") == []
    # The same again has the same clock.
    first = screen.id
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: "/match/" in url and first not in url)
    screen.started()
    assert screen.match()["clock"]["seconds"] == 180


@pytest.mark.parametrize(
    ("viewport", "colours"), [pytest.param(DESKTOP, "light", marks=pytest.mark.full), (PHONE, "dark")]
)
def test_the_page_shows_that_time_is_over(
    chrome: Browser, server: RunningServer, viewport: ViewportSize, colours: Literal["light", "dark"]
) -> None:
    with Screen(chrome, server, viewport, colours) as screen:
        screen.begin("tictactoe", "3x3x3", "you", "you", clock={"seconds": 1})
        expect(screen.page.locator(".status")).to_have_text("O wins: time forfeit")
        expect(clocks(screen.page)).to_have_text(["0:00.0", "0:01.0"])
        expect(clocks(screen.page).first).to_have_class("low")
        assert grave(screen.page) == []
        assert screen.overflow() <= 0


READ = """async ({ left, later, runs, texts }) => {
  const { clockText } = await import("/static/shell/timer.js");
  const [clock, warned, seen, real] = [document.createElement("game-clock"), [], [], performance.now];
  let now = 1000;
  performance.now = () => now;
  clock.reading = { left, at: now, runs, warn: (seconds) => warned.push(seconds) };
  document.body.append(clock);
  for (const ms of later) {
    now += ms;
    clock.tick();
    seen.push([clock.textContent, clock.classList.contains("low")]);
  }
  clock.remove();
  performance.now = real;
  return { seen, warned, texts: texts.map(([ms, tenths]) => clockText(ms, tenths)) };
}"""


def read(screen: Screen, left: int, later: list[int], runs: bool = True) -> Any:
    texts = [[600_000, False], [599_001, False], [3_600_000, False], [61_000, False], [9_940, True], [0, True]]
    return screen.page.evaluate(READ, {"left": left, "later": later, "runs": runs, "texts": texts})


def test_a_clock_counts_warns_and_turns_red(screen: Screen) -> None:
    screen.open("/administrator")
    texts = read(screen, 61_500, [1_000, 10_000, 20_500, 20_500])
    assert [text for text, _ in texts["seen"]] == ["1:01", "0:51", "0:30", "0:09.5"]
    assert [low for _, low in texts["seen"]] == [False, False, False, True]
    assert texts["warned"] == [60, 30, 10]
    assert texts["texts"] == ["10:00", "10:00", "1:00:00", "1:01", "0:09.9", "0:00.0"]
    still = read(screen, 20_000, [15_000], runs=False)
    assert (still["seen"], still["warned"]) == ([["0:20", False]], [])
    # Less motion shows no tenths.
    screen.page.emulate_media(reduced_motion="reduce")
    assert read(screen, 20_000, [15_500])["seen"] == [["0:05", True]]
