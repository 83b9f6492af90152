"""Third-party games in a real browser: one that ships no renderer, and one that ships its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.accessibility import grave
from tests.browser.browsing import PHONE, Screen
from tests.web.playing import GENEROUS
from tests.web.running import RunningServer, served
from tests.web.thirdparty_games import crack, installed

LIT = 'import { html } from "/static/vendor/lit-html/lit-html.js";\n'
BROKEN = {
    "loading": ('import "./nowhere.js";', "TypeError"),
    "export": ("export const board = 1;", "TypeError: renderer.js has no default export"),
    "board": ("export default { board: (ctx) => ctx.scene.stones.map(String) };", "TypeError"),
    "drawing": (
        LIT + 'const late = { *[Symbol.iterator]() { throw new Error("late"); } };\n'
        'export default { board: () => html`<div class="board">${late}</div>` };',
        "Error: late",
    ),
    "panels": (
        LIT
        + 'export default { board: () => html`<p class="board"></p>`, panels: () => { throw new Error("torn"); } };',
        "Error: torn",
    ),
}
"""What is wrong with a renderer, and what the page says of it."""


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server where games of others are installed."""
    home = tmp_path_factory.mktemp("outside")
    with served(home, *GENEROUS, "--workers", "1", PYTHONPATH=installed(home / "site")) as running:
        yield running


def test_it_is_drawn_by_its_own_renderer_in_the_language_of_the_screen(chrome: Browser, outside: RunningServer) -> None:
    with Screen(chrome, outside) as screen:
        page = screen.page
        expect(page.locator(".panel.fault")).to_contain_text("game 'smudged': screen.web: pile holds no folder 'wbe'")
        page.get_by_role("button", name="Language").click()
        card = page.locator(".card", has=page.locator("#card-drawn"))
        expect(card.get_by_role("heading", name="Tas dessiné")).to_be_visible()
        expect(card.locator(".picture svg .stone").first).to_be_attached()
        card.get_by_role("button", name="Jouer").click()
        screen.started()
        assert grave(page) == []
        expect(page.locator(".pile .stone").first).to_have_css("stroke-width", "3px")
        while (view := screen.on_turn())["live"]:
            expect(page.locator(".pile .stone")).to_have_count(view["scene"]["left"])
            page.get_by_role("button", name="Prendre 1").click()
            screen.after(view["plies"] + 1)
        expect(page.locator(".pile .stone")).to_have_count(0)


LEGAL_MARKS = """async (show_legal) => {
  const names = ["generic/scene", "shell/shown", "vendor/lit-html/lit-html", "shell/texts"];
  const [{ board }, { contextOf }, { render }, { loadParts }] = await Promise.all(
    names.map((name) => import(`/static/${name}.js`)),
  );
  await loadParts(["generic"]);
  const cells = [0, 1, 2].map((column) => ({ name: `c${column}`, row: 0, col: column }));
  const scene = { board: { label: "three cells", cells }, moves: [{ text: "c1", cells: [1] }], last: [] };
  const position = { moves: [], legal: ["c1"], cells: [], players: 2, to_move: 0, scene, show_legal };
  const place = document.createElement("div");
  render(board(contextOf("three", position, { ui: {}, redraw: () => {} })), place);
  return place.querySelectorAll("circle.hint").length;
}"""


def test_an_illustration_of_a_scene_marks_legal_moves_where_it_says_so(screen: Screen) -> None:
    assert screen.page.evaluate(LEGAL_MARKS, True) == 1
    assert screen.page.evaluate(LEGAL_MARKS, False) == 0


EFFECTS = LEGAL_MARKS.replace("last: []", "last: [0], effects: [2], colours: ['black', 'yellow']").replace(
    "return place.querySelectorAll",
    """const { stylesheet } = await import("/static/shell/renderer.js");
  await stylesheet("/static/generic/renderer.css");
  const page = document.querySelector("main");
  page.classList.add("match");
  page.append(place);
  const colour = (name) => getComputedStyle(page).getPropertyValue(name);
  return [place.querySelector(".cell.effect").dataset.cell, colour("--p1") === colour("--black"),
    colour("--p2") === colour("--yellow")];
  place.querySelectorAll""",
)


def test_effects_of_the_last_move_and_colours_of_the_seats_are_drawn(screen: Screen) -> None:
    assert screen.page.evaluate(EFFECTS, False) == ["2", True, True]


def test_a_scene_is_played_by_cells_paths_edges_and_buttons(chrome: Browser, outside: RunningServer) -> None:
    with Screen(chrome, outside, PHONE) as screen:
        page, keyboard = screen.page, screen.page.keyboard
        card = page.locator(".card", has=page.locator("#card-scened"))
        expect(card.locator(".picture svg.small-board polygon").first).to_be_attached()
        screen.begin("scened", "seven", "you", "you")
        assert grave(page) == []
        assert screen.overflow() <= 0
        expect(page.locator(".board .cell")).to_have_count(6)
        expect(page.locator(".coach")).to_be_hidden()
        expect(page.locator(".board .piece")).to_have_count(6)
        expect(page.locator(".scene-panel")).to_contain_text("7 stones")
        expect(page.locator(".status")).to_contain_text("First to move")
        # Two cells in order, by touch; the second alone plays nothing.
        page.locator('[data-cell="2"]').tap()
        expect(page.locator(".unseen[aria-live]")).to_contain_text("Nothing can be played at h2")
        expect(page.locator(".refusal")).to_have_text("Nothing can be played at h2.")
        page.locator('[data-cell="1"]').tap()
        expect(page.locator(".cell.chosen")).to_have_attribute("data-cell", "1")
        page.locator('[data-cell="2"]').tap()
        assert screen.after(1)["moves"][0]["text"] == "take2"
        expect(page.locator(".cell.last")).to_have_count(2)
        # The same by keyboard: Escape takes a choice back, arrows lead over cells and edges.
        screen.tab_to(".board")
        page.locator('[data-cell="1"]').focus()
        keyboard.press("Enter")
        expect(page.locator(".cell.chosen")).to_have_count(1)
        keyboard.press("Escape")
        expect(page.locator(".cell.chosen")).to_have_count(0)
        page.locator('[data-cell="3"]').focus()
        keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.dataset.edge") == "0"
        keyboard.press("Enter")
        assert screen.after(2)["moves"][1]["text"] == "take3"
        page.locator("label", has_text="Heat").click()
        assert page.locator(".board .value").all_text_contents() == ["50%", "-50%"]
        page.locator('[data-cell="0"]').tap()
        screen.after(3)
        expect(page.locator(".generic-moves button")).to_have_count(0)


def test_a_scene_that_fails_is_replaced_by_the_list_of_moves(chrome: Browser, outside: RunningServer) -> None:
    with Screen(chrome, outside) as screen:
        screen.begin("dry", "seven", "you", "you")
        expect(screen.page.locator(".panel.fault")).to_contain_text("scened:broken: RuntimeError: the paint is dry")
        expect(screen.page.locator(".generic pre")).to_have_text("ooooooo")
        screen.page.locator(".generic-moves button").last.click()
        screen.after(1)
        expect(screen.page.locator(".generic pre")).to_have_text("oooo")
        assert "the paint is dry" in outside.log()


def test_a_renderer_that_fails_is_replaced_by_the_generic_board(chrome: Browser, tmp_path: Path) -> None:
    path = installed(tmp_path / "site")
    for part, (renderer, _) in BROKEN.items():
        crack(tmp_path / "site", f"cracked_{part}", renderer)
    with served(tmp_path, *GENEROUS, "--workers", "1", PYTHONPATH=path) as server, Screen(chrome, server) as screen:
        # A draw that the page did not ask for meets the renderer before it is replaced.
        screen.foreseen = ("404", "late", "torn", "reading 'map'")
        page = screen.page
        for part, (_, reason) in BROKEN.items():
            screen.begin(f"cracked_{part}", "seven", "you", "you")
            expect(page.locator(".panel.fault")).to_contain_text(reason)
            for plies, left in ((1, "oooo"), (2, "o")):
                page.locator(".generic-moves button").last.click()
                screen.after(plies)
                expect(page.locator(".generic pre")).to_have_text(left)
            page.keyboard.press("PageUp")
            expect(page.locator(".generic pre")).to_have_text("oooo")
        # So is it in a tutorial, whose task can still be completed.
        for part in ("loading", "export", "board", "drawing"):
            page.goto(f"/learn/cracked_{part}")
            expect(page.locator(".panel.fault")).to_contain_text(BROKEN[part][1])
            expect(page.locator(".generic pre")).to_have_text("ooooooo")
            page.get_by_role("button", name="take3").click()
            expect(page.locator(".learn-answer .right")).to_contain_text("tutorial_take_done en")
            expect(page.locator(".generic pre")).to_have_text("oooo")
        page.get_by_role("button", name="Language").click()
        expect(page.locator(".panel.fault")).to_contain_text("Le plateau de ce jeu")
