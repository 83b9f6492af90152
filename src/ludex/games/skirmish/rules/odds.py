"""Exact chances of an attack: what the dice of the rules make likely, without rolling any."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

from ludex.games.skirmish.rules.dice import NO_SAVE, SIDES, passes, to_save, to_wound
from ludex.games.skirmish.rules.scenario_files import UnitType, Weapon

FACES: Final = range(1, SIDES + 1)
ON_THE_LAST_WOUND: Final = 0.5
"""The share of a unit's value that goes with its last wound; the rest goes wound by wound."""


@dataclass(frozen=True, slots=True)
class Strike:
    """What an attack is expected to do."""

    wounds: float
    """Expected wounds lost."""
    kill: float
    """The probability that the target is destroyed."""
    value: float
    """Expected value destroyed: a part of the target's goes wound by wound, the rest when it is gone."""


NO_STRIKE: Final = Strike(0.0, 0.0, 0.0)


def attack_chance(weapon: Weapon, target: UnitType) -> float:
    """The probability that one attack hits, wounds, and is not saved: that it does its damage."""
    wound_needs = to_wound(weapon.strength, target.toughness)
    save_needs = to_save(target.save, target.invulnerable_save or NO_SAVE, weapon.ap)
    unsaved = sum(die < save_needs for die in FACES) / SIDES
    return _chance_to_pass(weapon.skill) * _chance_to_pass(wound_needs) * unsaved


def damage_odds(weapons: Sequence[Weapon], target: UnitType, wounds: int) -> tuple[float, ...]:
    """The probability of each number of wounds lost, 0 to `wounds`, once every attack of every weapon is made."""
    odds = (1.0, *(0.0,) * wounds)
    for weapon in weapons:
        odds = _after(odds, attack_chance(weapon, target), weapon.attacks, weapon.damage)
    return odds


def strike(weapons: Sequence[Weapon], target: UnitType, wounds: int) -> Strike:
    """What weapons are expected to do to a unit that has `wounds` left."""
    odds = damage_odds(weapons, target, wounds)
    lost = sum(number * chance for number, chance in enumerate(odds))
    kill = odds[wounds]
    share = (1.0 - ON_THE_LAST_WOUND) * lost / target.wounds + ON_THE_LAST_WOUND * kill
    return Strike(lost, kill, target.value * share)


@lru_cache(maxsize=512)
def charge_chance(steps: int) -> float:
    """The probability that two dice make at least this many steps.

    >>> charge_chance(2), charge_chance(13), round(charge_chance(7), 3)
    (1.0, 0.0, 0.583)
    """
    rolls = list(product(FACES, repeat=2))
    return sum(first + second >= steps for first, second in rolls) / len(rolls)


def _chance_to_pass(needed: int) -> float:
    """The probability that a die hits or wounds."""
    return sum(passes(die, needed) for die in FACES) / SIDES


@lru_cache(maxsize=65536)
def _after(odds: tuple[float, ...], chance: float, attacks: int, damage: int) -> tuple[float, ...]:
    most = len(odds) - 1
    for _ in range(attacks):
        then = [share * (1.0 - chance) for share in odds]
        for lost, share in enumerate(odds):
            then[min(most, lost + damage)] += share * chance
        # Attacks stop with the target; on one that is gone a hit changes nothing, which is the same.
        odds = tuple(then)
    return odds
