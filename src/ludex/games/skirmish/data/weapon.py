"""`config/weapons.json`: what units strike with."""

from typing import Literal, Self

from pydantic import Field, model_validator

from ludex.games.skirmish.data.schema import Schema

Keyword = Literal["assault", "pistol"]


class Weapon(Schema):
    """How far, how often, how surely and how hard a weapon strikes."""

    name: str = Field(min_length=1)
    range: int = Field(ge=0, le=64)
    """In hexes; 0 is melee."""
    attacks: int = Field(ge=1, le=30)
    skill: int = Field(ge=2, le=6)
    """A hit needs this or more on a die."""
    strength: int = Field(ge=1, le=30)
    ap: int = Field(ge=0, le=6)
    """By how much the target's save is worse."""
    damage: int = Field(ge=1, le=30)
    keywords: tuple[Keyword, ...]

    @property
    def melee(self) -> bool:
        return self.range == 0

    @model_validator(mode="after")
    def _keywords_apply(self) -> Self:
        if len(set(self.keywords)) < len(self.keywords):
            raise ValueError(f"expected each of the keywords once, but they are {list(self.keywords)}")
        if self.melee and self.keywords:
            raise ValueError(f"expected no keywords with range 0, which is melee, but they are {list(self.keywords)}")
        return self
