"""Orders that stand for several actions: the end of a phase, and a force that the machine places."""

from typing import TypeAlias

import pytest

import ludex
from ludex.core.errors import IllegalAction
from ludex.core.match import Match
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.position import Position, View
from ludex.games.skirmish.screen.orders import expand

SkirmishMatch: TypeAlias = Match[Position, View]


@pytest.fixture
def match() -> SkirmishMatch:
    return Match(ludex.make("skirmish", "small"), 1)


def ordered(match: SkirmishMatch, text: str) -> list[str]:
    game = match.game
    assert isinstance(game, Skirmish)
    moves = expand(game, game.view(match.state, match.to_move), text)
    assert moves is not None
    return moves


def placed(match: SkirmishMatch) -> None:
    while match.state.phase == "deployment":
        for text in ordered(match, "place_force"):
            match.play_text(text)


def test_the_machine_places_a_force_up_to_the_other_players_turn(match: SkirmishMatch) -> None:
    mover, texts = match.to_move, ordered(match, "place_force")
    assert texts
    assert all(text.startswith("deploy/") for text in texts)
    for text in texts:
        assert match.to_move == mover
        match.play_text(text)
    placed(match)
    with pytest.raises(IllegalAction, match="no unit is to be placed"):
        ordered(match, "place_force")


def test_a_phase_ends_at_once(match: SkirmishMatch) -> None:
    with pytest.raises(IllegalAction, match="Deployment ends by itself once every unit is placed"):
        ordered(match, "end_phase")
    placed(match)
    while match.state.phase != "move":
        match.play(int(match.legal().argmax()))
    mover = match.to_move
    for text in ordered(match, "end_phase"):
        assert (match.state.phase, match.to_move) == ("move", mover)
        match.play_text(text)
    assert (match.state.phase, match.to_move) != ("move", mover)


def test_other_texts_are_actions(match: SkirmishMatch) -> None:
    game = match.game
    assert isinstance(game, Skirmish)
    assert expand(game, game.view(match.state, 0), "wait") is None
