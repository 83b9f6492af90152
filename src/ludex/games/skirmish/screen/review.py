"""Why an action was worse than another, in the words of hints, and what the dice gave beside what was expected."""

from ludex.core.decision import JudgedMove
from ludex.core.explanation import effect_reasons
from ludex.core.game import Action
from ludex.core.messages import Message
from ludex.games.skirmish.agents.situation import Situation, field_of
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import Charge, Fight, Meaning, Shoot
from ludex.games.skirmish.rules.engine import branches, layout
from ludex.games.skirmish.rules.odds import charge_chance
from ludex.games.skirmish.rules.position import Position, unit_states
from ludex.games.skirmish.screen.effects import COSTS

EVEN_UNITS = 0.05
"""Less is no luck that could be written with one decimal."""


def is_mark(game: Skirmish, action: Action) -> bool:
    """Which unit acts next is no decision of weight: the others follow in the same phase."""
    begins = game.table.begins
    return begins[branches.CONFIRM] <= action < begins[branches.MOVE]


def reasons(judged: JudgedMove) -> list[Message]:
    """What the action and the better one do, as hints say it, then what the dice did."""
    game = judged.game
    assert isinstance(game, Skirmish)
    situation = Situation(field_of(game), judged.before)
    meaning = game.table.decode(judged.before, judged.action)
    assert meaning is not None
    compared = effect_reasons(judged, COSTS) if judged.best != judged.action else []
    return compared + _dice(situation, judged.after, meaning)


def _dice(situation: Situation, after: Position, meaning: Meaning) -> list[Message]:
    """What the dice gave beside what was expected of them."""
    if isinstance(meaning, Charge):
        target = situation.number(meaning.targetId)
        arrived = after.active == situation.active and int(after.words[layout.PHASE]) == layout.CHARGE
        came = Message(f"skirmish.review_{'arrived' if arrived else 'failed'}")
        chance = charge_chance(situation.charge_steps(target))
        return [Message("skirmish.review_roll", {"chance": chance, "came": came})]
    if not isinstance(meaning, Shoot | Fight):
        return []
    target = situation.number(meaning.targetId)
    lost, struck = _lost_wounds(situation, after, target), situation.strike(meaning)
    return [Message("skirmish.review_dice", {"count": lost, "wounds": struck.wounds}, (situation.hexes[target],))]


def dice_units(judged: JudgedMove) -> float | None:
    """What the dice of a strike took beyond what was expected, as a share of the unit that was struck."""
    game = judged.game
    assert isinstance(game, Skirmish)
    meaning = game.table.decode(judged.before, judged.action)
    if not isinstance(meaning, Shoot | Fight):
        return None
    situation = Situation(field_of(game), judged.before)
    target = situation.number(meaning.targetId)
    beyond = _lost_wounds(situation, judged.after, target) - situation.strike(meaning).wounds
    return beyond / game.units[target].type.wounds


def dice_text(units: float) -> Message:
    """What the dice of a match gave a player, by whole units."""
    if abs(units) < EVEN_UNITS:
        return Message("skirmish.review_luck_even")
    return Message(f"skirmish.review_luck_{'gave' if units > 0 else 'cost'}", {"count": round(abs(units), 1)})


def _lost_wounds(situation: Situation, after: Position, target: int) -> int:
    """The wounds that a unit has lost since."""
    left = [state.wounds for state in unit_states(after, len(situation.field.units))][target]
    return situation.wounds[target] - max(0, left)
