"""The players by the names that the command line and the screens use."""

import pytest

import ludex
from ludex.core.errors import LudexError
from ludex.core.match import play
from tests.games.minesweeper.agents.support import moments
from tests.games.minesweeper.support import game_of


@pytest.mark.parametrize(
    "name", ["rules", "rules:guess=uniform", "heuristic", "exact", "expert", "expert:solutions=50:nodes=100"]
)
def test_a_player_is_made_by_name_and_plays_a_game_to_its_end(name: str) -> None:
    game = game_of(8, 8, 10, "zero")
    match = play(game, [ludex.make_agent(game, name)], seed=3)
    assert match.over
    assert match.ply > 0


@pytest.mark.slow
def test_options_reach_the_player() -> None:
    game = game_of(8, 8, 10, "safe")
    plain, guessing = (ludex.make_agent(game, name) for name in ("rules", "rules:guess=uniform"))
    assert any(one.decision.resigns for one in moments(game, plain, seed=1, games=10))
    assert not any(one.decision.resigns for one in moments(game, guessing, seed=1, games=10))
    far, near = (ludex.make_agent(game, name) for name in ("expert", "expert:solutions=1"))
    assert "endgame" in {one.decision.stats["how"] for one in moments(game, far, seed=1, games=10)}
    assert "endgame" not in {one.decision.stats["how"] for one in moments(game, near, seed=1, games=10)}


@pytest.mark.parametrize("name", ["expert:solutions=0", "expert:solutions=8193", "rules:guess=never", "exact:nodes=3"])
def test_an_option_that_does_not_exist_is_refused(name: str) -> None:
    with pytest.raises(LudexError):
        ludex.make_agent(game_of(8, 8, 10, "zero"), name)
