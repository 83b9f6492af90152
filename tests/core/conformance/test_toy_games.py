"""The toys keep the contract: the checker finds nothing where nothing is wrong."""

import pytest

from ludex.core.conformance import check_agent, check_batch, check_game
from ludex.core.decision import Decision
from ludex.core.game import AnyGame, Mask
from ludex.core.limit import Limit
from ludex.core.seeding import Rng
from tests.core.conformance.toy_games import (
    AbortingNim,
    GameLanes,
    Guess,
    Heap,
    Master,
    Nim,
    OpenGuess,
    Pig,
    Quitter,
    Shuffler,
    SidedNim,
    vary_secret,
)

GAMES = {
    "nim": Nim(),
    "sided nim": SidedNim(),
    "aborting nim": AbortingNim(),
    "guess": Guess(),
    "open guess": OpenGuess(),
    "guess alone": Guess(players=1),
    "pig": Pig(),
}


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_game(game: AnyGame) -> None:
    check_game(game, plays=10, vary_secret=vary_secret)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_agent_of_any_game(game: AnyGame) -> None:
    check_agent(game, Shuffler, plays=2)


@pytest.mark.slow
def test_agent_that_thinks() -> None:
    check_agent(Nim(), Master)
    check_agent(Nim(), Master, limit=Limit(time_ms=50))


@pytest.mark.slow
def test_chance_may_take_most_of_an_agents_turns() -> None:
    turns: list[int] = []

    class Counted(Master):
        def decide(self, view: Heap, legal: Mask, *, rng: Rng, limit: Limit) -> Decision:
            turns.append(view.turn)
            return super().decide(view, legal, rng=rng, limit=limit)

    counts = []
    for every in (1, 3):
        turns.clear()
        check_agent(Nim(), Counted, every=every)
        assert {*turns} == {0, 1}
        counts.append(len(turns))
    assert counts[1] < counts[0]
    with pytest.raises(ValueError, match="every must be at least 1, got 0"):
        check_agent(Nim(), Master, every=0)


def test_agent_that_gives_up() -> None:
    check_agent(Nim(), Quitter)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
@pytest.mark.parametrize("num_lanes", [1, 4])
def test_batch(game: AnyGame, num_lanes: int) -> None:
    check_batch(GameLanes(game, num_lanes), game, steps=100)


@pytest.mark.slow
def test_many_seeds_find_nothing() -> None:
    for seed in (1, 7, 2**64 - 1):
        check_game(Guess(), seed=seed, plays=5, vary_secret=vary_secret)
        check_batch(GameLanes(Guess(), 3), Guess(), seed=seed, steps=40)
