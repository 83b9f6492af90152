"""What actions do in words: every kind of decision has a sentence, and each holds in the position that follows."""

from typing import Any

import ludex
from ludex.core.limit import Limit
from ludex.core.match import Match, decide
from ludex.core.messages import LANGUAGES, Message
from ludex.games.skirmish.agents.situation import Situation, field_of
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import Move, Shoot
from ludex.games.skirmish.screen.effects import effects

KINDS = {"deploy", "activate", "move", "shoot", "charge", "land", "fight"}


def advised(seed: int) -> list[tuple[Match[Any, Any], int, dict[str, Message]]]:
    """A match of the planner with itself: each of its decisions with what they do, by name."""
    game = ludex.make("skirmish", "small")
    assert isinstance(game, Skirmish)
    match: Match[Any, Any] = Match(game, seed)
    planner, decisions = ludex.make_agent(game, "objective"), []
    while match.outcome is None:
        action = decide(match, planner, Limit()).action
        messages = [*effects(game, game.view(match.state, game.to_move(match.state)), action)]
        assert all(message.text(language) for message in messages for language in LANGUAGES)
        decisions.append(
            (match.branch(), action, {message.id.removeprefix("skirmish.effect_"): message for message in messages})
        )
        match.play(action)
    return decisions


def test_every_kind_of_decision_has_a_sentence_that_holds() -> None:
    kinds = set()
    for match, action, messages in advised(3):
        game, state = match.game, match.state
        assert isinstance(game, Skirmish)
        kinds |= {game.action_text(state, action).partition("/")[0]} if messages else set()
        meaning = game.table.decode(state, action)
        if isinstance(meaning, Move):
            goal = field_of(game).near[:, game.scenario.grid.index(meaning.col, meaning.row)].any()
            assert goal == bool(messages.keys() & {"at_objective", "stays_at"})
        if isinstance(meaning, Shoot):
            target = next(number for number, unit in enumerate(game.units) if unit.id == meaning.targetId)
            struck = Situation(field_of(game), state).strike(meaning)
            parameters = messages["strikes"].parameters
            assert parameters["wounds"] == Message("skirmish.wounds", {"count": struck.wounds})
            assert parameters["kill"] == struck.kill
            assert parameters["left"] == Situation(field_of(game), state).wounds[target]
    assert kinds >= KINDS
