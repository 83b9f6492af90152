"""The facts of a finished game: how much luck it took."""

import numpy as np
import pytest

from ludex.core.errors import Unsupported
from ludex.core.limit import Limit
from ludex.core.match import Match, play
from ludex.core.registry import make, make_agent
from ludex.games.minesweeper.agents.luck import luck_of
from ludex.games.minesweeper.screen.review import facts


def test_the_facts_are_the_luck_of_the_game() -> None:
    game = make("minesweeper", "beginner")
    match = play(game, [make_agent(game, "random")], seed=3)
    found = luck_of(match)
    luck = {"spent": found.spent, "guesses": len(found.guesses), "needless": len(found.needless)}
    assert facts(match, Limit()) == {"luck": luck}


def test_luck_that_is_not_counted_in_time_is_left_out() -> None:
    game = make("minesweeper", "beginner")
    match = play(game, [make_agent(game, "random")], seed=3)
    assert facts(match, Limit(stop=np.ones(1, np.uint8))) == {"luck": None}


def test_luck_that_cannot_be_counted_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_many(*_: object) -> None:
        raise Unsupported("too many numbers depend on each other here to count the layouts that fit them")

    match = Match(make("minesweeper", "expert:rows=64:cols=64:mines=800:start=none"), 3)
    match.play_text("a1")
    monkeypatch.setattr("ludex.games.minesweeper.agents.luck.mine_probabilities", too_many)
    assert facts(match, Limit()) == {"luck": None}
