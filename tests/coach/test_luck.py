"""Skill and luck apart, on a game whose probabilities are known: three guesses for one of five numbers."""

from typing import Any

import pytest

from ludex.coach.luck import draws, ended, luck, worth
from ludex.core.game import Player
from ludex.core.match import Match
from ludex.core.seeding import generator
from tests.core.conformance.toy_games import Guess, Nim

GAME = Guess(players=1)


def chances(state: Any, player: Player) -> float:
    """The exact probability to find the number."""
    made: int = sum(state.tried)
    return (3 - made) / (5 - made)


def test_the_worth_of_a_move_is_what_draws_give_on_average() -> None:
    match = Match(GAME, seed=3)
    found = worth(GAME, match.state, 2, chances, 2000, generator(1, 0))
    assert found == pytest.approx(0.6, abs=0.02)


@pytest.mark.slow
def test_luck_is_zero_in_expectation_and_explains_the_results() -> None:
    """With one choice as good as any other nothing but luck is between the first probability and the result."""
    total, most = 0.0, 400
    for seed in range(most):
        match = Match(GAME, seed)
        given = 0.0
        for number in range(3):
            if match.over:
                break
            before = match.state
            match.play(number)
            given += luck(GAME, before, number, match.state, chances, 40, generator(seed, number, 9))
        result = ended(GAME, match.state, 0)
        assert result is not None
        assert given == pytest.approx(result - 0.6, abs=0.45)
        total += given
    # The standard deviation of one result is about a half.
    assert abs(total / most) < 4 * 0.5 / most**0.5


def test_moves_without_chance_are_known() -> None:
    assert draws(GAME, Match(GAME, 1).state, 0, generator(1, 0))
    nim = Nim()
    assert not draws(nim, Match(nim, 1).state, 0, generator(1, 0))
