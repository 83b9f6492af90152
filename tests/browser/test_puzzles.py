"""Puzzles on the screen: found from the home page, solved by mouse and keyboard, proven, on a phone too."""

from typing import Any

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from ludex.coach.puzzles.collection import games_with_puzzles, of_theme, shipped_puzzles
from ludex.core.editing import editor_of
from ludex.core.puzzle import Puzzle
from tests.browser.accessibility import grave
from tests.browser.browsing import DESKTOP, PHONE, Screen, first
from tests.web.running import RunningServer

BOARD = ".learn-board .board"


def open_puzzle(screen: Screen, address: str) -> None:
    screen.foreseen = (*screen.foreseen, "503")
    screen.open(f"/puzzles/{address}")
    screen.page.wait_for_selector(BOARD)


def test_a_person_fails_is_given_a_reason_solves_and_goes_on(screen: Screen) -> None:
    page = screen.page
    page.get_by_role("link", name="Puzzles").first.click()
    page.get_by_role("link", name="Forks", exact=True).click()
    page.wait_for_selector(BOARD)
    page.get_by_role("link", name="All puzzles").click()
    puzzle = of_theme([*shipped_puzzles("tictactoe").values()], "fork")[0]
    open_puzzle(screen, f"tictactoe/{puzzle.id}")
    page.get_by_role("gridcell", name=puzzle.proof.reasons[0].moves[0]).click()
    expect(page.locator(".learn-answer .wrong")).to_contain_text("holds")
    page.get_by_role("gridcell", name=puzzle.proof.accept[0]).click()
    expect(page.locator(".learn-answer .right")).to_be_visible()
    expect(page.locator(".puzzle-proof")).to_contain_text("threatens")
    assert grave(page) == []
    page.locator(".puzzle-proof .line button").last.click()
    expect(page.locator(".puzzle-proof .line [aria-current]")).to_have_count(1)
    page.get_by_role("button", name="Next puzzle").click()
    expect(page.locator("#task")).to_be_focused()
    expect(page.locator(".puzzle-proof")).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "device", "words"),
    [
        pytest.param("en", DESKTOP, ("Move 1 of", "The answer is", "Go on", "Right!"), marks=pytest.mark.full),
        ("fr", PHONE, ("Coup 1 sur", "La réponse est", "Continuez", "Juste")),
    ],
)
def test_a_puzzle_of_several_moves_is_answered_after_each(
    chrome: Browser, server: RunningServer, language: str, device: ViewportSize, words: tuple[str, ...]
) -> None:
    puzzle = of_theme([*shipped_puzzles("tictactoe").values()], "combination")[0]
    with Screen(chrome, server, device, language=language) as screen:
        page, answer = screen.page, screen.page.locator(".learn-answer")
        open_puzzle(screen, f"tictactoe/{puzzle.id}")
        number, reply, more, right = words
        expect(page.locator("main")).to_contain_text(f"{number} {puzzle.turns}")
        for turn, move in enumerate(puzzle.moves[:-1]):
            page.get_by_role("gridcell", name=move).click()
            expect(answer).to_contain_text(f"{reply} {puzzle.proof.turns[turn].reply}")
            expect(answer).to_contain_text(more)
        assert grave(page) == []
        wrong = puzzle.proof.turns[-1].reasons[0].moves[0]
        page.get_by_role("gridcell", name=wrong).click()
        expect(answer.locator(".wrong")).to_contain_text(wrong)
        page.get_by_role("gridcell", name=puzzle.moves[-1]).click()
        expect(answer.locator(".right")).to_contain_text(right)
        expect(page.locator(".puzzle-proof .line [aria-current]")).to_have_text(puzzle.moves[-1])
        assert screen.overflow() <= 0


@pytest.mark.parametrize(
    ("language", "device", "words"),
    [
        pytest.param("en", DESKTOP, ("Past days", "Month before", "0 of"), marks=pytest.mark.full),
        ("fr", PHONE, ("Jours précédents", "Mois précédent", "0 sur")),
    ],
)
def test_the_calendar_of_past_days(
    chrome: Browser, server: RunningServer, language: str, device: ViewportSize, words: tuple[str, ...]
) -> None:
    with Screen(chrome, server, device, language=language) as screen:
        past, before, solved = words
        daily = screen.ask("GET", "/api/puzzles", None)[1]["daily"]
        page = screen.open("/puzzles")
        page.get_by_role("link", name=past).click()
        expect(page.locator(".calendar")).to_contain_text(solved)
        assert grave(page) == []
        assert screen.overflow() <= 0
        page.get_by_role("link", name=before).click()
        page.wait_for_url("**/puzzles/calendar/*")
        expect(page.locator(".days a").nth(27)).to_be_visible()
        page.go_back()
        screen.foreseen = (*screen.foreseen, "503")
        today = page.locator(".days a").last
        expect(today).to_have_attribute("href", f"/puzzles/{daily['game']}/{daily['id']}")
        today.click()
        page.wait_for_url(f"**/puzzles/{daily['game']}/{daily['id']}")
        page.wait_for_selector(BOARD)


def test_a_puzzle_is_solved_by_keyboard(screen: Screen) -> None:
    page, puzzle = screen.tab, of_theme([*shipped_puzzles("tictactoe").values()], "fork")[1]
    open_puzzle(screen, f"tictactoe/{puzzle.id}")
    page.get_by_role("gridcell", name=puzzle.proof.accept[0]).press("Enter")
    expect(page.locator("#next-puzzle")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#task")).to_be_focused()


@pytest.mark.parametrize("game", first(games_with_puzzles()))
def test_puzzles_have_no_grave_barrier_and_fit_a_phone(chrome: Browser, server: RunningServer, game: str) -> None:
    with Screen(chrome, server, PHONE, colours="dark") as screen:
        open_puzzle(screen, game)
        assert grave(screen.page) == []
        assert screen.overflow() <= 0
        place = "document.querySelector('.board').getBoundingClientRect().y + scrollY"
        before = screen.page.evaluate(place)
        screen.page.get_by_role("button", name="Show the solution").click()
        expect(screen.page.locator(".puzzle-proof")).to_be_in_viewport()
        assert screen.page.evaluate(place) == before, "the proof is read beside the board"
        for action in screen.page.locator(".learn-reply .actions > *").all():
            expect(action).to_be_in_viewport(ratio=1)
        assert screen.overflow() <= 0


def test_the_overview_is_read_and_fits_a_phone(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server, PHONE) as screen:
        screen.open("/puzzles")
        expect(screen.page.locator(".puzzle-games section")).to_have_count(len(games_with_puzzles()))
        assert grave(screen.page) == []
        assert screen.overflow() <= 0
        screen.page.get_by_role("button", name="Language").click()
        expect(screen.page.get_by_role("heading", level=1)).to_have_text("Problèmes")


def test_a_persons_page_shows_exports_and_deletes(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server, PHONE) as screen:
        page = screen.tab
        open_puzzle(screen, "tictactoe")
        page.get_by_role("button", name="Show the solution").click()
        expect(page.locator(".puzzle-proof")).to_be_visible()
        page.goto("/me")
        expect(page.get_by_role("img", name="Puzzles: 1 values")).to_be_visible()
        assert grave(page) == []
        assert screen.overflow() <= 0
        with page.expect_download() as download:
            page.get_by_role("link", name="Download everything").click()
        assert download.value.suggested_filename == "ludex.json"
        page.get_by_role("button", name="Delete everything…").click()
        expect(page.get_by_role("button", name="Keep it")).to_be_focused()
        assert grave(page, "main section:has(:focus)") == []
        page.get_by_role("button", name="Delete everything", exact=True).click()
        expect(page.get_by_role("img", name="Puzzles")).to_have_count(0)


def columns_to_targets(puzzle: Puzzle) -> int:
    """How many columns lie between a shooting unit and the right target."""
    position: Any = puzzle.position.position
    columns = {text.split()[0]: int(text.split()[1].split(".")[0]) for text in position["units"] if " -" not in text}
    return abs(columns[position["active"]] - columns[puzzle.proof.accept[0].removeprefix("shoot/")])


def test_a_phone_shows_the_unit_that_shoots(chrome: Browser, server: RunningServer) -> None:
    far = max(of_theme([*shipped_puzzles("skirmish").values()], "target"), key=columns_to_targets)
    with Screen(chrome, server, PHONE) as screen:
        open_puzzle(screen, f"skirmish/{far.id}")
        expect(screen.page.locator(".tokens .acting")).to_be_in_viewport(ratio=1)


def test_a_phone_begins_with_the_part_that_a_puzzle_is_about(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server, PHONE, language="fr") as screen:
        for theme in ("target", "place"):
            wide = [
                one
                for one in of_theme([*shipped_puzzles("skirmish").values()], theme)
                if one.position.board == "people"
            ]
            open_puzzle(screen, f"skirmish/{wide[0].id}")
            token = screen.page.locator(".tokens .acting .shape").bounding_box()
            assert token is not None
            assert token["width"] > 20
            screen.page.get_by_role("button", name="Réduire la carte").click()
            assert screen.overflow() <= 0


COVERED = """() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
  const [badges, units] = [boxes(".badge rect"), boxes(".tokens .shape")];
  const covers = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2;
  return badges.filter((badge, at) => units.some((unit) => covers(badge, unit))
    || badges.some((other, place) => place > at && covers(badge, other))).length;
}"""
"""How many badges lie over a unit or over another badge."""


@pytest.mark.parametrize(("viewport", "language"), [pytest.param(DESKTOP, "en", marks=pytest.mark.full), (PHONE, "fr")])
def test_a_puzzle_hides_the_odds_that_a_match_shows_beside_targets_covering_nothing(
    chrome: Browser, server: RunningServer, viewport: ViewportSize, language: str
) -> None:
    puzzles = [
        puzzle
        for puzzle in of_theme([*shipped_puzzles("skirmish").values()], "target")
        if puzzle.position.board == "small"
    ]
    crowded = sorted(puzzles, key=lambda puzzle: -str(puzzle.position).count("deployed"))[:3]
    with Screen(chrome, server, viewport, language=language) as screen:
        for puzzle in (*crowded, min(puzzles, key=columns_to_targets)):
            open_puzzle(screen, f"skirmish/{puzzle.id}")
            target = screen.page.locator(f"[data-unit='{puzzle.proof.accept[0].removeprefix('shoot/')}']").first
            target.hover(force=True)
            expect(screen.test_id("inspection")).to_contain_text({"en": "shoot", "fr": "tirer"}[language])
            expect(screen.test_id("inspection")).not_to_contain_text("%")
            expect(screen.page.locator(".badge, .odds-legend")).to_have_count(0)

            shown = puzzle.position.build("skirmish")
            view = shown.game.view(shown.state, shown.seen_by)
            position = editor_of("skirmish").of(shown.game, view).text
            seats = ["you", "you"]
            match = {"game": "skirmish", "preset": "small", "seats": seats, "position": position}
            _, begun = screen.ask("POST", "/api/matches", match)
            screen.look_at(begun["id"])
            expect(screen.page.locator(".badge").first).to_be_visible()
            assert screen.page.evaluate(COVERED) == 0, puzzle.id


def test_ones_own_mistakes_and_ghosts(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server, PHONE) as screen:
        _, match = screen.ask("POST", "/api/matches", {"game": "tictactoe", "seats": ["you", "unbeatable"]})
        screen.ask("POST", f"/api/matches/{match['id']}/resign", {"version": match["version"]})
        page = screen.open("/me")
        page.get_by_role("button", name="Challenge a friend").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Play the ghost: Tic-tac-toe")
        expect(page.locator(".ghost tbody tr")).to_have_count(1)
        assert grave(page) == []
        assert screen.overflow() <= 0
        page.get_by_role("button", name="Play it again").click()
        screen.started()

        _, lost = screen.ask("POST", "/api/matches", {"game": "tictactoe", "seats": ["you", "you"]})
        for move in ("a1", "a2", "b2", "c3", "b1", "b3", "c1"):
            body = {"version": lost["version"], "text": move}
            _, lost = screen.ask("POST", f"/api/matches/{lost['id']}/moves", body)
        screen.ask("GET", f"/api/matches/{lost['id']}/review", None)
        page.goto("/puzzles")
        while not page.get_by_role("link", name="Your own mistakes").count():
            page.reload()
            page.wait_for_selector(".puzzle-games")
        page.get_by_role("link", name="Your own mistakes").click()
        page.wait_for_selector(BOARD)
        assert grave(page) == []
        page.get_by_role("gridcell", name="b2").click()
        expect(page.locator(".learn-answer .right")).to_be_visible()
        expect(page.locator(".puzzle-proof")).to_contain_text("b2 was better than a2")
