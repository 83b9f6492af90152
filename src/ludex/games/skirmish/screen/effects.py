"""What an action does, in words for hints and reviews: places by objectives and guns, strikes by their exact odds."""

from collections.abc import Callable, Iterator
from copy import copy
from typing import Final, NamedTuple

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
    Move,
    Shoot,
    Wait,
)
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.odds import Strike, charge_chance
from ludex.games.skirmish.rules.position import View
from ludex.games.skirmish.screen.descriptions import unit_words

COSTS: Final = frozenset(
    f"skirmish.effect_{name}"
    for name in ("seen", "gives_up", "exposed", "flees", "apart", "spares", "no_target", "withholds")
)
"""The effects that speak against an action."""


class Fire(NamedTuple):
    """What enemies could do to a unit on a hex without moving."""

    guns: int
    wounds: float


def effects(game: Skirmish, view: View, action: Action) -> Iterator[Message]:
    """The most important first; nothing for actions that only end something."""
    situation = Situation(field_of(game), view.position)
    meaning = game.table.decode(view.position, action)
    assert meaning is not None
    unit, index = situation.active, game.scenario.grid.index
    if isinstance(meaning, DeployUnit):
        yield from _stands(situation, index(meaning.col, meaning.row))
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
        yield _charges(situation, "charges", target)
    elif isinstance(meaning, ChargeDestination):
        yield from _lands(situation, index(meaning.col, meaning.row))
    elif isinstance(meaning, Move):
        yield from _goes(situation, index(meaning.col, meaning.row))
    elif isinstance(meaning, Wait) and situation.phase == layout.MOVE:
        yield from _goes(situation, situation.hexes[unit])
    elif isinstance(meaning, Wait):
        yield from _spares(situation)


def _stands(situation: Situation, where: int) -> Iterator[Message]:
    """Where a unit begins: by the way to an objective, and by what sees it."""
    field = situation.field
    way = _way(situation, where)
    yield _effect("at_objective", where) if way == 0 else _effect("starts", where, count=way)
    pool = field.game.scenario.pools[1 - situation.player]
    seen = float(field.sight[where, list(pool)].mean())
    yield _effect("seen", where, share=seen) if seen else _effect("unseen", where)


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


def _best(
    situation: Situation, foes: list[int], strike: Callable[[int], Strike], name: str = "can_strike"
) -> Iterator[Message]:
    """The target of which most is expected."""
    foe = max(foes, key=lambda foe: strike(foe).value, default=None)
    if foe is not None and strike(foe).wounds > 0.0:
        yield _strikes(situation, name, foe, strike(foe))


def _charges(situation: Situation, name: str, target: int) -> Message:
    """What a charge would do and cost."""
    chance, back = charge_chance(situation.charge_steps(target)), situation.melee(target, situation.active)
    return _strikes(
        situation, name, target, situation.melee(situation.active, target), chance=chance, back=_wounds(back.wounds)
    )


def _goes(situation: Situation, there: int) -> Iterator[Message]:
    """What a place is worth to the active unit beside the one where it is."""
    unit, foes = situation.active, situation.foes
    here = situation.hexes[unit]
    before, way = _way(situation, here), _way(situation, there)
    if way == 0:
        yield _effect("at_objective" if before else "stays_at", there)
    elif way < before:
        yield _effect("nears", there, count=way)
    elif before == 0:
        yield _effect("gives_up", here)
    risk, other = fire_on(situation, unit, here), fire_on(situation, unit, there)
    if foes and other.guns == 0:
        yield _effect("sheltered", there)
    elif other.guns < risk.guns:
        yield _effect("shelters", there, count=risk.guns, left=other.guns)
    moved = copy(situation)
    moved.hexes = [there if number == unit else where for number, where in enumerate(situation.hexes)]
    shot = max((moved.fire(unit, foe).wounds for foe in foes), default=0.0)
    aims = [*_best(moved, foes, lambda foe: moved.fire(unit, foe), "aims")]
    if there != here and situation.engaged(unit):
        shot, aims = 0.0, [_effect("flees", here)]
    exposed = [_effect("exposed", there, count=other.guns, wounds=_wounds(other.wounds))]
    exposed = exposed if other.guns >= max(1, risk.guns) else []
    yield from aims + exposed if shot >= other.wounds else exposed + aims
    if way >= before > 0:
        yield _effect("apart", there, count=way)


def _lands(situation: Situation, there: int) -> Iterator[Message]:
    """The side of a charged enemy: objectives, and who strikes there."""
    if _way(situation, there) == 0:
        yield _effect("at_objective" if _way(situation, situation.hexes[situation.active]) else "stays_at", there)
    beside = [foe for foe in situation.foes if situation.field.distance[there, situation.hexes[foe]] == 1]
    wounds = sum(situation.melee(foe, situation.active).wounds for foe in beside)
    yield _effect("lands", there, count=len(beside), wounds=_wounds(wounds))


def _spares(situation: Situation) -> Iterator[Message]:
    """What the active unit does without."""
    unit, foes = situation.active, situation.foes
    if situation.phase == layout.CHARGE and foes:
        if _way(situation, situation.hexes[unit]) == 0:
            yield _effect("stays_at", situation.hexes[unit])
        yield _charges(situation, "spares", min(foes, key=situation.charge_steps))
    elif situation.phase == layout.SHOOT:
        spared = [*_best(situation, foes, lambda foe: situation.fire(unit, foe), "withholds")]
        yield from spared or [_effect("no_target")]
    elif situation.phase == layout.FIGHT:
        near = [foe for foe in foes if situation.apart(unit, foe) == 1]
        yield from _best(situation, near, lambda foe: situation.melee(unit, foe), "withholds")


def fire_on(situation: Situation, unit: int, where: int) -> Fire:
    """The enemies that see a hex with a weapon in range, and the wounds they are expected to take from a unit there."""
    field, guns, wounds = situation.field, 0, 0.0
    away = {foe: int(field.distance[situation.hexes[foe], where]) for foe in situation.foes}
    for foe in situation.foes:
        if not field.sight[situation.hexes[foe], where]:
            continue
        able = [(bit, weapon) for bit, weapon in field.arms(foe) if away[foe] <= weapon.range]
        # Beside an enemy a unit is shot at by pistols alone.
        arms = sum(bit for bit, weapon in able if 1 not in away.values() or "pistol" in weapon.keywords)
        struck = field.strike(foe, arms, unit, situation.wounds[unit] or field.units[unit].type.wounds)
        guns += bool(arms)
        wounds += struck.wounds
    return Fire(guns, wounds)


def _way(situation: Situation, where: int) -> int:
    """Steps to the nearest hex that counts for an objective; 0 on one."""
    field = situation.field
    if field.near[:, where].any():
        return 0
    return int(min(FAR, field.ways[:, where].min(initial=FAR)))


def _unit(situation: Situation, unit: int) -> Message:
    game = situation.field.game
    return unit_words(game, game.units[unit].id)


def _strikes(situation: Situation, name: str, target: int, odds: Strike, **parameters: Parameter) -> Message:
    """What a strike is expected to do, with the target as a mark."""
    words: dict[str, Parameter] = {"target": _unit(situation, target), "wounds": _wounds(odds.wounds)}
    return _effect(name, situation.hexes[target], **words, kill=odds.kill, left=situation.wounds[target], **parameters)


def _wounds(count: float) -> Message:
    return Message("skirmish.wounds", {"count": count})


def _effect(name: str, *cells: int, **parameters: Parameter) -> Message:
    return Message(f"skirmish.effect_{name}", parameters, cells)
