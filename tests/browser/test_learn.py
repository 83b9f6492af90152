"""What a newcomer finds: an offer, a tutorial whose moves the rules judge, the rules of a match, and a coach."""

import pytest
from playwright.sync_api import Browser, expect

from ludex.core import registry
from tests.browser.accessibility import grave
from tests.browser.browsing import PHONE, Screen, first
from tests.web.running import RunningServer

TAUGHT = [name for name in registry.names() if registry.spec(name).screen.tutorial is not None]
BOARD = ".learn-board .board"


def open_tutorial(screen: Screen, game: str) -> None:
    screen.foreseen = (*screen.foreseen, "503")
    screen.open(f"/learn/{game}")
    screen.page.wait_for_selector(BOARD)


def test_a_newcomer_takes_the_offer_errs_is_given_a_reason_and_resumes(screen: Screen) -> None:
    # The game may still be compiled.
    screen.foreseen = ("503",)
    page = screen.page
    offer = page.get_by_role("region", name="New here?")
    offer.get_by_role("link", name="Tic-tac-toe").click()
    page.wait_for_selector(BOARD)
    page.get_by_role("gridcell", name="a1").click()
    expect(page.get_by_role("status").filter(has_text="Not yet.")).to_contain_text("let us begin in the middle")
    page.get_by_role("gridcell", name="b2").click()
    expect(page.locator(".learn-answer .right")).to_be_visible()
    # The focus is where the next key is needed.
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Three in a row")).to_be_focused()
    # Another visit goes on with the second step, and the offer says so.
    page.goto("/")
    page.get_by_role("link", name="Go on: Tic-tac-toe").click()
    expect(page.get_by_role("heading", name="Three in a row")).to_be_visible()
    expect(page.get_by_role("button", name="1. Your first mark, done")).to_be_visible()


def test_a_tutorial_is_completed_by_keyboard_and_leads_to_a_match(screen: Screen) -> None:
    open_tutorial(screen, "tictactoe")
    page = screen.page
    # Keys of the number pad, as in a match; the fork takes two moves.
    for moves in ("5", "3", "9", "2", "3", "12", "5"):
        for digit in moves:
            before = page.locator(".learn-board .piece").count()
            page.keyboard.press(digit)
            expect(page.locator(".learn-board .piece")).not_to_have_count(before)
        expect(page.locator("#next-step")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#next-step")).to_have_count(0)
    expect(page.get_by_role("heading", name="You know the game")).to_be_visible()
    page.get_by_role("button", name="Play a first game").click()
    screen.started()
    assert screen.match()["game"] == "tictactoe"


def test_an_offer_that_was_declined_does_not_come_back(screen: Screen) -> None:
    page = screen.page
    page.get_by_role("button", name="Not now").click()
    expect(page.locator(".welcome")).to_have_count(0)
    page.reload()
    page.wait_for_selector(".card")
    expect(page.locator(".welcome")).to_have_count(0)
    expect(page.get_by_role("link", name="Learn Tic-tac-toe")).to_be_visible()


def test_a_game_without_a_tutorial_says_so(screen: Screen) -> None:
    screen.foreseen = ("404",)
    screen.open("/learn/nothing")
    expect(screen.page.get_by_role("heading", level=1)).to_contain_text("No game has this name: choose one")


@pytest.mark.parametrize("game", first(TAUGHT))
def test_a_tutorial_has_no_grave_barrier_fits_a_phone_and_can_be_skipped(
    chrome: Browser, server: RunningServer, game: str
) -> None:
    with Screen(chrome, server, PHONE) as screen:
        open_tutorial(screen, game)
        page = screen.page
        assert grave(page) == []
        steps = page.locator(".learn-steps button").all()
        tops = []
        for step in steps:
            step.click()
            expect(page.locator("#task")).to_be_focused()
            assert screen.overflow() <= 0
            board = page.locator(BOARD).bounding_box()
            assert board is not None
            tops.append(board["y"])
        assert max(tops) < 480, "the board is on the first screen"
        assert max(tops) - min(tops) <= 1, "the board stays where it is, whatever a step says"
        sizes = "(all) => all.map((one) => one.getBoundingClientRect()).map((box) => Math.min(box.width, box.height))"
        assert min(page.locator(".learn-heading button, .learn-reply .actions > *").evaluate_all(sizes)) >= 44
        steps[0].click()
        for _ in steps:
            page.get_by_role("button", name="Skip this step").click()
        expect(page.get_by_role("heading", name="The end of the tutorial")).to_be_visible()


def test_an_answer_on_a_phone_covers_no_board(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server, PHONE) as screen:
        open_tutorial(screen, "tictactoe")
        page = screen.page
        page.get_by_role("gridcell", name="a1").click()
        expect(page.get_by_role("status").filter(has_text="Not yet.")).to_be_in_viewport()
        board, reply = page.locator(BOARD).bounding_box(), page.locator(".learn-reply").bounding_box()
        assert board is not None
        assert reply is not None
        assert board["y"] >= 0
        assert board["y"] + board["height"] <= reply["y"] + 1


@pytest.mark.parametrize("game", first(TAUGHT))
def test_the_rules_of_a_match_are_a_drawer_with_pictures_of_its_game(screen: Screen, game: str) -> None:
    spec = registry.spec(game)
    players = registry.make(game).info.players
    screen.begin(game, spec.default_preset, *["you"] * players)
    page = screen.page
    page.get_by_role("button", name="Rules").click()
    drawer = page.get_by_role("dialog")
    expect(drawer.get_by_role("heading", level=3).first).to_be_visible()
    assert drawer.locator(".rules-picture .board").count() >= 2
    assert grave(page, "dialog") == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Rules")).to_be_focused()


def test_a_game_from_outside_without_rules_has_no_button_for_them(screen: Screen) -> None:
    screen.tab.route("**/api/games", lambda route: route.fulfill(json=without_rules(route.fetch().json())))
    screen.begin("tictactoe", "3x3x3", "you", "you")
    expect(screen.page.get_by_role("button", name="Hint")).to_be_visible()
    expect(screen.page.get_by_role("button", name="Rules")).to_have_count(0)


def without_rules(games: dict[str, list[dict[str, object]]]) -> object:
    return games | {"games": [card | {"rules": False} for card in games["games"]]}


def test_the_coach_says_what_can_be_done_until_three_matches_are_finished(screen: Screen) -> None:
    line = screen.tab.locator(".coach")
    for _ in range(3):
        screen.begin("tictactoe", "3x3x3", "you", "you")
        expect(line).to_contain_text("You begin, with X")
        for move in ("a1", "a3", "b1", "b3"):
            screen.play(move)
        expect(line).to_contain_text("Put your X on any free square")
        screen.play("c1")
        # It keeps its room, so that the board keeps its size.
        expect(line).to_be_hidden()
    screen.begin("tictactoe", "3x3x3", "you", "you")
    expect(screen.page.locator(".status")).to_contain_text("X to move")
    expect(line).to_be_hidden()


def test_the_coach_can_be_sent_away(screen: Screen) -> None:
    screen.begin("tictactoe", "3x3x3", "you", "you")
    screen.page.locator(".coach button").click()
    expect(screen.page.locator(".coach")).to_be_hidden()
    screen.begin("tictactoe", "3x3x3", "you", "you")
    expect(screen.page.locator(".status")).to_contain_text("X to move")
    expect(screen.page.locator(".coach")).to_be_hidden()


def test_every_stat_of_a_unit_says_what_it_means(screen: Screen) -> None:
    screen.make("skirmish", "small", "you", "you")
    for unit, place in enumerate(("1.5", "9.5", "1.3", "9.3", "1.7", "9.7")):
        screen.play(f"deploy/0{1 + unit // 2 + 3 * (unit % 2)}/{place}")
    screen.look_at(screen.id)
    page = screen.page
    # Pressing the name of a unit's hex inspects the unit.
    screen.test_id("unit-status-table-1").get_by_role("button", name="1.7").click()
    stats = screen.test_id("inspection").locator(".term")
    expect(stats.first).to_be_visible()
    known = set[str]()
    for word in stats.all():
        word.hover()
        tip = page.get_by_role("tooltip")
        expect(tip).to_be_visible()
        known.add(str(tip.locator("strong").text_content()))
    assert {"Move", "Toughness", "Save", "Value", "Range", "Attacks", "Strength", "AP", "Damage", "Pistol"} == known
    # By keyboard too; Escape closes it.
    page.mouse.move(0, 0)
    expect(page.get_by_role("tooltip")).to_have_count(0)
    stats.filter(has_text="AP").first.focus()
    expect(page.get_by_role("tooltip")).to_contain_text("Armour penetration")
    page.keyboard.press("Escape")
    expect(page.get_by_role("tooltip")).to_have_count(0)


def test_what_a_task_frames_stays_framed_through_its_turns_and_wrong_tries(screen: Screen) -> None:
    open_tutorial(screen, "skirmish")
    page = screen.page
    page.get_by_role("button", name="2. Move to a flag").click()
    frame, task = page.locator(".skirmish-map .marked"), page.locator(".learn-text")
    expect(task).to_contain_text("First choose your Line Guard")
    page.locator('.tokens [data-unit="01"]').click(force=True)
    expect(task).to_contain_text("the framed flag")
    expect(frame).to_have_count(1)
    page.locator('[data-word="wait"]').click()
    expect(page.locator(".learn-answer .wrong")).to_be_visible()
    expect(frame).to_have_count(1)
    # A phase is not ended in a task, which asks for one unit's move.
    expect(page.locator('[data-word="end_phase"]')).to_be_hidden()
    page.locator('.ground [data-hex="54"]').click(force=True)
    expect(page.locator("#next-step")).to_be_visible()
    expect(frame).to_have_count(0)
