"""`config/units.json`: the types of unit a force is made of."""

from typing import Annotated

from pydantic import Field

from ludex.games.skirmish.data.schema import Schema

NO_SAVE = 7
"""A save that no die makes."""


class UnitType(Schema):
    """How a type of unit moves, what it withstands, what it strikes with, and what it is worth."""

    name: str = Field(min_length=1)
    move: int = Field(ge=1, le=30)
    toughness: int = Field(ge=1, le=30)
    save: int = Field(ge=2, le=NO_SAVE)
    invulnerable_save: Annotated[int, Field(ge=2, le=6)] | None
    """A save that no weapon worsens."""
    wounds: int = Field(ge=1, le=100)
    value: int = Field(ge=1, le=1000)
    ranged_weapons: tuple[str, ...] = Field(max_length=2)
    melee_weapon: str
    symbol: str = Field(pattern="^[A-Z]{1,2}$")
    """What stands for it on maps: player 1's in capitals, player 2's in small letters."""
