"""Needless guesses, riskier cells and luck, by exact probabilities."""

from typing import Any

import pytest

from ludex.coach.analyst import Analyst
from ludex.coach.model import Review
from ludex.coach.review import explained, positions_of, review_of
from ludex.core.game import legal_actions
from ludex.core.match import Match
from ludex.core.registry import make
from ludex.core.seeding import generator

GAME = make("minesweeper", rows=4, cols=4, mines=4)


def by_chance(seed: int) -> Match[Any, Any]:
    """A game of random reveals."""
    match: Match[Any, Any] = Match(GAME, seed)
    while not match.over:
        cells = [action for action in legal_actions(match.legal()) if action < 16]
        match.play(generator(seed, match.ply, 7).choice(cells))
    return match


@pytest.fixture(scope="module")
def reviews() -> list[Review]:
    analyst, found = Analyst(GAME), []
    for seed in range(60):
        match = by_chance(seed)
        found.append(explained(match, {ply: analyst.assess(match, ply) for ply in positions_of(match)}))
    return found


def test_luck_is_zero_in_expectation(reviews: list[Review]) -> None:
    given = [review.luck[0] or 0.0 for review in reviews]
    mean = sum(given) / len(given)
    deviation = (sum((one - mean) ** 2 for one in given) / len(given)) ** 0.5
    assert deviation > 0.1
    assert abs(mean) < 3 * deviation / len(given) ** 0.5


def test_a_needless_guess_loses_its_risk_and_is_proven(reviews: list[Review]) -> None:
    moves = [move for review in reviews for move in review.moves]
    needless = [move for move in moves for reason in move.reasons if reason.id == "minesweeper.review_needless"]
    assert needless
    for move in needless:
        risk = 1.0 - move.kept / move.expected
        assert 0.0 < risk < 1.0
        assert move.move_class in ("inaccuracy", "mistake", "blunder") or move.luck
    assert any(len(move.reasons) > 1 for move in needless), "the proof follows"
    assert {reason.id for move in moves for reason in move.reasons} >= {
        "minesweeper.review_certain_mine",
        "minesweeper.review_lucky",
    }


def test_flags_are_not_judged() -> None:
    match: Match[Any, Any] = Match(GAME, seed=1)
    match.play_text("a1")
    if not match.over:
        match.play(16 + legal_actions(match.legal())[0])
        flag = review_of(match).moves[1]
        assert (flag.forced, flag.loss, flag.luck) == (True, 0.0, None)
