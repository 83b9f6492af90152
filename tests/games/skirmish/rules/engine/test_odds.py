"""What dice must show, and how likely that is: by enumeration, and by what the engine rolls."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest

from ludex.games.skirmish.rules.dice import NO_SAVE, passes, to_save, to_wound
from ludex.games.skirmish.rules.odds import attack_chance, charge_chance, damage_odds, strike
from ludex.games.skirmish.rules.scenario_files import UnitType, Weapon
from tests.reference.skirmish import FACES, beats, odds_of_charge, odds_of_damage, save_needs, wound_needs


def test_natural_1_fails_and_natural_6_succeeds() -> None:
    for needed in range(2, 7):
        assert [bool(passes(die, needed)) for die in FACES] == [beats(die, needed) for die in FACES]
        assert not passes(1, needed)
        assert passes(6, needed)
    assert not passes(1, 1)
    assert passes(6, 7)


def test_wounds_need_what_the_reference_says() -> None:
    for strength, toughness in product(range(1, 31), repeat=2):
        assert to_wound(strength, toughness) == wound_needs(strength, toughness)


def test_saves_need_what_the_reference_says() -> None:
    for save, ap, invulnerable in product(range(2, 8), range(7), (None, 2, 3, 4, 5, 6)):
        expected = save_needs(save, ap, invulnerable)
        assert to_save(save, invulnerable or NO_SAVE, ap) == (NO_SAVE if expected is None else expected)


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


def reference_chance(weapon: Weapon, target: UnitType) -> Fraction:
    """One attack by the letter of the rules, all 216 ways three dice may fall."""
    return odds_of_damage(weapon.model_dump(), target.toughness, target.save, target.invulnerable_save)


def enumerated(weapons: Sequence[Weapon], target: UnitType, wounds: int) -> list[Fraction]:
    """Every sequence of successes and failures, weighted by the dice that make it."""
    chances = []
    for weapon in weapons:
        chances += [(reference_chance(weapon, target), weapon.damage)] * weapon.attacks
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
    assert attack_chance(weapon, target) == pytest.approx(float(reference_chance(weapon, target)))


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
    assert charge_chance(steps) == pytest.approx(float(odds_of_charge(steps)))
