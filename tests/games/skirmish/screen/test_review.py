"""Reasons by exact odds, over a whole game."""

from statistics import fmean, stdev

import pytest

from ludex.arena.entrants import make_entrant
from ludex.core.game import legal_actions
from ludex.core.judgement import JudgedMove
from ludex.core.match import Match, play
from ludex.core.messages import LANGUAGES, Message
from ludex.core.registry import make
from ludex.core.seeding import generator
from ludex.games.skirmish.agents.situation import Field, Situation
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.position import Position, View
from ludex.games.skirmish.rules.scenario import name_title
from ludex.games.skirmish.screen.review import dice_text, dice_units, fire_on, reasons


@pytest.fixture(scope="module")
def match() -> Match[Position, View]:
    game = make("skirmish", "small")
    return play(game, [make_entrant(game, "greedy"), make_entrant(game, "greedy")], seed=3)


def test_every_pair_of_actions_has_its_reasons_in_both_languages(match: Match[Position, View]) -> None:
    messages: list[Message] = []
    for ply, move in enumerate(match.moves):
        before = match.positions[ply]
        for best in legal_actions(match.game.legal(before))[:3]:
            messages += reasons(
                JudgedMove(
                    match.game, before, match.positions[ply + 1], move.player, move.action, best, (best,), (), 0.6, 0.4
                )
            )
    assert {message.id.partition(".")[2] for message in messages} >= {"review_open", "review_dice", "review_roll"}
    assert all(message.text(language) for message in messages for language in LANGUAGES)


def test_units_are_called_by_their_names(match: Match[Position, View]) -> None:
    game = match.game
    assert isinstance(game, Skirmish)
    names = {language: {name_title(unit.name).text(language) for unit in game.units} for language in LANGUAGES}
    for ply, move in enumerate(match.moves):
        if not move.text.startswith("shoot/"):
            continue
        others = [item for item in legal_actions(match.game.legal(match.positions[ply])) if item != move.action]
        before, after = match.positions[ply], match.positions[ply + 1]
        judged = JudgedMove(match.game, before, after, move.player, move.action, others[0], (), (), 0.6, 0.4)
        messages = reasons(judged)
        target = next(item for item in messages if item.id == "skirmish.review_target")
        for language in LANGUAGES:
            assert any(target.text(language).startswith(name) for name in names[language])


def test_what_the_dice_gave_in_units_is_zero_on_average(match: Match[Position, View]) -> None:
    """The same shot, rolled many times."""
    game = match.game
    ply, move = next((ply, move) for ply, move in enumerate(match.moves) if move.text.startswith("shoot/"))
    before = match.positions[ply]

    def rolled(seed: int) -> float:
        after = game.apply(before, move.action, generator(seed, 0))
        amounts = dice_units(JudgedMove(game, before, after, move.player, move.action, move.action, (), (), 0.5, 0.5))
        assert amounts is not None
        return amounts

    amounts = [rolled(seed) for seed in range(2000)]
    assert max(amounts) > 0 > min(amounts)
    assert abs(fmean(amounts)) < 4 * stdev(amounts) / len(amounts) ** 0.5
    assert dice_text(-1.23).text() == "the dice cost 1.2 units"
    assert dice_text(1.0).text("fr") == "les dés ont donné 1,0 unité"


def test_fire_is_counted_by_sight_and_range(match: Match[Position, View]) -> None:
    game = match.game
    assert isinstance(game, Skirmish)
    field = Field(game)
    position = next(state for state in match.positions if state.phase == "shoot")
    situation = Situation(field, position)
    fires = [fire_on(situation, situation.own[0], where) for where in range(field.size)]
    assert max(fire.guns for fire in fires) >= 1
    assert all((fire.wounds > 0) == (fire.guns > 0) for fire in fires)
