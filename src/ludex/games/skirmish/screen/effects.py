"""What an action does, in words for hints: places by objectives, guns and targets, strikes by their exact odds."""

from collections.abc import Callable, Iterator

from ludex.core.game import Action
from ludex.core.messages import Message, Parameter
from ludex.games.skirmish.agents.situation import FAR, Situation, field_of
from ludex.games.skirmish.game import Skirmish
from ludex.games.skirmish.rules.actions import (
    Activate,
    Advance,
    Charge,
    ChargeDestination,
    DeployUnit,
    Fight,
    Meaning,
    Move,
    Shoot,
    Wait,
)
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.odds import Strike, charge_chance
from ludex.games.skirmish.rules.position import View
from ludex.games.skirmish.screen.descriptions import unit_words
from ludex.games.skirmish.screen.review import fire_on


def effects(game: Skirmish, view: View, action: Action) -> Iterator[Message]:
    """The most important first; nothing for actions that only end something."""
    situation = Situation(field_of(game), view.position)
    meaning = game.table.decode(view.position, action)
    assert meaning is not None
    grid = game.scenario.grid
    if isinstance(meaning, DeployUnit):
        yield from _stands(situation, situation.number(meaning.unitId), grid.index(meaning.col, meaning.row))
    elif isinstance(meaning, Activate):
        yield from _acts(situation, situation.number(meaning.unitId))
    elif isinstance(meaning, Advance):
        yield _effect("advances")
    elif isinstance(meaning, Shoot | Fight):
        target = situation.number(meaning.targetId)
        yield _strikes(situation, "strikes", target, situation.strike(meaning))
        if situation.field.near[:, situation.hexes[target]].any():
            yield _effect("holder", situation.hexes[target])
    elif isinstance(meaning, Charge):
        target = situation.number(meaning.targetId)
        chance = charge_chance(situation.charge_steps(target))
        yield _strikes(situation, "charges", target, situation.melee(situation.active, target), chance=chance)
    elif isinstance(meaning, Move | ChargeDestination | Wait):
        yield from _goes(situation, meaning)


def _stands(situation: Situation, unit: int, where: int) -> Iterator[Message]:
    """Where a unit begins: by the way to an objective, and by what sees it."""
    field = situation.field
    way = _way(situation, where)
    yield _effect("at_objective", where) if way == 0 else _effect("starts", where, count=way)
    pool = field.game.scenario.pools[1 - situation.player]
    if not field.sight[where, list(pool)].any():
        yield _effect("unseen", where)


def _acts(situation: Situation, unit: int) -> Iterator[Message]:
    """What the unit can do in this phase."""
    foes, phase = situation.foes, situation.phase
    if phase == layout.MOVE:
        way = _way(situation, situation.hexes[unit])
        yield _effect("leaves_first", situation.hexes[unit], count=way) if way else _effect("holds_first")
    elif phase == layout.SHOOT:
        yield from _best(situation, foes, lambda foe: situation.fire(unit, foe))
    elif phase == layout.FIGHT:
        near = [foe for foe in foes if situation.apart(unit, foe) == 1]
        yield from _best(situation, near, lambda foe: situation.melee(unit, foe))
    elif phase == layout.CHARGE and foes:
        foe = min(foes, key=lambda foe: situation.apart(unit, foe))
        chance = charge_chance(situation.apart(unit, foe) - 1)
        yield _effect("can_charge", situation.hexes[foe], target=_unit(situation, foe), chance=chance)


def _best(situation: Situation, foes: list[int], strike: Callable[[int], Strike]) -> Iterator[Message]:
    """The target of which most is expected."""
    foe = max(foes, key=lambda foe: strike(foe).value, default=None)
    if foe is not None and strike(foe).wounds > 0.0:
        yield _strikes(situation, "can_strike", foe, strike(foe))


def _goes(situation: Situation, meaning: Meaning) -> Iterator[Message]:
    """What a place is worth to the active unit beside the one where it is; nothing where it only holds its fire."""
    field, unit = situation.field, situation.active
    here = there = situation.hexes[unit]
    if isinstance(meaning, Move | ChargeDestination):
        there = field.game.scenario.grid.index(meaning.col, meaning.row)
    elif situation.phase != layout.MOVE:
        yield from _spares(situation)
        return
    before, way = _way(situation, here), _way(situation, there)
    if way == 0:
        yield _effect("stays_at" if before == 0 else "at_objective", there)
    elif way < before:
        yield _effect("nears", there, count=way)
    risk, other = (fire_on(situation, unit, where).guns for where in (here, there))
    if other < risk:
        yield _effect("shelters", there, count=risk - other, left=other)
    elif other == 0 and situation.foes:
        yield _effect("sheltered", there)
    targets = [foe for foe in situation.foes if _reaches(situation, unit, there, foe)]
    if targets and situation.phase == layout.MOVE:
        yield _effect("sights", *(situation.hexes[foe] for foe in targets), count=len(targets))
    if isinstance(meaning, ChargeDestination):
        beside = [foe for foe in situation.foes if field.distance[there, situation.hexes[foe]] == 1]
        yield _effect("lands", there, count=len(beside))


def _spares(situation: Situation) -> Iterator[Message]:
    """What the active unit does without."""
    unit, foes = situation.active, situation.foes
    if situation.phase == layout.SHOOT and not any(situation.fire(unit, foe).wounds for foe in foes):
        yield _effect("no_target")
    if situation.phase == layout.CHARGE and foes:
        foe = min(foes, key=situation.charge_steps)
        back = situation.melee(foe, unit).wounds
        yield _strikes(situation, "spares", foe, situation.melee(unit, foe), back=back)


def _reaches(situation: Situation, unit: int, where: int, foe: int) -> bool:
    """Whether a weapon of the unit reaches an enemy in sight of a hex."""
    field, there = situation.field, situation.hexes[foe]
    away = field.distance[where, there]
    return bool(field.sight[where, there]) and any(away <= weapon.range for _, weapon in field.arms(unit))


def _way(situation: Situation, where: int) -> int:
    """Steps to the nearest hex that counts for an objective; 0 on one."""
    field = situation.field
    if field.near[:, where].any():
        return 0
    return int(min(FAR, field.ways[:, where].min(initial=FAR)))


def _unit(situation: Situation, unit: int) -> Message:
    game = situation.field.game
    return unit_words(game, game.units[unit].id)


def _strikes(situation: Situation, name: str, target: int, odds: Strike, **named: Parameter) -> Message:
    """What a strike is expected to do, with the target as a mark."""
    parameters: dict[str, Parameter] = {"target": _unit(situation, target), "wounds": odds.wounds, "kill": odds.kill}
    return _effect(name, situation.hexes[target], **parameters, left=situation.wounds[target], **named)


def _effect(name: str, *cells: int, **parameters: Parameter) -> Message:
    return Message(f"skirmish.effect_{name}", parameters, cells)
