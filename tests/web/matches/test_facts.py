"""Facts of finished matches: computed in a worker, once, and never in the answer to a view."""

import ludex
from ludex.core.record import match_file
from ludex.games.minesweeper.agents.luck import luck_of
from tests.web.playing import Visitor, path


def test_a_view_has_no_luck_and_its_facts_do(ann: Visitor) -> None:
    game = ludex.make("minesweeper", "small_8x8_10")
    played = ludex.play(game, [ludex.make_agent(game, "random")], seed=3)
    match = ann.bring(match_file(played, ("random",)))
    assert "luck" not in match["scene"]
    luck = ann.ask("GET", path(match, "facts")).json()["facts"]["luck"]
    found = luck_of(played)
    assert luck == {"spent": found.spent, "guesses": len(found.guesses), "needless": len(found.needless)}
    assert ann.ask("GET", path(match, "facts")).json()["facts"]["luck"] == luck


def test_live_matches_and_games_without_facts_have_none(ann: Visitor) -> None:
    for game, seats in (("minesweeper", ("you",)), ("tictactoe", ("you", "you"))):
        match = ann.begin(game, *seats)
        assert ann.ask("GET", path(match, "facts")).json() == {"facts": None}
    assert ann.ask("GET", path(ann.change(match, "resign"), "facts")).json() == {"facts": None}
