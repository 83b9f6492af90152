"""A game of each on a desktop and on a phone: clicks and taps play its last plies."""

from collections.abc import Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

import ludex
from ludex.core import registry
from ludex.core.game import legal_actions
from ludex.core.match import Match
from ludex.core.seeding import generator
from tests.browser.accessibility import grave
from tests.browser.browsing import DESKTOP, PHONE, Screen, chromium
from tests.web.playing import GENEROUS
from tests.web.running import RunningServer, served

BOARDS = {
    "boxes": "3x3",
    "breakthrough": "6x6",
    "connect_four": "6x5",
    "dark_hex": "3x3",
    "einstein": "5x5",
    "go": "7x7",
    "hex": "5x5",
    "morris": "classic",
    "othello": "6x6",
}
LAST = 3
"""Plies that are played on the screen."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with served(tmp_path_factory.mktemp("server"), *GENEROUS, "--workers", "1") as running:
        yield running


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def random_game(game: str, preset: str) -> tuple[int, list[str]]:
    """The shortest of some random games: the seed of its dice, and its moves."""
    games: list[tuple[int, list[str]]] = []
    for seed in range(5):
        match: Match[Any, Any] = Match(ludex.make(game, preset), seed)
        while match.outcome is None:
            match.play(generator(seed, match.ply).choice(legal_actions(match.legal())))
        games.append((seed, [move.text for move in match.moves]))
    return min(games, key=lambda played: len(played[1]))


def press(screen: Screen, match: dict[str, Any], text: str) -> None:
    """Play a move as a person does: by its cells, its edge or its button."""
    move = next(move for move in match["scene"]["moves"] if move["text"] == text)
    for cell in move.get("cells", []):
        screen.page.locator(f'[data-cell="{cell}"]').click()
    if move.get("edge") is not None:
        # An edge is a stroke: as an element it has no height or no width.
        box = screen.page.locator(f'[data-edge="{move["edge"]}"]').bounding_box()
        assert box is not None
        screen.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    elif not move.get("cells"):
        screen.page.locator(".generic-moves button").click()


SCREENS = [
    *(pytest.param(game, PHONE, id=f"{game}-phone") for game in BOARDS),
    # Boards are drawn by one renderer: a desktop shows each kind of move, by cells and by edges.
    *(
        pytest.param(game, DESKTOP, id=f"{game}-desktop", marks=() if game in ("boxes", "morris") else pytest.mark.full)
        for game in BOARDS
    ),
]


@pytest.mark.parametrize(("game", "viewport"), SCREENS)
def test_a_game_is_played_to_its_end(chrome: Browser, server: RunningServer, game: str, viewport: ViewportSize) -> None:
    seed, moves = random_game(game, BOARDS[game])
    with Screen(chrome, server, viewport) as screen:
        screen.make(game, BOARDS[game], "you", "you", seed=seed)
        for text in moves[:-LAST]:
            screen.play(text)
        screen.look_at(screen.id)
        for text in moves[-LAST:]:
            match = screen.on_turn()
            press(screen, match, text)
            screen.after(match["plies"] + 1)
        end = screen.match()
        assert (end["live"], end["plies"]) == (False, len(moves))
        expect(screen.page.locator(".status")).to_contain_text("wins" if any(end["outcome"]["scores"]) else "draw")
        expect(screen.page.get_by_role("button", name="Play again")).to_be_visible()
        assert screen.overflow() <= 0


LOOKS = {"breakthrough": "checkers", "connect_four": "rack", "go": "wood", "hex": "tiles", "othello": "felt"}


@pytest.mark.parametrize("game", LOOKS)
def test_a_board_looks_like_what_it_is_made_of(game: str) -> None:
    match: Match[Any, Any] = Match(ludex.make(game, BOARDS[game]), seed=0)
    scene = registry.resolve(registry.spec(game).screen.scene or "")
    assert scene(match.game, match.state, match.legal()).board.look == LOOKS[game]


@pytest.mark.parametrize(("motion", "duration"), [("no-preference", "0.42s"), ("reduce", "0.001s")])
def test_a_disc_falls_behind_the_rack_unless_motion_is_unwanted(
    chrome: Browser, server: RunningServer, motion: Literal["no-preference", "reduce"], duration: str
) -> None:
    with Screen(chrome, server, PHONE, colours="dark", language="fr") as screen:
        screen.tab.emulate_media(reduced_motion=motion)
        screen.begin("connect_four", "5x4", "you", "you")
        expect(screen.page.locator("svg.board .hole")).to_have_count(20)
        screen.page.locator('[data-cell="2"]').click()
        disc = screen.page.locator(".piece circle").first
        expect(disc).to_have_css("animation-name", "fall")
        expect(disc).to_have_css("animation-duration", duration)
        assert grave(screen.page) == []


def test_the_classics_stand_in_a_row_of_their_own(chrome: Browser, server: RunningServer) -> None:
    with Screen(chrome, server, language="fr") as screen:
        rows = screen.open("/").locator(".cards")
        expect(rows).to_have_count(2)
        expect(screen.page.locator(".shelf")).to_have_text("Classiques")
        expect(rows.nth(1).locator(".card")).to_have_count(len(BOARDS))
        expect(rows.nth(1).locator(".picture svg")).to_have_count(len(BOARDS))
        expect(rows.nth(1)).to_contain_text("Percée")
        expect(rows.nth(0)).not_to_contain_text("Percée")
