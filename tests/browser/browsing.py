"""A real Chromium in front of a running server."""

import json
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, Self

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect, sync_playwright

import ludex.web
from tests.web.running import ADMIN_TOKEN, RunningServer

FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
DESKTOP: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
PATIENCE_MS = 60_000
TEXTS = Path(ludex.web.__file__).parent / "static" / "texts"
MOST_TABS = 100
languages = pytest.mark.parametrize("language", ["fr", pytest.param("en", marks=pytest.mark.full)])
"""A page weighs more in French, and its words are longer; the catalogues of both languages have the same keys."""


def half(games: Iterable[str]) -> list[Any]:
    """Every second game, for a page that all games share; the others are left to the full tests."""
    return [pytest.param(game, marks=pytest.mark.full) if number % 2 else game for number, game in enumerate(games)]


def first(games: Iterable[str]) -> list[Any]:
    """The first game, for a page that all games share and whose content is checked for each of them elsewhere."""
    return [pytest.param(game, marks=pytest.mark.full) if number else game for number, game in enumerate(games)]


def sentences(language: str, part: str, section: str) -> dict[str, str]:
    """The sentences of one section of the app's catalogue, which a test of another keeps complete in both languages."""
    catalogue: dict[str, dict[str, str]] = json.loads((TEXTS / language / f"{part}.json").read_text(encoding="utf-8"))
    return catalogue[section]


@contextmanager
def chromium() -> Iterator[Browser]:
    """The system's browser, or the one that Playwright has installed; without a window it takes half the CPU time."""
    expect.set_options(timeout=PATIENCE_MS)
    executable = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(FLAGS))
        yield browser
        browser.close()


# A press while a change is on its way is dropped, as a double click must be.
_SHOWN = """(plies) => document.querySelectorAll(".plies .ply").length >= plies
  && document.querySelector(".board-frame")?.ariaBusy === 'false'"""


class Screen:
    """One person's browser. Leaving it fails if the page has logged an error that was not foreseen."""

    def __init__(
        self,
        browser: Browser,
        server: RunningServer,
        viewport: ViewportSize = DESKTOP,
        colours: Literal["light", "dark"] = "light",
        language: str = "en",
    ) -> None:
        phone = viewport is PHONE
        self._context = browser.new_context(
            viewport=viewport,
            color_scheme=colours,
            has_touch=phone,
            is_mobile=phone,
            locale=language,
            base_url=server.url,
        )
        self._width = viewport["width"]
        self._page = self._context.new_page()
        self._page.set_default_timeout(PATIENCE_MS)
        self._opened = False
        self.faults: list[str] = []
        self.foreseen: tuple[str, ...] = ()
        self._page.on("console", lambda said: self.faults.append(said.text) if said.type == "error" else None)
        self._page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.id = ""

    @property
    def tab(self) -> Page:
        """The page before anything is opened in it."""
        return self._page

    @property
    def page(self) -> Page:
        """What the person sees: the home page, unless another one was opened first."""
        return self._page if self._opened else self.open("/")

    def open(self, path: str) -> Page:
        """Go to an address."""
        self._opened = True
        self._page.goto(path)
        return self._page

    def log_in(self) -> None:
        """Be the server's administrator from now on."""
        assert self._context.request.post("/api/administrator/login", data={"token": ADMIN_TOKEN}).ok

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._context.close()
        if kind is None:
            assert [fault for fault in self.faults if not any(word in fault for word in self.foreseen)] == []

    def begin(self, game: str, preset: str, *seats: str, seed: int = 1, clock: dict[str, int] | None = None) -> None:
        """Make a match for practice and open its page."""
        self.make(game, preset, *seats, seed=seed, clock=clock)
        self.look_at(self.id)

    def make(self, game: str, preset: str, *seats: str, seed: int = 1, clock: dict[str, int] | None = None) -> None:
        """Make a match for practice; a page that is opened later draws the moves played until then only once."""
        document = {"game": game, "preset": preset, "seats": seats, "practice": True, "seed": seed, "clock": clock}
        status, made = self.ask("POST", "/api/matches", document)
        while made.get("code") == "preparing":
            status, made = self.ask("POST", "/api/matches", document)
        assert status == 201, made
        self.id = made["id"]

    def bring(self, file: dict[str, Any]) -> None:
        """Import a match file and open its page."""
        status, made = self.ask("POST", "/api/matches/import", file)
        while made.get("code") == "preparing":
            status, made = self.ask("POST", "/api/matches/import", file)
        assert status == 201, made
        self.look_at(made["id"])

    def look_at(self, match: str) -> None:
        """Open the page of a match."""
        self.id = match
        self.open(f"/match/{match}").wait_for_selector(".board")

    def started(self) -> None:
        """Take over the match that the page itself has begun."""
        self.page.wait_for_url("**/match/*")
        self.page.wait_for_selector(".board-frame")
        self.id = self.page.url.rpartition("/")[2]

    def match(self) -> dict[str, Any]:
        """The match as the server shows it to this person."""
        status, answer = self.ask("GET", f"/api/matches/{self.id}", None)
        assert status == 200, answer
        assert isinstance(answer, dict)
        return answer

    def stage(self) -> Any:
        return self.ask("GET", f"/api/matches/{self.id}/stage", None)[1]["stage"]

    def play(self, text: str) -> None:
        """Play a move behind the screen's back; it hears of it."""
        body = {"version": self.match()["version"], "text": text}
        status, answer = self.ask("POST", f"/api/matches/{self.id}/moves", body)
        assert status == 200, answer

    def after(self, plies: int) -> dict[str, Any]:
        """Wait until so many moves are played, on the server and on the screen."""
        for _ in range(PATIENCE_MS // 50):
            view = self.match()
            if view["plies"] >= plies:
                self.page.wait_for_function(_SHOWN, arg=plies)
                return view
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{plies} plies were expected, and {self.match()['plies']} were played")

    def on_turn(self) -> dict[str, Any]:
        """Wait until this person can move or the match is over, on the server and on the screen."""
        for _ in range(PATIENCE_MS // 50):
            view = self.match()
            if view["can"]["move"] or not view["live"]:
                self.page.wait_for_function(_SHOWN, arg=view["plies"])
                return view
            self.page.wait_for_timeout(50)
        raise AssertionError(f"a turn was expected, and the match says: {self.match()['status']}")

    def tab_to(self, selector: str) -> None:
        """Press Tab until something there has the focus, as a person without a mouse does."""
        for _ in range(MOST_TABS):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("(selector) => Boolean(document.activeElement.closest(selector))", selector):
                return
        raise AssertionError(f"{selector} is not reached by {MOST_TABS} Tabs")

    def overflow(self) -> int:
        """By how many pixels the page is wider than its screen."""
        return int(self.page.evaluate("document.documentElement.scrollWidth")) - self._width

    def test_id(self, name: str) -> Locator:
        return self.page.get_by_test_id(name)

    def ask(self, method: str, path: str, body: object) -> Any:
        """The status and the document that a request with this person's cookies is answered with, past the page."""
        data = None if body is None else json.dumps(body)
        headers = {"content-type": "application/json"}
        answer = self._context.request.fetch(path, method=method, data=data, headers=headers, timeout=PATIENCE_MS)
        return answer.status, answer.json()
