"""What a unit carries, as numbers for a network; like rewards, made once from a scenario."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludex.games.skirmish.rules.odds import attack_chance
from ludex.games.skirmish.rules.scenario.forces import Unit
from ludex.games.skirmish.rules.scenario.schemas import Weapon

LONGEST = 18.0
"""What ranges are divided by, to be of the size of 1."""


def harm(weapon: Weapon, target: Unit) -> float:
    """The wounds that a weapon's attacks are expected to cost a unit that can take them all."""
    return weapon.attacks * attack_chance(weapon, target.type) * weapon.damage


def arms(unit: Unit, enemies: Sequence[Unit]) -> NDArray[np.float32]:
    """float32[5]: range, the part of the mean enemy that fire and blows destroy, then assault and pistol."""
    fire = sum(harm(weapon, enemy) / enemy.type.wounds for weapon in unit.ranged for enemy in enemies)
    blow = sum(harm(unit.melee, enemy) / enemy.type.wounds for enemy in enemies)
    keywords = {keyword for weapon in unit.ranged for keyword in weapon.keywords}
    count = max(len(enemies), 1)
    longest = max((weapon.range for weapon in unit.ranged), default=0) / LONGEST
    return np.array([longest, fire / count, blow / count, "assault" in keywords, "pistol" in keywords], np.float32)
