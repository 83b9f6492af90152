"""Why an action was worse than another, by exact odds: who could shoot at the place, and what the dice were to give."""

from typing import NamedTuple

from ludex.core.decision import JudgedMove
from ludex.core.game import Action
from ludex.core.messages import Message, Parameter
from ludex.games.skirmish.agents.situation import Situation, field_of
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import Charge, DeployUnit, Fight, HexAction, Meaning, Shoot, Wait
from ludex.games.skirmish.rules.engine import branches, layout
from ludex.games.skirmish.rules.odds import charge_chance
from ludex.games.skirmish.rules.position import Position, unit_states
from ludex.games.skirmish.screen.descriptions import unit_words

LEAST_WOUNDS = 0.5
"""Fewer expected wounds are no reason."""
SMALL_LOSS = 0.05
"""Where less is given away, no other action is called better."""
EVEN_UNITS = 0.05
"""Less is no luck that could be written with one decimal."""


class Fire(NamedTuple):
    """What enemies could do to a unit on a hex without moving."""

    guns: int
    wounds: float


def is_mark(game: Skirmish, action: Action) -> bool:
    """Which unit acts next is no decision of weight: the others follow in the same phase."""
    begins = game.table.begins
    return begins[branches.CONFIRM] <= action < begins[branches.MOVE]


def reasons(judged: JudgedMove) -> list[Message]:
    """What the action risked or gave away, then what the better one would have done, then what the dice did."""
    game = judged.game
    assert isinstance(game, Skirmish)
    field = field_of(game)
    situation = Situation(field, judged.before)
    played, best = (game.table.decode(judged.before, action) for action in (judged.action, judged.best))
    assert played is not None
    assert best is not None
    messages = []
    if played != best and judged.loss >= SMALL_LOSS:
        messages += _standing(situation, played, best) or _striking(situation, played, best)
    return messages + _dice(situation, judged.after, played)


def fire_on(situation: Situation, unit: int, where: int) -> Fire:
    """The enemies that see a hex with a weapon in range, and the wounds they are expected to take from a unit there."""
    field, guns, wounds = situation.field, 0, 0.0
    for foe in situation.foes:
        here = situation.hexes[foe]
        if not field.sight[here, where]:
            continue
        arms = sum(bit for bit, weapon in field.arms(foe) if field.distance[here, where] <= weapon.range)
        struck = field.strike(foe, arms, unit, situation.wounds[unit] or field.units[unit].type.wounds)
        guns += bool(arms)
        wounds += struck.wounds
    return Fire(guns, wounds)


def _standing(situation: Situation, played: Meaning, best: Meaning) -> list[Message]:
    """Two places for one unit, by the guns that reach them."""
    field = situation.field
    places = [_place(situation, meaning) for meaning in (played, best)]
    if places[0] is None or places[1] is None or places[0][0] != places[1][0]:
        return []
    (unit, here), (_, there) = places[0], places[1]
    grid, messages = field.game.scenario.grid, []
    risk, other = fire_on(situation, unit, here), fire_on(situation, unit, there)
    if risk.wounds >= LEAST_WOUNDS and risk.wounds > other.wounds:
        named: dict[str, Parameter] = {"unit": _unit(situation, unit), "hex": grid.name(here)}
        messages.append(Message("skirmish.review_open", {**named, "count": risk.guns, "wounds": risk.wounds}, (here,)))
        if other.guns:
            named = {"hex": grid.name(there)}
            messages.append(
                Message("skirmish.review_covered", {**named, "count": other.guns, "wounds": other.wounds}, (there,))
            )
        else:
            messages.append(Message("skirmish.review_hidden", {"hex": grid.name(there)}, (there,)))
    if field.near[:, there].any() and not field.near[:, here].any():
        messages.append(Message("skirmish.review_objective", {"hex": grid.name(there)}, (there,)))
    return messages


def _place(situation: Situation, meaning: Meaning) -> tuple[int, int] | None:
    """The unit that an action places or moves, and its hex then; None for other actions."""
    grid = situation.field.game.scenario.grid
    if isinstance(meaning, DeployUnit):
        return situation.number(meaning.unitId), grid.index(meaning.col, meaning.row)
    if isinstance(meaning, HexAction):
        return situation.active, grid.index(meaning.col, meaning.row)
    if isinstance(meaning, Wait) and situation.phase == layout.MOVE:
        return situation.active, situation.hexes[situation.active]
    return None


def _striking(situation: Situation, played: Meaning, best: Meaning) -> list[Message]:
    """Two targets, or one that was spared."""
    messages = []
    if isinstance(played, Shoot | Fight):
        messages.append(_target(situation, "review_target", played))
    elif isinstance(played, Charge):
        messages.append(_charge(situation, "review_charge", played))
    if isinstance(best, Shoot | Fight):
        spared = "review_held_fire" if isinstance(best, Shoot) else "review_held_blow"
        messages.append(_target(situation, spared if isinstance(played, Wait) else "review_better_target", best))
    elif isinstance(best, Charge):
        messages.append(_charge(situation, "review_better_charge", best))
    return messages


def _target(situation: Situation, message: str, meaning: Shoot | Fight) -> Message:
    target = situation.number(meaning.targetId)
    struck = situation.strike(meaning)
    odds = Message("skirmish.odds", {"wounds": struck.wounds, "kill": struck.kill})
    unit, shot = _unit(situation, situation.active), _unit(situation, target)
    named: dict[str, Parameter] = {"unit": unit, "target": shot, "odds": odds}
    return Message(f"skirmish.{message}", named, (situation.hexes[target],))


def _charge(situation: Situation, message: str, meaning: Charge) -> Message:
    target = situation.number(meaning.targetId)
    chance = charge_chance(situation.charge_steps(target))
    named: dict[str, Parameter] = {"target": _unit(situation, target), "chance": chance}
    return Message(f"skirmish.{message}", named, (situation.hexes[target],))


def _unit(situation: Situation, unit: int) -> Message:
    game = situation.field.game
    return unit_words(game, game.units[unit].id)


def _dice(situation: Situation, after: Position, played: Meaning) -> list[Message]:
    """What the dice gave beside what was expected of them."""
    if isinstance(played, Charge):
        target = situation.number(played.targetId)
        arrived = after.active == situation.active and int(after.words[layout.PHASE]) == layout.CHARGE
        came = Message(f"skirmish.review_{'arrived' if arrived else 'failed'}")
        chance = charge_chance(situation.charge_steps(target))
        return [Message("skirmish.review_roll", {"chance": chance, "came": came})]
    if not isinstance(played, Shoot | Fight):
        return []
    target = situation.number(played.targetId)
    lost, struck = _lost(situation, after, target), situation.strike(played)
    return [Message("skirmish.review_dice", {"count": lost, "wounds": struck.wounds}, (situation.hexes[target],))]


def dice_units(judged: JudgedMove) -> float | None:
    """What the dice of a strike took beyond what was expected, as a share of the unit that was struck."""
    game = judged.game
    assert isinstance(game, Skirmish)
    played = game.table.decode(judged.before, judged.action)
    if not isinstance(played, Shoot | Fight):
        return None
    situation = Situation(field_of(game), judged.before)
    target = situation.number(played.targetId)
    beyond = _lost(situation, judged.after, target) - situation.strike(played).wounds
    return beyond / game.units[target].type.wounds


def dice_text(units: float) -> Message:
    """What the dice of a match gave a player, by whole units."""
    if abs(units) < EVEN_UNITS:
        return Message("skirmish.review_luck_even")
    return Message(f"skirmish.review_luck_{'gave' if units > 0 else 'cost'}", {"count": round(abs(units), 1)})


def _lost(situation: Situation, after: Position, target: int) -> int:
    """The wounds that a unit has lost since."""
    left = [state.wounds for state in unit_states(after, len(situation.field.units))][target]
    return situation.wounds[target] - max(0, left)
