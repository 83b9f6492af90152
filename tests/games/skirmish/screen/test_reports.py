"""Moves and turns in words."""

import pytest

from ludex.core.limit import Limit
from ludex.core.match import Match
from ludex.core.messages import catalogue
from ludex.core.registry import make, make_agent
from ludex.core.seeding import Rng
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.position import Position, View
from ludex.games.skirmish.screen.descriptions import move_words, report
from ludex.games.skirmish.screen.scene import history

PLACEMENTS = ("deploy/01/0.0", "deploy/04/9.0", "deploy/02/0.1", "deploy/05/9.1", "deploy/03/0.2", "deploy/06/9.2")
TURN = (
    *("activate/01", "move/4.4", "activate/02", "move/3.6", "activate/03", "move/7.2"),
    *("activate/01", "shoot/06", "activate/02", "shoot/06", "activate/03", "shoot/06"),
    *("activate/03", "charge/06", "land/8.3", "activate/02", "charge/06", "land/9.3", "activate/01", "charge/06"),
    *("land/8.2", "activate/03", "fight/06", "activate/02", "fight/06", "activate/01", "fight/05"),
)


@pytest.fixture(scope="module")
def battle() -> Match[Position, View]:
    """A match after the first player's first turn."""
    match: Match[Position, View] = Match(make("skirmish", "small"), seed=3)
    for text in (*PLACEMENTS, *TURN):
        match.play_text(text)
    return match


def test_a_move_names_its_unit_what_it_does_and_to_whom(battle: Match[Position, View]) -> None:
    game = battle.game
    assert isinstance(game, Skirmish)
    moves = list(zip(battle.positions, battle.moves, strict=False))
    words = [move_words(game, position, move.action) for position, move in moves]
    assert [words[ply].text() for ply in (0, 6, 7, 13, 19, 20, 28)] == [
        "Line Guard 01 → 0.0",
        "Line Guard 01 acts",
        "Line Guard 01 → 4.4",
        "Line Guard 01 shoots at Reaver 06",
        "Reaver 03 charges Reaver 06",
        "Reaver 03 → 8.3",
        "Reaver 03 strikes Reaver 06",
    ]
    assert words[13].text("fr") == "Garde de ligne 01 tire sur Pillard 06"


def test_a_report_sums_up_the_other_players_turn(battle: Match[Position, View]) -> None:
    summary = report(battle, battle.ply)
    assert summary is not None
    assert summary.text() == (
        "Player 1 moved 3 units, shot at Reaver 06, charged Reaver 06, struck Reaver 06 and Outrider 05, "
        "dealt you 5 wounds and destroyed Reaver 06."
    )
    assert summary.text("fr").startswith("Le joueur 1 a déplacé 3 unités, a tiré sur Pillard 06")
    assert history(battle, battle.ply)["report"] == {"en": summary.text(), "fr": summary.text("fr")}


def test_there_is_no_report_before_and_during_ones_own_turn(battle: Match[Position, View]) -> None:
    assert report(battle, 0) is None
    assert report(battle, len(PLACEMENTS) + 1) is None
    placed = report(battle, 1)
    assert placed is not None
    assert placed.text() == "Player 1 placed 1 unit."


@pytest.mark.parametrize("name", ["objective", "aggressive", "defensive", "greedy"])
def test_every_term_of_a_candidate_has_a_title(battle: Match[Position, View], name: str) -> None:
    game, titles = battle.game, catalogue("skirmish", "fr")
    agent, terms = make_agent(game, name), set[str]()
    for position in battle.positions:
        view, legal = game.view(position, game.to_move(position)), game.legal(position)
        decision = agent.decide(view, legal, rng=Rng(0), limit=Limit())
        terms |= {term for candidate in decision.candidates for term in candidate.terms}
    assert len(terms) > 3
    assert {term for term in terms if f"figure_{term}" not in titles} == set()
