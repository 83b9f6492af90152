"""Reasons by exact odds, over a whole game."""

import pytest

from ludex.arena.entrants import make_entrant
from ludex.core.game import legal_actions
from ludex.core.judgement import JudgedMove
from ludex.core.match import Match, play
from ludex.core.messages import LANGUAGES, Message
from ludex.core.registry import make
from ludex.games.skirmish.agents.situation import Field, Situation
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.position import Position, View
from ludex.games.skirmish.screen.review import fire_on, reasons


@pytest.fixture(scope="module")
def match() -> Match[Position, View]:
    game = make("skirmish", "small")
    return play(game, [make_entrant(game, "greedy"), make_entrant(game, "greedy")], seed=3)


def test_every_pair_of_actions_has_its_reasons_in_both_languages(match: Match[Position, View]) -> None:
    found: list[Message] = []
    for ply, move in enumerate(match.moves):
        before = match.positions[ply]
        for best in legal_actions(match.game.legal(before))[:3]:
            found += reasons(
                JudgedMove(
                    match.game, before, match.positions[ply + 1], move.player, move.action, best, (best,), (), 0.6, 0.4
                )
            )
    assert {one.id.partition(".")[2] for one in found} >= {"review_open", "review_dice", "review_roll"}
    assert all(one.text(language) for one in found for language in LANGUAGES)


def test_fire_is_counted_by_sight_and_range(match: Match[Position, View]) -> None:
    game = match.game
    assert isinstance(game, Skirmish)
    field = Field(game)
    position = next(one for one in match.positions if one.phase == "shoot")
    situation = Situation(field, position)
    fires = [fire_on(situation, situation.own[0], where) for where in range(field.size)]
    assert max(fire.guns for fire in fires) >= 1
    assert all((fire.wounds > 0) == (fire.guns > 0) for fire in fires)
