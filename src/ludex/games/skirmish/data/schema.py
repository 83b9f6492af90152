"""What every schema of a scenario's files shares."""

from pydantic import BaseModel, ConfigDict


class Schema(BaseModel):
    """The base of every schema: unknown keys are errors, nothing is converted, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


Coordinates = tuple[int, int]
"""A hex as files write it: [col, row]."""
