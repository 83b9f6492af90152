"""A whole battle of Skirmish by keyboard alone, from the first unit placed to the last turn."""

from playwright.sync_api import expect

from tests.browser.browsing import Screen

AIMS = ("land", "activate", "shoot", "fight", "charge")


def test_a_whole_game_by_keyboard(screen: Screen) -> None:
    screen.begin("skirmish", "small", "you", "greedy", seed=3)
    keyboard = screen.page.keyboard
    screen.tab_to(".skirmish-map")
    done = set()
    while (found := screen.on_turn())["live"]:
        legal = found["scene"]["legal"]
        if legal["deploy"]:
            # Let go of the unit that was placed, take the first of the roster, go to its first hex, and place it.
            keys = ("Escape", "Tab", "ArrowDown", "Enter")
        elif any(legal[kind] for kind in AIMS):
            keys = ("Escape", "ArrowDown", "Enter")
        else:
            keys = ("w",)
        for key in keys:
            keyboard.press(key)
        moves = screen.after(found["plies"] + 1)["moves"]
        done.add(moves[found["plies"]]["text"].split("/")[0])
    assert {"deploy", "activate", "wait"} <= done
    expect(screen.page.locator(".status")).to_contain_text(":")
    expect(screen.page.locator(".actions")).to_contain_text("Play again")
