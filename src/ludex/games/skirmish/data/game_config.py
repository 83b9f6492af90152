"""`config/game_config.json`: the length of a game, its action space, scoring and rewards."""

from typing import Literal, Self

from pydantic import Field, model_validator

from ludex.games.skirmish.data.schema import Schema

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
