"""What dice must show, and how likely that is: by enumeration, and by what the engine rolls."""

import math
from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import product

import pytest

from ludex.games.skirmish.rules.dice import NO_SAVE, passes, to_save, to_wound
from ludex.games.skirmish.rules.engine import events, layout
from tests.games.skirmish.rules.engine.support import active, events_of, outcomes
from tests.games.skirmish.support import arranged, shipped
from tests.reference.hexes import Hex, adjacent, walk
from tests.reference.skirmish import FACES, beats, odds, odds_of_charge, odds_of_damage, save_needs, wound_needs


def close(count: int, of: int, expected: Fraction) -> bool:
    """Within four standard deviations."""
    return abs(count - of * expected) <= 4 * math.sqrt(of * expected * (1 - expected))


def test_natural_1_fails_and_natural_6_succeeds() -> None:
    for needed in range(2, 7):
        assert [bool(passes(die, needed)) for die in FACES] == [beats(die, needed) for die in FACES]
        assert not passes(1, needed)
        assert passes(6, needed)
    assert not passes(1, 1)
    assert passes(6, 7)


@pytest.mark.parametrize(
    ("strength", "toughness", "needed"),
    [(8, 4, 2), (9, 4, 2), (7, 4, 3), (5, 4, 3), (4, 4, 4), (3, 4, 5), (3, 5, 5), (2, 4, 6), (2, 5, 6), (1, 3, 6)],
)
def test_wound_table(strength: int, toughness: int, needed: int) -> None:
    assert to_wound(strength, toughness) == needed


def test_wounds_need_what_the_reference_says() -> None:
    for strength, toughness in product(range(1, 31), repeat=2):
        assert to_wound(strength, toughness) == wound_needs(strength, toughness)


@pytest.mark.parametrize(
    ("save", "invulnerable", "ap", "needed"),
    [
        (3, 7, 0, 3),
        (3, 7, 2, 5),
        (4, 7, 3, NO_SAVE),
        (3, 4, 0, 3),
        (3, 4, 3, 4),
        (6, 7, 1, NO_SAVE),
        (7, 5, 4, 5),
    ],
)
def test_save_table(save: int, invulnerable: int, ap: int, needed: int) -> None:
    assert to_save(save, invulnerable, ap) == needed


def test_saves_need_what_the_reference_says() -> None:
    for save, ap, invulnerable in product(range(2, 8), range(7), (None, 2, 3, 4, 5, 6)):
        expected = save_needs(save, ap, invulnerable)
        assert to_save(save, invulnerable or NO_SAVE, ap) == (NO_SAVE if expected is None else expected)


def test_attacks_are_exactly_as_likely_as_by_hand() -> None:
    """All 216 ways three dice may fall, for every weapon against every unit of the default forces."""
    game = shipped("default")
    weapons = {weapon.name: weapon for unit in game.units for weapon in (*unit.ranged, unit.melee)}
    kinds = {unit.type_id: unit.type for unit in game.units}
    for weapon, kind in product(weapons.values(), kinds.values()):
        wound = to_wound(weapon.strength, kind.toughness)
        save = to_save(kind.save, kind.invulnerable_save or NO_SAVE, weapon.ap)
        good = sum(
            passes(hit, weapon.skill) and passes(hurt, wound) and not (save < NO_SAVE and saved >= save)
            for hit, hurt, saved in product(FACES, repeat=3)
        )
        expected = odds_of_damage(weapon.model_dump(), kind.toughness, kind.save, kind.invulnerable_save)
        assert Fraction(int(good), 216) == expected


def test_a_known_chance() -> None:
    """3+ to hit, 4+ to wound, saved on 4+: one attack in six."""
    game = shipped("small")
    rifle, guard = game.units[0].ranged[0], game.units[3].type
    assert odds_of_damage(rifle.model_dump(), guard.toughness, guard.save, guard.invulnerable_save) == Fraction(1, 6)


@pytest.mark.slow
def test_rolled_hits_wounds_and_saves_are_as_likely() -> None:
    game = shipped("small")
    position = arranged(game, layout.SHOOT, {"01": (3, 4), "04": (7, 4)}, words=active(0))
    needed = {events.HIT_ROLL: 3, events.WOUND_ROLL: 4, events.SAVE_ROLL: 4}
    rolled: Counter[int] = Counter()
    passed: Counter[int] = Counter()
    for after in outcomes(game, position, "shoot/04", 2500):
        for kind, needs in needed.items():
            for die, reported, good in events_of(after, kind):
                assert reported == needs
                assert good == (die >= needs)
                rolled[kind] += 1
                passed[kind] += good
    assert rolled[events.HIT_ROLL] >= 9000
    for kind, needs in needed.items():
        assert close(passed[kind], rolled[kind], odds(partial(beats, needed=needs)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("steps", "percent", "there", "friend"),
    [(5, 83, (0, 6), None), (7, 58, (0, 8), None), (9, 28, (2, 9), None), (12, 3, (10, 7), (9, 6))],
)
def test_charges_are_as_likely_as_two_dice(steps: int, percent: int, there: Hex, friend: Hex | None) -> None:
    """All 36 ways two dice may fall, as the engine rolls them, and how often they do."""
    assert round(100 * odds_of_charge(steps)) == percent
    game = shipped("small")
    grid, here = game.scenario.grid, (0, 0)
    at = {"01": here, "04": there} | ({} if friend is None else {"02": friend})
    closed = {grid.col_row(int(where)) for where in game.scenario.walls.nonzero()[0]} | set(at.values())
    way = walk(grid.cols, grid.rows, here, 99, closed)
    assert min(way[side] for side in adjacent(grid.cols, grid.rows)[there] if side in way) == steps
    position = arranged(game, layout.CHARGE, at, words=active(0))
    reached: dict[tuple[int, int], bool] = {}
    good, seeds = 0, 1500
    for after in outcomes(game, position, "charge/04", seeds):
        ((unit, first, second),) = events_of(after, events.CHARGE_ROLL)
        assert unit == 0
        success = events_of(after, events.CHARGE_FAILED) == []
        assert success == (after.words[layout.DOING] == layout.CHARGING)
        assert reached.setdefault((first, second), success) == success
        good += success
    assert len(reached) == 36
    assert Fraction(sum(reached.values()), 36) == odds_of_charge(steps)
    assert close(good, seeds, odds_of_charge(steps))
