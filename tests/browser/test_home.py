"""The home page in a real browser: boards with options, files that are no matches, and addresses that lead nowhere."""

from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.browser.browsing import Screen


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
    expect(board.locator("option:checked")).to_have_text("5×5, 4 in a row")  # noqa: RUF001
    expect(opponent).to_have_value("beginner")
    expect(card.get_by_role("radio")).to_have_count(3)
    page.reload()
    card.get_by_text("More", exact=True).click()
    expect(board.locator("option:checked")).to_have_text("5×5, 4 in a row")  # noqa: RUF001
    expect(opponent).to_have_value("beginner")
    card.get_by_role("button", name="Play Tic-tac-toe").click()
    screen.started()
    expect(page.locator(".preset")).to_contain_text("Tic-tac-toe · 5×5, 4 in a row")  # noqa: RUF001
    page.goto("/")
    expect(page.locator(".matches li").first).to_contain_text("5×5, 4 in a row")  # noqa: RUF001
    card.get_by_text("More", exact=True).click()
    board.select_option("3x3x3")
    expect(board.locator("option")).to_have_count(3)


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
    expect(page.locator(".message.fault").last).to_contain_text("notes.json n’est pas un fichier de partie")  # noqa: RUF001


def test_an_address_that_leads_nowhere_is_a_page(screen: Screen) -> None:
    screen.foreseen = ("status of 404",)
    answer = screen.tab.goto("/foo")
    assert answer is not None
    assert answer.status == 404
    expect(screen.tab.get_by_role("heading", level=1)).to_have_text("There is nothing at this address.")
    screen.tab.get_by_role("link", name="To the games").click()
    expect(screen.tab.locator(".card")).to_have_count(4)


def test_a_lost_connection_is_noticed_without_a_click(screen: Screen) -> None:
    screen.page.wait_for_selector(".card")
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
    alone = page.get_by_role("article", name="Minesweeper")
    expect(alone.get_by_role("radio", name="Beginner")).to_be_checked()
    expect(alone.locator(".level")).to_have_text("9×9, 10 mines")  # noqa: RUF001
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
