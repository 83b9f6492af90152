"""A unit of a force, with everything its files say about it."""

from dataclasses import dataclass

from ludex.games.skirmish.data.unit_type import UnitType
from ludex.games.skirmish.data.weapon import Weapon


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as a scenario fields it."""

    id: str
    player: int
    """1 or 2."""
    type_id: str
    type: UnitType
    ranged: tuple[Weapon, ...]
    melee: Weapon
    hex: int | None
    """Where it stands when the game begins; None if it is still to be deployed."""

    @property
    def name(self) -> str:
        return self.type.name

    @property
    def value(self) -> int:
        return self.type.value
