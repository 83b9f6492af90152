"""What makes a game pleasant in a real browser: names, sounds, a celebration, room on every screen."""

from typing import Literal

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.browsing import PHONE, Screen
from tests.browser.test_help import seat_two_people
from tests.web.running import RunningServer

TONES = """
window.tones = [];
const started = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (when) { window.tones.push(this.frequency.value); started.call(this, when); };
"""
WATCH = """() => new MutationObserver(() => {
  if (document.querySelector(".celebration")) window.celebrated = true;
}).observe(document.body, {childList: true, subtree: true})"""
# The link of the puzzle of the day is its whole card.
SMALL = """() => [...document.querySelectorAll("a, button, select, summary, label:has(input), input")]
  .filter((one) => !one.closest("svg, .unseen, .skip, p, .daily h2") && !one.matches("label input"))
  .filter((one) => one.checkVisibility())
  .map((one) => [one.outerHTML.slice(0, 120), one.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.height < 43.5 || box.width < 43.5))
  .map(([text, box]) => `${Math.round(box.width)}x${Math.round(box.height)} ${text}`)"""


def test_a_nickname_is_chosen_and_seen_by_the_other_player_as_text(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server) as ann, Screen(chrome, server) as bob:
        ann.page.get_by_role("link", name="Your settings").click()
        ann.page.get_by_label("Nickname").fill("Ann O'Neil")
        # Whatever draws the page again leaves what was typed alone.
        ann.page.get_by_role("button", name="Colours").click()
        expect(ann.page.get_by_label("Nickname")).to_have_value("Ann O'Neil")
        ann.page.get_by_role("button", name="Save").click()
        expect(ann.page.locator(".message")).to_contain_text("Others see you as Ann O'Neil now.")
        ann.page.reload()
        expect(ann.page.get_by_label("Nickname")).to_have_value("Ann O'Neil")
        seat_two_people(ann, bob, practice=False)
        expect(bob.page.locator(".seat.player-0 .name")).to_have_text("Ann O'Neil")
        expect(bob.page.locator(".status")).to_have_text("Ann O'Neil to move")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_win_is_celebrated_and_heard_only_where_chosen(
    chrome: Browser, server: RunningServer, motion: Literal["no-preference", "reduce"]
) -> None:
    with Screen(chrome, server) as ann, Screen(chrome, server) as bob:
        ann.tab.emulate_media(reduced_motion=motion)
        ann.tab.add_init_script(TONES)
        if motion == "reduce":
            ann.open("/settings")
            ann.page.get_by_label("Sounds").check()
        seat_two_people(ann, bob, practice=False)
        ann.page.evaluate(WATCH)
        bob.ask("POST", f"/api/matches/{ann.id}/resign", {"version": bob.match()["version"]})
        expect(ann.page.locator(".status")).to_have_text("You won: resignation")
        if motion == "reduce":
            ann.page.wait_for_function("() => window.tones.includes(1047)")
            assert not ann.page.evaluate("Boolean(window.celebrated)")
        else:
            ann.page.wait_for_function("() => window.celebrated")
            assert ann.page.evaluate("window.tones") == []


def test_a_second_tap_confirms_a_move_that_cannot_be_taken_back(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server, PHONE) as screen:
        screen.open("/settings")
        screen.page.get_by_label("A second tap confirms").check()
        screen.begin("tictactoe", "3x3x3", "you", "you", clock={"seconds": 600, "increment": 0})
        screen.page.locator('[data-cell="4"]').tap()
        expect(screen.page.locator(".message")).to_contain_text("b2: tap again to play it.")
        screen.page.locator('[data-cell="0"]').tap()
        expect(screen.page.locator(".message").last).to_contain_text("tap again")
        assert screen.match()["plies"] == 0
        screen.page.locator('[data-cell="0"]').tap()
        assert [move["action"] for move in screen.after(1)["moves"]] == [0]
        # What can be taken back needs no second tap.
        screen.begin("tictactoe", "3x3x3", "you", "you")
        screen.page.locator('[data-cell="4"]').tap()
        screen.after(1)


def test_what_a_finger_taps_is_large_enough(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server, PHONE) as screen:
        expect(screen.page.locator(".card").first).to_be_visible()
        assert screen.page.evaluate(SMALL) == []
        screen.begin("quoridor", "9x9", "you", "you")
        screen.play("e2")
        expect(screen.page.locator(".ply")).to_have_count(1)
        assert screen.page.evaluate(SMALL) == []
        assert screen.overflow() <= 0


def test_a_board_uses_the_height_of_a_large_screen(screen: Screen) -> None:
    screen.begin("quoridor", "9x9", "you", "you")
    for width, height in ((1920, 1080), (2560, 1440)):
        screen.page.set_viewport_size({"width": width, "height": height})
        board = screen.page.locator("svg.board").bounding_box()
        assert board is not None
        assert min(board["width"], board["height"]) > 0.8 * height
        assert screen.page.evaluate("document.documentElement.scrollWidth") <= width
