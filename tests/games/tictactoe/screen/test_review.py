"""Why a move is good or worse than another, in words."""

import pytest

from ludex.coach.review import review_of
from ludex.core.explanation import reasons_of
from ludex.core.limit import Limit
from ludex.core.match import decide
from ludex.core.record import match_of
from ludex.core.registry import make_agent


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


@pytest.mark.parametrize(
    ("line", "english", "french"),
    [
        ("a1 a3 b1 c2", "This square completes your line: you win.", "vous gagnez"),
        ("a1 b2 c2 b3", "O would complete a line here next: this square stops it.", "O compléterait une ligne ici"),
        ("a1 b1", "This threat has only one answer, and then", "une réponse, et c3 fera ensuite une fourchette"),
        ("a1", "7 other squares let X make a fork", "7 autres cases permettent à X une fourchette"),
        ("", "Every square is as good here", "Toutes les cases se valent ici"),
    ],
)
@pytest.mark.parametrize("agent", ["perfect", "ranking"])
def test_a_hint_speaks_of_lines_and_forks(agent: str, line: str, english: str, french: str) -> None:
    match = match_of(f"tictactoe 3x3x3: {line}")
    decision = decide(match, make_agent(match.game, agent), Limit())
    first, *_ = reasons_of(match.game, match.state, decision, addressed=True)
    assert english in first.text("en")
    assert french in first.text("fr")
    assert "Q" not in first.text("en")
