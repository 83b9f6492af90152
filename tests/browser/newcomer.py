"""A first visit, and the files that Chromium loads for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.browsing import PATIENCE_MS
from tests.web.page_weight import address
from tests.web.running import RunningServer

MOST_BYTES = 75_000
languages = pytest.mark.parametrize("language", ["fr", pytest.param("en", marks=pytest.mark.full)])
"""A page loads more in French; what is counted without a browser covers both (tests/web/test_front_end.py)."""
ICON = "/static/style/icon.svg"
"""A browser asks for it when it likes."""

_LOADED = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .map((entry) => [new URL(entry.name).pathname, entry.encodedBodySize])
  .filter(([path]) => !path.startsWith("/api/"))"""

READ = """(() => {
  window.read = [];
  new MutationObserver(() => {
    const said = document.querySelector("header nav a")?.textContent;
    if (said && window.read.at(-1) !== said) window.read.push(said);
  }).observe(document, {subtree: true, childList: true, characterData: true});
})()"""
"""Run before anything of the page, it keeps all that the first place of the header is ever called."""


@contextmanager
def newcomer(chrome: Browser, server: RunningServer, language: str) -> Iterator[Page]:
    """A fresh browser with a preferred language."""
    context = chrome.new_context(locale=language, base_url=server.url)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.add_init_script(READ)
    yield page
    context.close()


def loaded(page: Page) -> dict[str, int]:
    """The files loaded by their paths, and what each weighed on its way."""
    sizes: dict[str, int] = dict(page.evaluate(_LOADED))
    return {_file(path): size for path, size in sizes.items()}


def check_visit(page: Page, counted: set[Path]) -> None:
    """A page is light, and has loaded what is counted for it and nothing else."""
    files = loaded(page)
    assert files.keys() - {ICON} == {address(file) for file in counted} - {ICON}
    assert sum(files.values()) < MOST_BYTES


def _file(path: str) -> str:
    """The address of a file; what is not a file of its own is the page itself."""
    return path if path.startswith("/static/") else "/"
