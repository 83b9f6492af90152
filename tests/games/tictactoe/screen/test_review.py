"""Reasons for moves that lose."""

import pytest

from ludex.coach.review import review_of
from ludex.core.line import match_of


@pytest.mark.parametrize(
    ("moves", "ply", "reason"),
    [
        ("a1 b1 b2 c2 c3", 1, "b1 loses to a fork at a3: two lines at once"),
        ("a1 b2 c3 a3 c1 c2 b1", 3, "a3 loses to a fork at c1: two lines at once"),
        ("a1 b2 c3 c1 b1 a3", 4, "b1 does not stop a3, which wins at once"),
        ("a1 b2 a2 c1 b1 c2 a3", 5, "a3 would have won at once"),
    ],
)
def test_the_reason_is_named(moves: str, ply: int, reason: str) -> None:
    review = review_of(match_of(f"tictactoe 3x3x3: {moves}"))
    assert [message.text() for message in review.moves[ply].reasons] == [reason]
    assert all(message.text("fr") for message in review.moves[ply].reasons)
