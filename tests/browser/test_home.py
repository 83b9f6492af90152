"""The home page in a real browser: boards with options, files that are no matches, and addresses that lead nowhere."""

from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Locator, Request, Route, ViewportSize, expect

from ludex.coach.puzzles.collection import games_with_puzzles, shipped_puzzles
from tests.browser.accessibility import grave
from tests.browser.browsing import DESKTOP, PHONE, Screen, languages, sentences
from tests.web.running import RunningServer


def tictactoe(screen: Screen) -> Locator:
    return screen.page.get_by_role("article", name="Tic-tac-toe")


def test_a_board_of_ones_own_is_typed_named_played_and_kept(screen: Screen) -> None:
    page, card = screen.page, tictactoe(screen)
    card.get_by_text("More", exact=True).click()
    # What is open lies over no match of the list.
    page.wait_for_function(
        "() => document.querySelector('details[open] > .ways').getBoundingClientRect().bottom"
        " < document.querySelector('.recent').getBoundingClientRect().top"
    )
    field = card.get_by_label("rows", exact=True)
    before = page.locator(".card .picture").nth(1).inner_html()
    field.press_sequentially("5")
    # The pictures move on, which draws the page again.
    page.wait_for_function(
        "(before) => document.querySelectorAll('.card .picture')[1].innerHTML !== before", arg=before
    )
    expect(field).to_have_value("5")
    card.get_by_label("columns", exact=True).fill("5")
    card.get_by_label("in a row to win").fill("4")
    page.keyboard.press("Tab")
    board, opponent = (card.get_by_role("combobox", name=name) for name in ("Board", "Opponent"))
    expect(board.locator("option:checked")).to_have_text("5×5, 4 in a row")
    expect(opponent).to_have_value("beginner")
    expect(card.get_by_role("radio")).to_have_count(3)
    page.reload()
    card.get_by_text("More", exact=True).click()
    expect(board.locator("option:checked")).to_have_text("5×5, 4 in a row")
    expect(opponent).to_have_value("beginner")
    card.get_by_role("button", name="Play Tic-tac-toe").click()
    screen.started()
    expect(page.locator(".preset")).to_contain_text("Tic-tac-toe · 5×5, 4 in a row")
    page.goto("/")
    expect(page.locator(".recent:not(.live) .matches li").first).to_contain_text("5×5, 4 in a row")
    card.get_by_text("More", exact=True).click()
    board.select_option("3x3x3")
    expect(board.locator("option")).to_have_count(3)


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_cards_stay_where_they_are_when_the_daily_puzzle_arrives(
    chrome: Browser, server: RunningServer, viewport: ViewportSize
) -> None:
    with Screen(chrome, server, viewport) as screen:
        requests: list[Route] = []

        def hold(route: Route) -> None:
            requests.append(route)

        screen.tab.route("**/api/puzzles", hold)
        card = tictactoe(screen)
        expect(card).to_be_visible()
        top = "() => document.querySelector('.card').getBoundingClientRect().top"
        before = screen.page.evaluate(top)
        while not requests:
            screen.page.wait_for_timeout(10)
        requests[0].continue_()
        expect(screen.page.locator(".daily-text")).to_be_visible()
        expect(screen.page.locator(".daily-board svg.board")).to_be_visible()
        assert screen.page.evaluate(top) == before


@languages
def test_a_board_that_takes_long_to_make_says_so_and_can_be_cancelled(
    chrome: Browser, server: RunningServer, language: str
) -> None:
    words = sentences(language, "home", "page")
    with Screen(chrome, server, language=language) as screen:
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        removed: list[Request] = []
        screen.tab.route("**/api/matches", hold, times=1)
        screen.tab.on("request", lambda sent: removed.append(sent) if sent.method == "DELETE" else None)
        card = screen.page.locator('article[aria-labelledby="card-tictactoe"]')
        play = card.locator(".start .primary")
        play.click()
        expect(card.get_by_role("status")).to_have_text(words["making"])
        card.get_by_role("button", name=words["cancel"]).click()
        expect(play).to_be_enabled()
        # A cancelled match is deleted.
        with screen.page.expect_response(lambda answer: answer.request.method == "DELETE"):
            held[0].continue_()
        assert len(removed) == 1
        assert "/match/" not in screen.page.url


def test_a_file_that_is_no_match_is_named(screen: Screen, tmp_path: Path) -> None:
    page = screen.page
    chooser = page.locator('input[type="file"]')
    (tmp_path / "notes.json").write_text("no JSON")
    chooser.set_input_files(tmp_path / "notes.json")
    expect(page.locator(".message.fault")).to_contain_text("notes.json is not a match file of Ludex")
    page.get_by_role("button", name="Language").click()
    expect(page.locator(".message.fault")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Jouez")
    chooser.set_input_files(tmp_path / "notes.json")
    expect(page.locator(".message.fault").last).to_contain_text("notes.json n’est pas une partie de Ludex")


def test_an_address_that_leads_nowhere_is_a_page(screen: Screen) -> None:
    screen.foreseen = ("status of 404",)
    answer = screen.tab.goto("/foo")
    assert answer is not None
    assert answer.status == 404
    expect(screen.tab.get_by_role("heading", level=1)).to_have_text("There is nothing at this address.")
    screen.tab.get_by_role("link", name="To the games").click()
    expect(screen.tab.locator(".card")).to_have_count(4)


def test_a_lost_connection_is_noticed_without_a_click(screen: Screen) -> None:
    # Everything of the page has arrived.
    screen.page.wait_for_selector(".daily-board svg.board")
    context = screen.page.context
    context.set_offline(True)
    expect(screen.page.locator(".offline")).to_contain_text("The server does not answer")
    context.set_offline(False)
    expect(screen.page.locator(".offline")).to_have_count(0)


def test_options_of_an_agent_are_set_before_a_match(screen: Screen) -> None:
    card = tictactoe(screen)
    card.get_by_text("More", exact=True).click()
    card.get_by_text("Engine details").click()
    card.get_by_role("combobox", name="Agent").select_option("perfect")
    expect(card.locator(".level")).to_have_text("the exact best move on boards of up to 16 cells")
    expect(card.get_by_role("group", name="Options of perfect")).to_be_visible()
    card.get_by_role("combobox", name="ties").select_option("random")
    card.get_by_role("button", name="Play Tic-tac-toe").click()
    screen.started()
    expect(screen.page.get_by_text("Exact solver (ties=random)").first).to_be_visible()


def test_a_game_is_one_click_at_one_of_three_difficulties(screen: Screen) -> None:
    page, card = screen.page, tictactoe(screen)
    chips = card.get_by_role("radio")
    expect(chips).to_have_count(3)
    assert [chip.get_attribute("value") for chip in chips.all()] == ["newcomer", "beginner", "casual"]
    expect(card.get_by_role("radio", name="Beginner")).to_be_checked()
    expect(card.locator(".level")).to_contain_text("plays more than half of its moves at random")
    card.get_by_role("radio", name="Beginner").press("ArrowRight")
    expect(card.get_by_role("radio", name="Casual")).to_be_checked()
    expect(chips).to_have_count(3)
    # Units are drawn, not written, on the home page too.
    expect(page.get_by_role("article", name="Skirmish").locator(".picture path").first).to_be_attached()
    expect(page.get_by_role("article", name="Skirmish").locator(".picture text")).to_have_count(0)
    alone = page.get_by_role("article", name="Minesweeper")
    expect(alone.get_by_role("radio", name="Beginner")).to_be_checked()
    expect(alone.locator(".level")).to_contain_text("9×9, 10 mines")
    card.get_by_role("button", name="Play Tic-tac-toe").click()
    screen.started()
    expect(page.locator(".seat .name").nth(1)).to_have_text("Casual")
    address = page.url
    page.goto("/")
    page.get_by_role("button", name="Language").click()
    expect(page.get_by_role("link", name="Continuer")).to_contain_text("Morpion")
    expect(page.get_by_role("article", name="Morpion").get_by_role("radio", name="Occasionnel")).to_be_checked()
    page.get_by_role("link", name="Continuer").click()
    page.wait_for_url(address)


def test_after_three_losses_the_level_below_is_one_click(screen: Screen) -> None:
    for _ in range(3):
        _, match = screen.ask("POST", "/api/matches", {"game": "tictactoe", "seats": ["you", "casual"]})
        screen.ask("POST", f"/api/matches/{match['id']}/resign", {"version": match["version"]})
    page = screen.open("/")
    offer = tictactoe(screen).get_by_role("button", name="3 losses in a row: try Beginner")
    expect(offer).to_have_count(0)
    tictactoe(screen).get_by_role("radio", name="Casual").check()
    expect(offer).to_be_visible()
    page.goto(f"/match/{match['id']}")
    page.get_by_role("button", name="3 losses in a row: try Beginner").click()
    screen.started()
    expect(page.locator(".seat .name").nth(1)).to_have_text("Beginner")


@pytest.mark.parametrize(("language", "colours", "finished"), [("fr", "light", False), ("en", "dark", True)])
def test_every_game_is_begun_from_the_first_screen(
    chrome: Browser, server: RunningServer, language: str, colours: Literal["light", "dark"], finished: bool
) -> None:
    laptop: ViewportSize = {"width": 1366, "height": 768}
    with Screen(chrome, server, laptop, colours, language) as screen:
        if finished:
            _, match = screen.ask("POST", "/api/matches", {"game": "tictactoe", "seats": ["you", "casual"]})
            screen.ask("POST", f"/api/matches/{match['id']}/resign", {"version": match["version"]})
        page = screen.page
        play = page.locator(".start .primary")
        expect(play).to_have_count(4)
        expect(page.locator(".daily-board svg.board")).to_be_visible()
        for button in (*play.all(), page.locator(".quick"), page.locator(".daily")):
            box = button.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= laptop["height"]
        # Newcomers are offered a tutorial until they have finished a match.
        expect(page.locator(".welcome")).to_have_count(0 if finished else 1)
        places = page.locator("header nav a")
        labels = ["Play", "Puzzles", "Laboratory", "Leaderboard", "You"]
        expect(places).to_have_text(
            labels if language == "en" else ["Jouer", "Problèmes", "Laboratoire", "Palmarès", "Vous"]
        )
        assert grave(page) == []
        page.locator(".quick").click()
        screen.started()
        assert screen.match()["game"] == "tictactoe"


@languages
def test_no_page_of_the_header_scrolls_sideways_at_any_width(
    chrome: Browser, server: RunningServer, language: str
) -> None:
    with Screen(chrome, server, language=language) as screen:
        for path in ("/", "/puzzles", "/lab", "/leaderboard", "/me"):
            page = screen.open(path)
            page.wait_for_selector("h1")
            # 683 pixels are a laptop at twice the size.
            for width in (320, 390, 560, 650, 683, 755, 821, 940, 1141):
                page.set_viewport_size({"width": width, "height": 700})
                wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                assert wider <= 0, f"{path} at {width} pixels"
                outside = page.locator("header a, header button").evaluate_all(
                    "(all) => all.filter((one) => one.getBoundingClientRect().right > innerWidth).length"
                )
                assert outside == 0, f"{path} at {width} pixels"


def test_the_puzzle_of_the_day_is_a_board_that_leads_to_it(screen: Screen) -> None:
    screen.foreseen = ("503",)
    page = screen.page
    expect(page.locator(".daily-board svg.board")).to_be_visible()
    page.locator(".daily").click()
    page.wait_for_url("**/puzzles/*/*")
    expect(page.locator(".learn-board svg.board")).to_be_visible()


SMALL = """() => [...document.querySelectorAll(".daily-board svg.board text")].filter((text) => {
  const scale = text.ownerSVGElement.getScreenCTM().a;
  return text.textContent.trim() && parseFloat(getComputedStyle(text).fontSize) * scale < 9;
}).map((text) => text.textContent)"""
"""Texts of the picture that are lower than nine pixels."""


@pytest.mark.parametrize(("viewport", "language"), [pytest.param(DESKTOP, "en", marks=pytest.mark.full), (PHONE, "fr")])
def test_the_picture_of_the_puzzle_of_the_day_is_legible(
    chrome: Browser, server: RunningServer, viewport: ViewportSize, language: str
) -> None:
    with Screen(chrome, server, viewport, language=language) as screen:
        screen.foreseen = ("503",)
        overview = screen.ask("GET", "/api/puzzles", None)[1]
        screen.tab.route("**/api/puzzles", lambda route: route.fulfill(json=overview))
        for game in games_with_puzzles():
            # The one with the largest position: it is the hardest to read.
            largest = max(shipped_puzzles(game).values(), key=lambda puzzle: len(str(puzzle.position)))
            overview["daily"] |= {"game": game, "id": largest.id}
            page = screen.open("/")
            board = page.locator(f'.daily-board[data-game="{game}"] svg.board')
            expect(board).to_be_visible()
            assert page.evaluate(SMALL) == [], game
            # The whole board is in its place, and units are large enough to be told apart.
            assert board.bounding_box() == page.locator(".daily-board").bounding_box(), game
            sizes = page.locator(".daily-board .token .shape").evaluate_all(
                "(shapes) => shapes.map((shape) => shape.getBoundingClientRect().width)"
            )
            assert all(size >= 16 for size in sizes), (game, sizes)
            # Nothing of it invites a click: the picture is a link to its puzzle.
            expect(page.locator(".daily-board :is(.reach, .hint, .badge, .act)")).to_have_count(0)


REFUSALS = {
    "en": ("Nickname", "Save", "Choose a nickname of 2 to 20 letters", "There is no match at this address"),
    "fr": ("Pseudonyme", "Enregistrer", "Choisissez un pseudonyme de 2 à 20 lettres", "Il n\u2019y a pas de partie"),
}


@languages
def test_refusals_say_what_to_do_and_a_refused_nickname_stays_in_its_field(
    chrome: Browser, server: RunningServer, language: str
) -> None:
    nickname, save, choose, missing = REFUSALS[language]
    with Screen(chrome, server, language=language) as screen:
        screen.foreseen = ("status of 422", "status of 404")
        page = screen.open("/settings")
        page.get_by_label(nickname).fill("1")
        page.get_by_role("button", name=save).click()
        expect(page.locator(".message.fault")).to_contain_text(choose)
        expect(page.get_by_label(nickname)).to_have_value("1")
        # A message covers nothing of the header.
        header, message = page.locator("header").bounding_box(), page.locator(".message").bounding_box()
        assert header is not None
        assert message is not None
        assert message["y"] > header["y"] + header["height"]
        screen.open("/match/nosuchmatch")
        expect(page.get_by_role("heading", level=1)).to_contain_text(missing)
