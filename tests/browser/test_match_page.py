"""The page of a match in a real browser: the list of moves, the log, keys, and buttons that say why they do nothing."""

import json
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from ludex.core.limit import Limit
from ludex.core.match import Match, time_decision
from ludex.core.record import match_file
from ludex.core.registry import make, make_agent
from tests.browser.browsing import PHONE, Screen, languages, sentences
from tests.web.running import RunningServer


def battle(plies: int) -> dict[str, Any]:
    """A battle between two people as a match file."""
    match = Match(make("skirmish", "small"), 5)
    agents = [make_agent(match.game, "aggressive") for _ in range(2)]
    while match.ply < plies:
        decision, _ = time_decision(match, agents[match.to_move], Limit())
        match.play(decision.action)
    document: dict[str, Any] = json.loads(match_file(match, ("you", "you")))
    return document


def test_the_list_of_moves_follows_the_game_and_its_colours_are_the_players(screen: Screen) -> None:
    screen.bring(battle(60))
    moves = screen.match()["moves"]
    edges = screen.page.evaluate(
        "[...document.querySelectorAll('.ply')].map((one) => getComputedStyle(one).borderLeftColor)"
    )
    colours = [{edge for edge, move in zip(edges, moves, strict=True) if move["player"] == player} for player in (0, 1)]
    assert len(colours[0]) == len(colours[1]) == 1
    assert colours[0] != colours[1]
    assert any(one["player"] == other["player"] for one, other in pairwise(moves))
    last = screen.page.locator(".plies > li").last
    assert screen.page.evaluate(IN_LIST, last.element_handle())
    screen.page.locator(".board-frame").click(position={"x": 1, "y": 1})
    screen.page.keyboard.press("Home")
    expect(screen.page.locator(".status")).to_have_text("Move 0 of 60")
    screen.page.keyboard.press("PageDown")
    expect(screen.page.locator(".status")).to_have_text("Move 1 of 60")
    assert screen.page.evaluate(IN_LIST, screen.page.locator(".plies > li").first.element_handle())


IN_LIST = """(move) => {
  const [list, one] = [move.closest(".plies").getBoundingClientRect(), move.getBoundingClientRect()];
  return one.top >= list.top - 1 && one.bottom <= list.bottom + 1;
}"""


def test_the_log_of_dice_keeps_its_words_apart(screen: Screen) -> None:
    screen.bring(battle(60))
    log = [line for entry in screen.match()["scene"]["log"] for line in entry["events"]]
    lines = screen.test_id("log").locator("ul > li").all_inner_texts()
    assert len(lines) == len(log)
    attacks = [(line["parts"], text) for line, text in zip(log, lines, strict=True) if len(line["parts"]) > 2]
    assert attacks
    for parts, text in attacks:
        assert text.replace("·", "").split() == " ".join(part["text"]["en"] for part in parts).split()
    screen.page.get_by_role("button", name="Language").click()
    expect(screen.test_id("log")).to_contain_text("touche")


@pytest.mark.parametrize("player", [pytest.param(1, marks=pytest.mark.full), 2])
def test_a_phone_opens_on_ones_own_zone_with_the_instruction_in_view(
    chrome: Browser, server: RunningServer, player: int
) -> None:
    seats = ("you", "greedy") if player == 1 else ("greedy", "you")
    with Screen(chrome, server, PHONE) as screen:
        screen.begin("skirmish", "default", *seats)
        view = screen.on_turn()
        legal = min(view["scene"]["legal"]["deploy"].values())
        expect(screen.test_id("order")).to_contain_text("in your zone")
        screen.page.wait_for_function(VISIBLE, arg=legal)
        box = screen.test_id("order").bounding_box()
        assert box is not None
        assert 0 <= box["y"] < box["y"] + box["height"] <= PHONE["height"]
        # A hint has the colour that it has in every game, not that of candidates.
        screen.page.get_by_role("button", name="Hint", exact=True).click()
        expect(screen.page.locator(".drawn-hint circle")).not_to_have_css("fill", "rgb(170, 79, 130)")
        # The result stands above the map, and no empty bar is left at the bottom.
        screen.ask("POST", f"/api/matches/{screen.id}/resign", {"version": view["version"]})
        expect(screen.page.locator(".orders")).to_be_hidden()
        result, ground = (
            screen.page.locator(name).bounding_box() for name in (".standing.over .playing", ".board-frame")
        )
        assert result is not None
        assert ground is not None
        assert result["y"] < ground["y"]


VISIBLE = """(hexes) => hexes.some((hex) => {
  const box = document.querySelector(`.ground [data-hex="${hex}"]`).getBoundingClientRect();
  return box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight;
})"""


def test_n_asks_before_it_leaves_a_live_match(screen: Screen) -> None:
    screen.begin("tictactoe", "3x3x3", "you", "you")
    first = screen.page.url
    screen.page.keyboard.press("n")
    expect(screen.page.locator(".message")).to_contain_text("Press again to leave it")
    assert screen.page.url == first
    screen.page.keyboard.press("n")
    screen.page.wait_for_url(lambda url: "/match/" in url and url != first)


def test_a_button_that_does_nothing_says_why_and_covers_none_of_the_controls(screen: Screen) -> None:
    screen.begin("tictactoe", "3x3x3", "you", "you")
    undo = screen.page.get_by_role("button", name="Undo")
    expect(undo).to_have_attribute("title", "You have not moved yet.")
    undo.click(force=True)
    expect(screen.page.locator(".message")).to_contain_text("You have not moved yet.")
    message = screen.page.locator(".message").bounding_box()
    assert message is not None
    for control in (screen.page.locator(".status"), undo, screen.page.get_by_role("button", name="Resign")):
        box = control.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= message["y"], "messages lie below what people press"


def test_the_end_keeps_the_size_of_the_board_and_offers_no_analysis_of_it(screen: Screen) -> None:
    screen.begin("tictactoe", "3x3x3", "you", "you")
    size = screen.page.locator("svg.board").bounding_box()
    for text in ("a1", "a2", "b1", "b2", "c1"):
        screen.play(text)
    expect(screen.page.locator(".analysis .idle")).to_contain_text("The match is over. Go back to one of its moves")
    expect(screen.page.locator('input[name="overlay"]')).to_have_count(0)
    assert screen.page.locator("svg.board").bounding_box() == size
    screen.page.locator(".ply").first.click()
    expect(screen.page.locator('input[name="overlay"]')).to_have_count(4)


def test_the_sign_of_a_hint_is_readable_on_its_mark(screen: Screen) -> None:
    screen.tab.emulate_media(reduced_motion="reduce")
    screen.begin("tictactoe", "3x3x3", "you", "you")
    screen.page.get_by_role("button", name="Hint", exact=True).click()
    sign = screen.page.locator(".drawn-hint .drawn-sign")
    expect(sign).to_have_text("★")
    # Nothing on the way to the sign makes it fainter, and it stands on a ground of its own.
    expect(sign).to_have_css("opacity", "1")
    assert screen.page.evaluate(OPACITIES, sign.element_handle()) == 1
    assert screen.page.locator(".drawn-hint .drawn-badge").count() == 1


@pytest.mark.parametrize(
    ("language", "game", "preset", "moves", "words"),
    [
        ("en", "quoridor", "5x5", "c2 b5 d2 b4 d3 b3 d1v b2", "adds 1 step to their path and none to yours"),
        ("fr", "tictactoe", "3x3x3", "a1 a3 b1 c2", "Cette case complète votre ligne"),
    ],
)
def test_a_hint_is_one_move_and_one_sentence(
    screen: Screen, language: str, game: str, preset: str, moves: str, words: str
) -> None:
    screen.make(game, preset, "you", "you")
    for move in moves.split():
        screen.play(move)
    screen.look_at(screen.id)
    page = screen.page
    if language == "fr":
        page.get_by_role("button", name="Language").click()
    page.get_by_role("button", name={"en": "Hint", "fr": "Conseil"}[language], exact=True).click()
    expect(page.get_by_test_id("advice")).to_contain_text(words)
    expect(page.locator("[data-drawn]")).to_have_count(1)
    expect(page.locator(".candidate-move, .planned, .rank, .candidate, .analysis .note")).to_have_count(0)
    # Lines and candidates are for those who choose them.
    page.locator('input[name="overlay"][value="candidates"]').check()
    expect(page.locator(".candidate").first).to_be_visible()
    expect(page.locator("[data-drawn]")).to_have_count(0)


@languages
def test_help_that_fails_says_so_and_can_be_requested_again(
    chrome: Browser, server: RunningServer, language: str
) -> None:
    words = sentences(language, "help", "advice")
    with Screen(chrome, server, PHONE, language=language) as screen:
        screen.foreseen = ("500",)
        screen.begin("tictactoe", "3x3x3", "you", "you")
        page = screen.page
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        page.route("**/analysis", hold, times=1)
        hint = page.get_by_role("button", name=sentences(language, "match", "page")["hint"], exact=True)
        hint.click()
        expect(page.locator(".stage .advice")).to_have_text(words["searching"])
        expect(hint.locator(".spinner")).to_be_visible()
        while not held:
            page.wait_for_timeout(10)
        held[0].fulfill(status=500, json={"code": "agent_fault", "message": "it was not ready to search in time"})
        expect(page.get_by_role("alert")).to_contain_text(words["failed"])
        expect(page.locator(".spinner")).to_have_count(0)
        page.get_by_role("button", name=words["retry"]).click()
        expect(page.get_by_test_id("advice")).to_be_visible()


OPACITIES = """(one) => {
  let product = 1;
  for (let at = one; at instanceof Element; at = at.parentElement) product *= Number(getComputedStyle(at).opacity);
  return product;
}"""


SIDES = """(buttons) => buttons.map((button) => button.getBoundingClientRect())
  .flatMap(({ width, height }) => [width, height])"""


@pytest.mark.parametrize(
    ("language", "more", "rules"),
    [pytest.param("en", "More", "Rules", marks=pytest.mark.full), ("fr", "Plus", "Règles")],
)
def test_on_a_phone_the_actions_are_one_row_and_a_menu(
    chrome: Browser, server: RunningServer, language: str, more: str, rules: str
) -> None:
    with Screen(chrome, server, PHONE, language=language) as screen:
        screen.begin("tictactoe", "3x3x3", "you", "you")
        page = screen.page
        controls = page.locator(".actions :is(button, a):visible")
        expect(controls).to_have_count(4)
        tops = controls.evaluate_all("(buttons) => buttons.map((button) => button.getBoundingClientRect().top)")
        assert len(set(tops)) == 1
        menu = page.get_by_role("button", name=more, exact=True)
        expect(menu).to_have_attribute("aria-expanded", "false")
        menu.focus()
        page.keyboard.press("Enter")
        expect(menu).to_have_attribute("aria-expanded", "true")
        expect(controls).to_have_count(10)
        assert min(controls.evaluate_all(SIDES)) >= 44
        assert screen.overflow() <= 0
        page.keyboard.press("Tab")
        page.keyboard.press("Escape")
        expect(controls).to_have_count(4)
        expect(menu).to_be_focused()
        menu.tap()
        page.get_by_role("button", name=rules).tap()
        expect(page.get_by_role("dialog")).to_be_visible()
        expect(menu).to_have_attribute("aria-expanded", "false")
