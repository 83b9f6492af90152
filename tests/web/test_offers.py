"""The next difficulty for a person: above after two wins in a row, below after three losses."""

import pytest

from ludex.core import registry
from ludex.web.ratings import _offer

WON, DRAWN, LOST = 1.0, 0.0, -1.0


@pytest.mark.parametrize(
    ("results", "offered"),
    [
        ([WON], None),
        ([WON, WON], "casual"),
        ([WON, WON, LOST], "casual"),
        ([WON, LOST, WON], None),
        ([LOST, LOST], None),
        ([LOST, LOST, LOST], "newcomer"),
        ([DRAWN, WON, WON], None),
        ([WON, DRAWN, WON], None),
    ],
)
def test_wins_in_a_row_lead_up_and_losses_down(results: list[float], offered: str | None) -> None:
    found = _offer(registry.spec("tictactoe"), [("beginner", score, "3x3x3") for score in results])
    assert (found and found.offer) == offered


def test_the_ends_of_the_ladder_lead_nowhere() -> None:
    spec = registry.spec("tictactoe")
    for level, score in (("unbeatable", WON), ("newcomer", LOST)):
        found = _offer(spec, [(level, score, "3x3x3")] * 3)
        assert found is not None
        assert (found.offer, found.text, abs(found.streak)) == (None, None, 3)


def test_other_levels_end_a_streak_and_agents_are_no_level() -> None:
    spec = registry.spec("tictactoe")
    found = _offer(spec, [("beginner", WON, "3x3x3"), ("newcomer", WON, "3x3x3")])
    assert found is not None
    assert (found.streak, found.offer) == (1, None)
    assert _offer(spec, [("perfect", WON, "3x3x3")] * 2) is None
    assert _offer(spec, []) is None


def test_alone_the_difficulty_is_the_board() -> None:
    found = _offer(registry.spec("minesweeper"), [("beginner_9x9_10", WON, "beginner_9x9_10")] * 2)
    assert found is not None
    assert found.offer == "small_8x8_10"
    assert found.text == {
        "en": "2 wins in a row: try Small · 8×8, 10 mines",  # noqa: RUF001
        "fr": "2 victoires de suite : essayez Petit · 8×8, 10 mines",  # noqa: RUF001
    }
