"""Needless guesses, riskier cells and luck, by exact probabilities; the luck of a finished game."""

from typing import Any

import numpy as np
import pytest

from ludex.coach.analyst import Analyst
from ludex.coach.model import Review
from ludex.coach.review import explained, positions_of, review_of
from ludex.core.errors import Unsupported
from ludex.core.game import legal_actions
from ludex.core.limit import Limit
from ludex.core.match import Match, play
from ludex.core.registry import make, make_agent
from ludex.core.seeding import generator
from ludex.games.minesweeper.agents.luck import luck_of
from ludex.games.minesweeper.screen.review import facts

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
    analyst, assessed = Analyst(GAME), []
    for seed in range(60):
        match = by_chance(seed)
        assessed.append(explained(match, {ply: analyst.assess(match, ply) for ply in positions_of(match)}))
    return assessed


def test_luck_is_zero_in_expectation(reviews: list[Review]) -> None:
    luck = [review.luck[0] or 0.0 for review in reviews]
    mean = sum(luck) / len(luck)
    deviation = (sum((one - mean) ** 2 for one in luck) / len(luck)) ** 0.5
    assert deviation > 0.1
    assert abs(mean) < 3 * deviation / len(luck) ** 0.5


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


def test_the_facts_are_the_luck_of_the_game_if_it_is_counted_in_time() -> None:
    game = make("minesweeper", "beginner")
    match = play(game, [make_agent(game, "random")], seed=3)
    match_luck = luck_of(match)
    luck = {"spent": match_luck.spent, "guesses": len(match_luck.guesses), "needless": len(match_luck.needless)}
    assert facts(match, Limit()) == {"luck": luck}
    assert facts(match, Limit(stop=np.ones(1, np.uint8))) == {"luck": None}


def test_luck_that_cannot_be_counted_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_many(*_: object) -> None:
        raise Unsupported("too many numbers depend on each other here to count the layouts that fit them")

    match: Match[Any, Any] = Match(make("minesweeper", "expert:rows=64:cols=64:mines=800:start=none"), 3)
    match.play_text("a1")
    monkeypatch.setattr("ludex.games.minesweeper.agents.luck.mine_probabilities", too_many)
    assert facts(match, Limit()) == {"luck": None}
