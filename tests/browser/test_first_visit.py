"""What Chromium really loads for somebody who has never been here, by a link to each page."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.browsing import PATIENCE_MS, Screen
from tests.web.first_visit import LANGUAGES, STATIC, home_visit, match_visit
from tests.web.running import RunningServer

MOST_BYTES = 60_000
ICON = "style/icon.svg"
"""A browser asks for it when it likes."""

_LOADED = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .map((entry) => [new URL(entry.name).pathname, entry.encodedBodySize])
  .filter(([path]) => !path.startsWith("/api/"))"""

# Run before anything of the page: all that the first place of the header is ever called.
_READ = """() => {
  window.read = [];
  new MutationObserver(() => {
    const said = document.querySelector("header nav a")?.textContent;
    if (said && window.read.at(-1) !== said) window.read.push(said);
  }).observe(document, {subtree: true, childList: true, characterData: true});
}"""


@contextmanager
def newcomer(chrome: Browser, server: RunningServer, language: str) -> Iterator[Page]:
    """A browser that knows nothing of the server, of somebody who speaks a language."""
    context = chrome.new_context(locale=language, base_url=server.url)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.add_init_script(f"({_READ})()")
    yield page
    context.close()


def loaded(page: Page) -> dict[str, int]:
    """The files loaded by their paths, and what each weighed on its way."""
    sizes: dict[str, int] = dict(page.evaluate(_LOADED))
    return {_file(path): size for path, size in sizes.items()}


def _file(path: str) -> str:
    """The file that is served under a path; what is not a file of its own is the page itself."""
    return path.removeprefix("/static/") if path.startswith("/static/") else "index.html"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("game", "preset", "seats"),
    [
        ("tictactoe", "3x3x3", ["you", "you"]),
        ("quoridor", "9x9", ["you", "you"]),
        ("skirmish", "default", ["you", "you"]),
        ("minesweeper", "beginner", ["you"]),
    ],
)
def test_a_link_to_a_match_loads_what_is_counted_and_no_more(
    screen: Screen, chrome: Browser, server: RunningServer, game: str, preset: str, seats: list[str], language: str
) -> None:
    clock = {"seconds": 600, "increment": 5} if len(seats) == 2 else None
    screen.begin(game, preset, *seats, clock=clock)
    with newcomer(chrome, server, language) as page:
        page.goto(f"/match/{screen.id}")
        page.wait_for_selector(".board")
        files = loaded(page)
    counted = {str(file.relative_to(STATIC)) for file in match_visit(game, language, clock=clock is not None)}
    assert files.keys() - {ICON} == counted - {ICON}
    assert sum(files.values()) < MOST_BYTES


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_home_page_loads_what_is_counted_and_no_more(chrome: Browser, server: RunningServer, language: str) -> None:
    counted = {str(file.relative_to(STATIC)) for file in home_visit(language)}
    with newcomer(chrome, server, language) as page:
        page.goto("/")
        page.wait_for_function("() => document.querySelectorAll('.card .picture svg').length === 4")
        files = loaded(page)
    assert files.keys() - {ICON} == counted - {ICON}
    assert sum(files.values()) < MOST_BYTES


@pytest.mark.parametrize(("language", "said"), [("en", "Games"), ("fr", "Jeux")])
def test_the_first_thing_painted_is_in_the_language_of_who_comes(
    chrome: Browser, server: RunningServer, language: str, said: str
) -> None:
    with newcomer(chrome, server, language) as page:
        page.goto("/")
        page.wait_for_selector(".cards")
        assert page.evaluate("window.read") == [said]
        assert page.evaluate("document.documentElement.lang") == language


def test_a_language_is_loaded_when_it_is_chosen_and_there_at_once_after_a_reload(screen: Screen) -> None:
    page = screen.page
    screen.begin("quoridor", "5x5", "you", "you")
    assert not [path for path in loaded(page) if path.endswith(".fr.js")]
    page.get_by_role("button", name="EN").click()
    page.wait_for_selector("html[lang=fr]")
    expect(page.get_by_role("heading", name="Coups")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Clavier")).to_be_visible()
    page.add_init_script(f"({_READ})()")
    page.reload()
    page.wait_for_selector(".board")
    assert page.evaluate("window.read") == ["Jeux"]
    assert not [path for path in loaded(page) if path.endswith(".en.js")]
