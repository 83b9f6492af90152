"""`scenario.json`: who meets where, and how they deploy."""

from typing import Literal

from pydantic import Field

from ludex.games.skirmish.data.schema import Coordinates, Schema

DeploymentType = Literal["active", "fixed"]
OrderMode = Literal["player_by_player", "alternated_p1_start"]
Confirmation = Literal["none", "per_player"]

UNPLACED = -1
"""Column and row of a unit that stands nowhere."""


class UnitEntry(Schema):
    """One unit of a force; with the deployment type `fixed` also where it stands."""

    id: str = Field(pattern="^[0-9]+$")
    player: int = Field(ge=1, le=2)
    type: str
    col: int = UNPLACED
    row: int = UNPLACED


class ScenarioConfig(Schema):
    """The forces, what lies on the board for them, and the rules of their deployment."""

    title: str = Field(min_length=1)
    description: str
    deployment_zone: str = Field(pattern="^[A-Za-z0-9_-]+$")
    deployment_type: DeploymentType
    deployment_order_mode: OrderMode
    deployment_confirmation: Confirmation
    max_undeploys: int = Field(ge=0, le=1000)
    forbidden_hexes: tuple[Coordinates, ...]
    objectives: tuple[Coordinates, ...]
    units: tuple[UnitEntry, ...]
