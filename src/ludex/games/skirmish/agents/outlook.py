"""What a unit can do from a hex, and what can be done to it there."""

from typing import Final

import numpy as np

from ludex.games.skirmish.agents.field import MELEE, Hexes, Numbers
from ludex.games.skirmish.agents.situation import Situation

STRUCK_BACK: Final = 0.5
"""How much the blow in return counts: who does not charge is charged, and struck without having struck."""


class Outlook:
    """The active unit on each of some hexes, by exact odds over range and sight."""

    def __init__(self, situation: Situation, hexes: Hexes, advanced: bool) -> None:
        field, self.unit = situation.field, situation.active
        self.situation = situation
        there = [situation.hexes[foe] for foe in situation.foes]
        self.advanced = advanced
        self.away = field.distance[hexes][:, there]
        """[hexes, enemies]"""
        self.seen = field.sight[hexes][:, there]
        self.fled = situation.engaged(self.unit) & (hexes != situation.hexes[self.unit])

    def fire(self) -> Numbers:
        """By hex: the expected value that the best shot from there destroys."""
        situation, field, unit = self.situation, self.situation.field, self.unit
        friends = [situation.hexes[friend] for friend in situation.own if friend != unit]
        arms = np.zeros(self.away.shape, np.int64)
        engaged = np.array(
            [bool((field.distance[situation.hexes[foe], friends] == 1).any()) for foe in situation.foes], np.bool_
        )
        for bit, weapon in field.arms(unit):
            if self.advanced and "assault" not in weapon.keywords:
                continue
            able = self.seen & (self.away <= weapon.range)
            if "pistol" not in weapon.keywords:
                able &= ~engaged & (self.away > 1)
            arms |= np.where(able, bit, 0)
        values = np.array(
            [
                [field.strike(unit, chosen, foe, situation.wounds[foe]).value for foe in situation.foes]
                for chosen in range(MELEE)
            ]
        )
        best: Numbers = values[arms, np.arange(len(situation.foes))].max(axis=1, initial=0.0)
        return np.where(self.fled, 0.0, best)

    def charge(self) -> Numbers:
        """By hex: the expected value of the best charge from there, less what strikes back."""
        situation, field = self.situation, self.situation.field
        if self.advanced:
            return np.zeros(len(self.away))
        worth = np.array([max(0.0, trade(situation, self.unit, foe)) for foe in situation.foes])
        able = self.away <= field.game.scenario.game.charge_range
        chances = np.where(able, field.chances[np.maximum(self.away - 1, 0)], 0.0)
        best: Numbers = (chances * worth).max(axis=1, initial=0.0)
        return np.where(self.fled, 0.0, best)

    def risk(self) -> Numbers:
        """By hex: the value that all enemies together are expected to take from the unit in their next turn."""
        situation, field, unit = self.situation, self.situation.field, self.unit
        left = situation.wounds[unit]
        total: Numbers = np.zeros(len(self.away))
        for place, foe in enumerate(situation.foes):
            away, seen, move = self.away[:, place], self.seen[:, place], field.units[foe].type.move
            for bit, weapon in field.arms(foe):
                value = field.strike(foe, bit, unit, left).value
                total += np.where(seen & (away <= weapon.range), 0.9, 0.6 * (away <= weapon.range + move)) * value
            steps = np.maximum(away - 1 - move, 0)
            total += np.where(steps <= 12, field.chances[steps], 0.0) * field.strike(foe, MELEE, unit, left).value
        return np.minimum(total, float(field.units[unit].value))


def trade(situation: Situation, unit: int, foe: int) -> float:
    """The value a charge at an enemy's side is expected to destroy, less what the enemy strikes back if it lives."""
    blow, back = situation.melee(unit, foe), situation.melee(foe, unit)
    return blow.value - STRUCK_BACK * (1.0 - blow.kill) * back.value
