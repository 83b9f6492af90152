"""Tic-tac-toe in a real browser, from the home page to the end of a game."""

from playwright.sync_api import expect

from tests.browser.browsing import Screen, languages


def test_a_whole_game_by_keyboard_from_the_home_page(screen: Screen) -> None:
    screen.tab_to(".card .primary")
    assert "Tic-tac-toe" in screen.page.evaluate("document.activeElement.textContent")
    screen.page.keyboard.press("Enter")
    screen.started()
    while (view := screen.on_turn())["live"]:
        cell = view["scene"]["moves"][-1]["cells"][0]
        # The keypad's upper row is the board's upper row.
        screen.page.keyboard.press(str(7 - 3 * (cell // 3) + cell % 3))
        screen.after(view["plies"] + 1)
        assert screen.match()["moves"][view["plies"]]["action"] == cell
    expect(screen.page.locator(".status")).to_contain_text(
        "the board is full" if view["outcome"]["reason"] == "board full" else "line"
    )


def test_arrows_and_enter_mark_cells_and_a_taken_one_is_refused(screen: Screen) -> None:
    screen.begin("tictactoe", "3x4x3", "you", "you")
    keyboard = screen.page.keyboard
    screen.tab_to(".board")
    for keys, plies in (("Enter", 1), ("ArrowDown Enter", 2), ("Enter", 2), ("ArrowUp ArrowRight Enter", 3)):
        for key in keys.split():
            keyboard.press(key)
        assert screen.after(plies)["plies"] == plies
    expect(screen.page.locator(".unseen[aria-live]")).to_contain_text("Nothing can be played at")
    assert [move["action"] for move in screen.match()["moves"]] == [0, 4, 1]
    keyboard.press("4")
    keyboard.press("ArrowDown")
    keyboard.press("Enter")
    screen.after(4)
    keyboard.press("ArrowUp")
    keyboard.press("ArrowRight")
    keyboard.press("Enter")
    assert screen.after(5)["outcome"]["reason"] == "line"
    expect(screen.page.locator(".status")).to_contain_text("X wins")
    expect(screen.page.locator(".board .scene-line")).to_have_count(1)


def test_q_stands_beside_the_exact_value_and_the_canonical_board_is_shown(screen: Screen) -> None:
    screen.begin("tictactoe", "3x3x3", "you", "you")
    screen.play("c3")
    screen.after(1)
    (canonical,) = screen.match()["scene"]["panels"]
    # Identifiers are for those who look for them.
    expect(screen.page.locator(".scene-panel code")).not_to_be_visible()
    screen.page.locator(".scene-panel summary").click()
    expect(screen.page.locator(".scene-panel code")).to_be_visible()
    expect(screen.page.locator(".scene-panel code")).to_have_text(canonical["code"])
    expect(screen.page.locator(".scene-panel")).to_contain_text(canonical["lines"][0]["en"])
    expect(screen.page.locator('.board .cell.last[data-cell="2"]')).to_be_visible()
    screen.page.locator("label", has_text="Heat").click()
    expect(screen.page.locator(".board .value")).to_have_count(8)
    expect(screen.page.locator(".board .outcome")).to_have_count(8)
    assert sorted(screen.page.locator(".board .outcome").all_text_contents()) == ["draw"] + 7 * ["loss"]


@languages
def test_the_machine_speaks_of_threats_and_forks_not_of_q(screen: Screen, language: str) -> None:
    screen.make("tictactoe", "3x3x3", "you", "you")
    screen.play("a1")
    screen.look_at(screen.id)
    page = screen.page
    if language == "fr":
        page.get_by_role("button", name="Language").click()
        expect(page.get_by_role("heading", name="Coups")).to_be_visible()
    page.locator('input[name="overlay"][value="candidates"]').check()
    candidate = page.locator(".candidate").first
    candidate.hover()
    expect(candidate).to_have_class("candidate selected")
    expect(page.locator(".planned").first).to_be_visible()
    sentences = {"en": "7 other squares let X make a fork", "fr": "7 autres cases permettent à X une fourchette"}
    expect(page.locator(".analysis .note")).to_contain_text(sentences[language])
    visible = page.locator(".match").inner_text()
    for identifier in ("Q", "Reflect", "Identity", "EEEEEE"):
        assert identifier not in visible
