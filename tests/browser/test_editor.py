"""The position editor on the screen: positions drawn, pasted and dropped, what is said of them, matches from there."""

import base64
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Route, expect

from ludex.core import registry
from tests.browser.accessibility import grave
from tests.browser.browsing import PHONE, Screen
from tests.web.running import RunningServer

EDITED = [name for name in registry.names() if registry.spec(name).screen.editor is not None]
BOARD = ".edit .board"
MINES = "mines 3\n. 1 # #\n. 2 # #\n. 1 # #"
DROP = """([name, data]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], name));
  const drop = new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true });
  document.querySelector(".edit").dispatchEvent(drop);
}"""
PASTE = """(text) => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
}"""


def open_editor(screen: Screen, game: str, **query: str) -> None:
    """The editor of a game, once the game is prepared."""
    screen.foreseen = (*screen.foreseen, "503", "422")
    screen.open(f"/edit/{game}{f'?{urlencode(query)}' if query else ''}").wait_for_selector(BOARD)


def text_is(screen: Screen, text: str) -> None:
    expect(screen.page.locator("#position-text")).to_have_value(text)


def test_a_board_of_mines_is_drawn_judged_and_played_on(screen: Screen) -> None:
    page = screen.page
    page.locator(".card", has_text="Minesweeper").get_by_text("More", exact=True).click()
    page.get_by_role("link", name="Position editor").first.click()
    open_editor(screen, "minesweeper", text="mines 1\n# # #\n# # #")
    page.locator('[data-tool="1"]').click()
    page.locator('[data-cell="1"]').click()
    text_is(screen, "mines 1\n# 1 #\n# # #")
    page.locator('[data-tool="flag"]').click()
    page.locator('[data-cell="0"]').click()
    text_is(screen, "mines 1\nF 1 #\n# # #")
    expect(page.locator(".analysis .note")).to_be_visible()
    expect(page.locator('[data-cell="2"] .percent')).to_have_text("20")
    page.locator('[data-tool="8"]').click()
    page.locator('[data-cell="1"]').click()
    expect(screen.test_id("problem")).to_have_text("b1 says 8 and has only 5 hidden neighbours")
    assert grave(page) == []
    page.get_by_role("button", name="Undo").click()
    text_is(screen, "mines 1\nF 1 #\n# # #")
    page.get_by_role("button", name="Play", exact=True).click()
    screen.started()
    match = screen.match()
    assert (match["positioned"], match["rated"], match["scene"]["numbers"][1]) == (True, False, 1)


def test_an_analysis_that_a_busy_server_refuses_begins_by_itself_and_moves_no_board(screen: Screen) -> None:
    refused: list[Route] = []

    def refuse(route: Route) -> None:
        refused.append(route)
        busy = {"code": "too_busy", "message": "busy"}
        route.fulfill(status=429, json=busy, headers={"Retry-After": "2"})

    page, screen.foreseen = screen.tab, ("429",)
    page.route("**/edit/analysis", refuse, times=1)
    open_editor(screen, "minesweeper", text=MINES)
    expect(page.locator(".analysis")).to_contain_text("The analysis begins by itself")
    top = page.locator(BOARD).bounding_box()
    expect(page.get_by_test_id("ask-why")).to_be_visible()
    expect(page.locator(".analysis .note")).to_be_visible()
    assert len(refused) == 1
    assert page.locator(BOARD).bounding_box() == top


def test_a_board_is_typed_counted_and_painted(screen: Screen) -> None:
    page = screen.page
    open_editor(screen, "minesweeper", text="mines 1\n# # # #\n# # # #")
    page.locator('[data-cell="0"]').click()
    text_is(screen, "mines 1\n1 # # #\n# # # #")
    page.locator('[data-cell="0"]').click()
    text_is(screen, "mines 1\n2 # # #\n# # # #")
    page.locator('[data-cell="1"]').focus()
    for key in ("1", "0", "h", "2", "f"):
        page.keyboard.press(key)
    text_is(screen, "mines 1\n2 1 . #\n2 F # #")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("#")
    text_is(screen, "mines 1\n2 1 . #\n2 # # #")
    page.keyboard.press("Control+Home")
    expect(page.locator('[data-cell="0"]')).to_be_focused()
    page.locator('[data-tool="0"]').click()
    page.locator('[data-cell="5"]').hover()
    page.mouse.down()
    for cell in (6, 7, 6, 7):
        page.locator(f'[data-cell="{cell}"]').hover()
    page.mouse.up()
    text_is(screen, "mines 1\n2 1 . #\n2 . . .")


@pytest.mark.parametrize("language", ["fr", pytest.param("en", marks=pytest.mark.full)])
def test_a_drawn_cell_is_explained_on_a_phone(chrome: Browser, server: RunningServer, language: str) -> None:
    sentence = {"en": "c1 is a mine", "fr": "c1 est une mine"}[language]
    with Screen(chrome, server, PHONE, language=language) as screen:
        open_editor(screen, "minesweeper", text=MINES)
        screen.page.wait_for_selector(".percent")
        screen.test_id("ask-why").click()
        screen.page.locator('[data-cell="2"]').click()
        expect(screen.test_id("why").locator("p").first).to_contain_text(sentence)
        text_is(screen, MINES)
        assert screen.overflow() <= 0


def test_a_position_is_pasted_dropped_and_written_in_french(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server, language="fr") as screen:
        open_editor(screen, "minesweeper")
        page = screen.page
        page.evaluate(PASTE, MINES)
        text_is(screen, MINES)
        expect(page.locator(".analysis .note")).to_contain_text("sûre")
        expect(screen.test_id("why")).to_be_visible()
        page.evaluate(DROP, ["board.mbf", base64.b64encode(bytes([4, 3, 0, 2, 3, 0, 3, 2])).decode()])
        text_is(screen, "mines 2\n. . 1 #\n. . 2 #\n. . 1 #")
        page.locator("#position-text").fill("mines 2\n1 x")
        page.get_by_role("button", name="Lire le texte").click()
        expect(screen.test_id("unread")).to_contain_text("Ligne 2, colonne 3")
        expect(page.locator("#position-text")).to_have_value("mines 2\n1 x")
        assert grave(page) == []


def test_a_wall_is_put_by_keyboard_and_the_best_move_is_drawn(screen: Screen) -> None:
    open_editor(screen, "quoridor", board="5x5", text="pawns c1 c5")
    page = screen.page
    expect(page.locator(".candidates li").first).to_be_visible()
    page.locator(BOARD).focus()
    page.keyboard.press("2")
    for key in ("ArrowUp", "w", "Enter"):
        page.keyboard.press(key)
    text_is(screen, "pawns c1 c5\nleft 4 3\nturn 1\nwalls c2h")
    expect(page.locator(".wall")).to_have_count(1)
    page.get_by_label("To move").select_option("2")
    text_is(screen, "pawns c1 c5\nleft 4 3\nturn 2\nwalls c2h")
    page.get_by_role("button", name="Play", exact=True).click()
    screen.started()
    assert screen.match()["to_move"] == 1


def test_the_position_of_a_match_goes_to_the_editor(screen: Screen) -> None:
    screen.begin("tictactoe", "3x3x3", "you", "you")
    screen.play("b2")
    screen.look_at(screen.id)
    screen.page.get_by_role("button", name="Edit the position").click()
    screen.page.wait_for_selector(BOARD)
    text_is(screen, ". . .\n. X .\n. . .")
    screen.page.keyboard.press("o")
    screen.page.get_by_role("gridcell", name="a1").press("Enter")
    text_is(screen, ". . .\n. X .\nO . .")


@pytest.mark.parametrize("game", EDITED)
def test_every_editor_fits_a_phone_and_has_no_grave_barrier(chrome: Browser, server: RunningServer, game: str) -> None:
    with Screen(chrome, server, PHONE, colours="dark", language="fr") as screen:
        open_editor(screen, game)
        screen.page.wait_for_selector(".analysis .whose, [data-testid=problem]")
        assert screen.overflow() <= 0
        assert grave(screen.page) == []
        before = screen.page.locator("#position-text").input_value()
        screen.page.locator(".edit-tools label").last.click()
        assert screen.page.locator("#position-text").input_value() == before
