"""What the tactics of scripted agents share: each phase has its weighing, best targets first."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import numpy as np

from ludex.core.decision import Candidate, Decision
from ludex.core.game import Action
from ludex.core.messages import ListOf, Message, Parameter
from ludex.games.skirmish.agents.situation import FAR, Field, Hexes, Numbers, Situation
from ludex.games.skirmish.rules.actions import Activate, Advance, Charge, ChargeDestination, Fight, Meaning, Move, Shoot
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.odds import Strike, charge_chance

MOST_CANDIDATES: Final = 24


@dataclass(frozen=True, slots=True)
class Option:
    """A legal action and what it means."""

    action: Action
    meaning: Meaning


@dataclass(frozen=True, slots=True)
class Weighed:
    """An option, how good it is, and why."""

    option: Option
    score: float
    terms: Mapping[str, float] = field(default_factory=dict)
    reason: Message | Callable[[], Message] | None = None
    """What it does; a function where options are many, since only the best one's is put into words."""


def decision(weighed: Sequence[Weighed]) -> Decision:
    """The best of them, the first among equals, with the others behind it."""
    order = sorted(weighed, key=lambda choice: -choice.score)
    reason = order[0].reason
    best = reason() if callable(reason) else reason
    return Decision(
        action=order[0].option.action,
        candidates=tuple(
            Candidate(choice.option.action, score=choice.score, line=(choice.option.action,), terms=choice.terms)
            for choice in order[:MOST_CANDIDATES]
        ),
        explanation=() if best is None else (best,),
    )


class Tactic(ABC):
    """Shoots, charges and fights for the greatest expected value; how it walks is for each tactic to say."""

    surest_charge = 0.0
    """A charge that is less likely to arrive is not tried."""

    def __init__(self, field: Field) -> None:
        self.field = field

    def weigh(self, situation: Situation, options: Sequence[Option]) -> list[Weighed]:
        """Every option of a decision in the battle."""
        if situation.active == layout.NONE:
            return [self.activate(situation, option) for option in options]
        if situation.phase == layout.MOVE:
            return self.walk(situation, options)
        return [self.act(situation, option) for option in options]

    def activate(self, situation: Situation, option: Option) -> Weighed:
        """The unit with most to gain goes first."""
        assert isinstance(option.meaning, Activate)
        unit = situation.number(option.meaning.unitId)
        if situation.phase == layout.MOVE:
            score = self.walks_first(situation, unit)
        elif situation.phase == layout.SHOOT:
            score = max((situation.fire(unit, foe).value for foe in situation.foes), default=0.0)
        elif situation.phase == layout.CHARGE:
            chances = ((foe, charge_chance(situation.apart(unit, foe) - 1)) for foe in situation.foes)
            score = max((chance * situation.melee(unit, foe).value for foe, chance in chances), default=0.0)
        else:
            near = [foe for foe in situation.foes if situation.apart(unit, foe) == 1]
            score = max((situation.melee(unit, foe).value for foe in near), default=0.0)
        return Weighed(option, score, {"gain": score}, Message("skirmish.goes_first", {"unit": option.meaning.unitId}))

    def walks_first(self, situation: Situation, unit: int) -> float:
        """The unit nearest to the enemy goes first, to clear the way for the others."""
        return -float(min((situation.apart(unit, foe) for foe in situation.foes), default=0))

    def act(self, situation: Situation, option: Option) -> Weighed:
        """An option of the active unit outside the move phase."""
        meaning, unit = option.meaning, situation.active
        name = self.field.units[unit].id
        if isinstance(meaning, Shoot | Fight):
            strike = situation.strike(meaning)
            bonus = self.bonus(situation, situation.number(meaning.targetId), strike)
            terms = {"wounds": strike.wounds, "kill": strike.kill, "value": strike.value, "bonus": bonus}
            words: dict[str, Parameter] = {"unit": name, "target": meaning.targetId, "odds": _odds(strike)}
            return Weighed(option, strike.value + bonus, terms, Message(f"skirmish.{meaning.word}s", words))
        if isinstance(meaning, Charge):
            return self.charge(situation, option, situation.number(meaning.targetId))
        if isinstance(meaning, ChargeDestination):
            return self.land(situation, option, self.field.game.scenario.grid.index(meaning.col, meaning.row))
        return Weighed(option, 0.0, reason=Message("skirmish.waits", {"unit": name}))

    def bonus(self, situation: Situation, target: int, strike: Strike) -> float:
        """What a strike is worth beyond the value it destroys."""
        return 0.0

    def charge(self, situation: Situation, option: Option, target: int) -> Weighed:
        """The blow of a charge, if it arrives."""
        unit = situation.active
        chance, blow = charge_chance(situation.charge_steps(target)), situation.melee(unit, target)
        worth = self.charge_worth(situation, target, blow)
        score = chance * worth if chance > 0.0 and chance >= self.surest_charge else -1.0
        units = self.field.units
        reason = Message(
            "skirmish.charges",
            {"unit": units[unit].id, "target": units[target].id, "chance": chance, "odds": _odds(blow)},
        )
        terms = {"chance": chance, "wounds": blow.wounds, "kill": blow.kill, "worth": worth}
        return Weighed(option, score, terms, reason)

    def charge_worth(self, situation: Situation, target: int, blow: Strike) -> float:
        """What a charge that arrives is worth."""
        return blow.value

    def land(self, situation: Situation, option: Option, where: int) -> Weighed:
        """A side of the charged enemy away from the blows of others, at an objective if there is one."""
        field = self.field
        near = [foe for foe in situation.foes if field.distance[where, situation.hexes[foe]] == 1]
        struck = sum(situation.melee(foe, situation.active).value for foe in near)
        objective = 10.0 * bool(field.near[:, where].any())
        terms = {"objective": objective, "risk": -struck}
        unit, there = field.units[situation.active].id, field.game.scenario.grid.name(where)
        return Weighed(option, objective - struck, terms, Message("skirmish.lands", {"unit": unit, "hex": there}))

    def walk(self, situation: Situation, options: Sequence[Option]) -> list[Weighed]:
        """Every hex the active unit can walk to, staying, and advancing."""
        hexes = walk_hexes(situation, options)
        terms = self.walk_terms(situation, hexes, situation.has(situation.active, layout.ADVANCED))
        scores = np.sum(list(terms.values()), axis=0)
        weighed = []
        for place, option in enumerate(options):
            if isinstance(option.meaning, Advance):
                weighed.append(self.advance(situation, option))
                continue
            parts = {name: float(values[place]) for name, values in terms.items()}
            reason = partial(self.walk_reason, situation, option, parts)
            weighed.append(Weighed(option, float(scores[place]), parts, reason))
        return weighed

    def advance(self, situation: Situation, option: Option) -> Weighed:
        """An advance, as good as the best hex that a middling die reaches."""
        unit = situation.active
        most = self.field.units[unit].type.move + 3
        steps = self.field.steps_from(situation.hexes[unit], most, situation.taken, situation.barred)
        hexes = np.array([where for where, count in enumerate(steps) if count != FAR])
        terms = self.walk_terms(situation, hexes, True)
        scores = np.sum(list(terms.values()), axis=0)
        best = int(scores.argmax())
        parts = {name: float(values[best]) for name, values in terms.items()}
        reason = Message("skirmish.advances", {"unit": self.field.units[unit].id})
        return Weighed(option, float(scores[best]), parts, reason)

    @abstractmethod
    def walk_terms(self, situation: Situation, hexes: Hexes, advanced: bool) -> dict[str, Numbers]:
        """By name, what each hex is worth to the active unit."""

    def walk_reason(self, situation: Situation, option: Option, terms: dict[str, float]) -> Message:
        """What a hex is worth, term by term."""
        unit = self.field.units[situation.active].id
        weighed = tuple(
            Message(f"skirmish.weight_{term}", {"value": value}) for term, value in terms.items() if abs(value) >= 0.05
        )
        why = ListOf(weighed) if weighed else Message("skirmish.weight_none")
        if isinstance(option.meaning, Move):
            there = f"{option.meaning.col}.{option.meaning.row}"
            return Message("skirmish.moves", {"unit": unit, "hex": there, "why": why})
        return Message("skirmish.stays", {"unit": unit, "why": why})


def walk_hexes(situation: Situation, options: Sequence[Option]) -> Hexes:
    """Where the active unit stands after each option; where it is for those that do not walk."""
    grid, here = situation.field.game.scenario.grid, situation.hexes[situation.active]
    meanings = [option.meaning for option in options]
    return np.array([grid.index(goal.col, goal.row) if isinstance(goal, Move) else here for goal in meanings], np.int64)


def _odds(strike: Strike) -> Message:
    return Message("skirmish.odds", {"count": round(strike.wounds, 1), "kill": strike.kill})
