"""`config/deployment/<name>.json`: the zones in which the players place their units."""

from typing import Self

from pydantic import Field, model_validator

from ludex.games.skirmish.data.schema import Schema


class Zone(Schema):
    """A rectangle of columns and rows, its borders included."""

    col_min: int = Field(ge=0)
    col_max: int = Field(ge=0)
    row_min: int = Field(ge=0)
    row_max: int = Field(ge=0)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.col_min > self.col_max:
            raise ValueError(f"expected col_min <= col_max, which is {self.col_max}, but col_min is {self.col_min}")
        if self.row_min > self.row_max:
            raise ValueError(f"expected row_min <= row_max, which is {self.row_max}, but row_min is {self.row_min}")
        return self

    def holds(self, col: int, row: int) -> bool:
        return self.col_min <= col <= self.col_max and self.row_min <= row <= self.row_max

    def overlaps(self, other: "Zone") -> bool:
        apart = self.col_max < other.col_min or other.col_max < self.col_min
        return not (apart or self.row_max < other.row_min or other.row_max < self.row_min)


class DeploymentConfig(Schema):
    """A zone for each player."""

    p1: Zone
    p2: Zone
