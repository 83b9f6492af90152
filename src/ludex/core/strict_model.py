"""The base of documents and rows: a frozen model that knows no other keys than its own."""

from pydantic import BaseModel, ConfigDict


class StrictModel(BaseModel):
    """Unknown keys are errors, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True)
