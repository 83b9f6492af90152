"""With `prefers-reduced-motion` nothing moves, without it something does."""

from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.browser.browsing import Screen

LONGEST = """() => {
  // Computed durations are always in seconds.
  const seconds = (text) => Math.max(...text.split(",").map(parseFloat));
  let longest = 0;
  for (const element of document.querySelectorAll("*")) {
    for (const part of [null, "::before", "::after"]) {
      const style = getComputedStyle(element, part);
      if (style.animationName !== "none") longest = Math.max(longest, seconds(style.animationDuration));
      longest = Math.max(longest, seconds(style.transitionDuration));
    }
  }
  return longest;
}"""
PICTURES = "() => [...document.querySelectorAll('.card .picture svg')].map((picture) => picture.innerHTML).join()"
STILL = 0.001
"""Seconds: shorter than a frame, and what waits for the end of an animation still hears of it."""


def moves(screen: Screen) -> float:
    longest: float = screen.page.evaluate(LONGEST)
    return longest


@pytest.mark.parametrize(
    ("game", "preset", "seats"),
    [
        ("tictactoe", "3x3x3", ("you", "perfect")),
        pytest.param("quoridor", "5x5", ("you", "easy"), marks=pytest.mark.full),
        pytest.param("minesweeper", "small_8x8_10", ("you",), marks=pytest.mark.full),
        ("skirmish", "people", ("you", "random")),
    ],
)
def test_no_page_of_a_match_moves(screen: Screen, game: str, preset: str, seats: tuple[str, ...]) -> None:
    screen.begin(game, preset, *seats)
    assert moves(screen) > 0.05
    screen.page.emulate_media(reduced_motion="reduce")
    assert moves(screen) <= STILL


@pytest.mark.parametrize(("motion", "still"), [("reduce", True), ("no-preference", False)])
def test_the_pictures_of_the_games_stand_still(
    screen: Screen, motion: Literal["reduce", "no-preference"], still: bool
) -> None:
    screen.tab.emulate_media(reduced_motion=motion)
    screen.tab.clock.install()
    screen.open("/")
    expect(screen.page.locator(".card svg:has(.initial)")).to_have_count(0)
    expect(screen.page.locator(".card .picture svg")).to_have_count(4)
    before = screen.page.evaluate(PICTURES)
    screen.page.clock.run_for(5_000)
    assert (screen.page.evaluate(PICTURES) == before) is still
    assert (moves(screen) <= STILL) is still
