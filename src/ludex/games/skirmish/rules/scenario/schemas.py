"""The schemas of a scenario's files, one class per file."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from ludex.games.skirmish.rules.dice import NO_SAVE
from ludex.games.skirmish.rules.hexes.grid import LEAST_ROWS, MOST_COLS, MOST_ROWS
from ludex.games.skirmish.rules.scenario.files import Coordinates, Schema

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


class BoardConfig(Schema):
    """How large the board is and where its walls stand.

    Only a board with an odd number of columns can be the same for both players: another has no half turn.
    """

    cols: int = Field(ge=1, le=MOST_COLS)
    rows: int = Field(ge=LEAST_ROWS, le=MOST_ROWS)
    wall_hexes: tuple[Coordinates, ...]


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


StartPhase = Literal["command", "move"]


class Scoring(Schema):
    """Points of a command phase for the objectives a player holds."""

    first_turn: int = Field(ge=1)
    """The turn from which objectives score."""
    one: int = Field(ge=0)
    """For holding at least one."""
    two: int = Field(ge=0)
    """For holding at least two."""
    more: int = Field(ge=0)
    """For holding more than the opponent."""
    most_per_turn: int = Field(ge=0)


class DeploymentRewards(Schema):
    """Light shaping of the placements; zeros switch it off."""

    per_placement: float
    near_objective: float
    in_cover: float


class Rewards(Schema):
    """What training adds up, each number as it stands: what is bad for the player is negative."""

    win: float
    loss: float
    draw: float
    damage_dealt: float
    """For the whole enemy force; a share of its value earns this share."""
    damage_taken: float
    """For the whole own force; a share of its value costs this share."""
    objective_point: float
    deployment: DeploymentRewards

    @model_validator(mode="after")
    def _winning_is_best(self) -> Self:
        if not self.loss <= self.draw <= self.win:
            raise ValueError(f"expected loss <= draw <= win, but they are {self.loss}, {self.draw} and {self.win}")
        return self


class GameConfig(Schema):
    """Everything about a game that is neither the board nor the forces."""

    turns: int = Field(ge=1, le=50)
    post_deployment_start_phase: StartPhase
    deployment_max_unit_slots: int = Field(ge=1, le=64)
    deployment_max_hex_slots: int = Field(ge=1, le=4096)
    charge_range: int = Field(ge=1, le=12)
    """At most what two dice can roll."""
    objective_radius: int = Field(ge=0, le=12)
    scoring: Scoring
    rewards: Rewards


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
