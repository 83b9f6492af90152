from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest

from ludex.games.skirmish.rules.odds import (
    attack_chance,
    charge_chance,
    damage_odds,
    hit_chance,
    save_chance,
    strike,
    wound_chance,
)
from ludex.games.skirmish.rules.scenario.schemas import UnitType, Weapon

DIE = range(1, 7)


def weapon_of(
    attacks: int = 2, skill: int = 3, strength: int = 4, ap: int = 0, damage: int = 1, reach: int = 12
) -> Weapon:
    return Weapon(
        name="rod", range=reach, attacks=attacks, skill=skill, strength=strength, ap=ap, damage=damage, keywords=()
    )


def type_of(toughness: int = 4, save: int = 4, invulnerable: int | None = None, wounds: int = 3) -> UnitType:
    return UnitType(
        name="mark",
        move=6,
        toughness=toughness,
        save=save,
        invulnerable_save=invulnerable,
        wounds=wounds,
        value=60,
        ranged_weapons=(),
        melee_weapon="rod",
        symbol="M",
    )


def needed_to_wound(strength: int, toughness: int) -> int:
    ladder = [
        (strength >= 2 * toughness, 2),
        (strength > toughness, 3),
        (strength == toughness, 4),
        (2 * strength <= toughness, 6),
        (True, 5),
    ]
    return next(needed for holds, needed in ladder if holds)


def succeeds(weapon: Weapon, target: UnitType, hit: int, wound: int, save: int) -> bool:
    """One attack by the letter of the rules, three dice on the table."""
    if hit == 1 or (hit != 6 and hit < weapon.skill):
        return False
    if wound == 1 or (wound != 6 and wound < needed_to_wound(weapon.strength, target.toughness)):
        return False
    saves = [target.save + weapon.ap, *([] if target.invulnerable_save is None else [target.invulnerable_save])]
    return min(saves) > 6 or save < min(saves)


def enumerated(weapons: Sequence[Weapon], target: UnitType, wounds: int) -> list[Fraction]:
    """Every sequence of successes and failures, weighted by the dice that make it."""
    chances = []
    for weapon in weapons:
        good = sum(succeeds(weapon, target, *dice) for dice in product(DIE, repeat=3))
        chances += [(Fraction(good, 216), weapon.damage)] * weapon.attacks
    odds = [Fraction(0)] * (wounds + 1)
    for story in product((False, True), repeat=len(chances)):
        weight, left = Fraction(1), wounds
        for done, (chance, damage) in zip(story, chances, strict=True):
            weight *= chance if done else 1 - chance
            left -= min(left, damage) if done else 0
        odds[wounds - left] += weight
    return odds


@pytest.mark.parametrize("skill", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("strength", [1, 2, 3, 4, 5, 8, 9])
@pytest.mark.parametrize(
    ("save", "invulnerable", "ap"), [(2, None, 0), (4, None, 2), (5, 4, 3), (6, None, 1), (7, 6, 0)]
)
def test_one_attack_is_what_three_dice_say(
    skill: int, strength: int, save: int, invulnerable: int | None, ap: int
) -> None:
    weapon, target = weapon_of(skill=skill, strength=strength, ap=ap), type_of(save=save, invulnerable=invulnerable)
    good = sum(succeeds(weapon, target, *dice) for dice in product(DIE, repeat=3))
    assert attack_chance(weapon, target) == pytest.approx(good / 216)
    unsaved = 1 - save_chance(weapon, target)
    assert hit_chance(weapon) * wound_chance(weapon, target) * unsaved == pytest.approx(good / 216)


@pytest.mark.parametrize("wounds", [1, 2, 3, 5])
@pytest.mark.parametrize(
    "weapons",
    [
        [weapon_of(attacks=4)],
        [weapon_of(attacks=3, damage=2, ap=2)],
        [weapon_of(attacks=3, strength=8), weapon_of(attacks=2, damage=4, skill=5)],
    ],
)
def test_damage_is_what_enumeration_says(weapons: list[Weapon], wounds: int) -> None:
    target = type_of(wounds=5)
    exact = enumerated(weapons, target, wounds)
    assert damage_odds(weapons, target, wounds) == pytest.approx([float(chance) for chance in exact])
    result = strike(weapons, target, wounds)
    assert result.kill == pytest.approx(float(exact[-1]))
    assert result.wounds == pytest.approx(float(sum(lost * chance for lost, chance in enumerate(exact))))
    assert result.value == pytest.approx(60 * (0.5 * result.wounds / 5 + 0.5 * result.kill))


def test_without_weapons_nothing_is_lost() -> None:
    assert damage_odds([], type_of(), 3) == (1.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("steps", range(15))
def test_a_charge_arrives_as_two_dice_say(steps: int) -> None:
    arrives = sum(first + second >= steps for first in DIE for second in DIE)
    assert charge_chance(steps) == pytest.approx(arrives / 36)
