"""What a training run depends on. Apart from the training, so that reading it loads no torch."""

from typing import Literal

from pydantic import Field

from ludex.core.options import LOCAL
from ludex.learn.config import WORKERS, Config


class EvaluationConfig(Config):
    """Everything a run depends on."""

    games: int = Field(gt=0, description="self-play games")
    nodes: int = Field(gt=0, description="nodes a move in self-play")
    agent: str = Field(
        pattern="^master(:.*)?$",
        description="the agent: master, with the net of the last generation",
        json_schema_extra=LOCAL,
    )
    opening_plies: int = Field(ge=0, description="plies drawn by lot at the start, at most")
    epsilon: float = Field(ge=0, lt=1, description="share of later moves drawn by lot")
    earlier: list[str] = Field(
        description="folders of runs whose games are learned from as well", json_schema_extra=LOCAL
    )
    search_share: float = Field(ge=0, le=1, description="share of the search in the target; the rest is the result")
    epochs: int = Field(gt=0, description="times each position is seen")
    batch: int = Field(gt=0, description="positions a step")
    learning_rate: float = Field(gt=0, description="the highest")
    seed: int = Field(ge=0, lt=1 << 64, description="names every random number of the run")
    workers: int = Field(gt=0, description="processes that play", json_schema_extra=WORKERS)
    device: Literal["auto", "cpu", "cuda"] = Field(description="where the net is trained")
