"""Rankings and training runs."""

from typing import Annotated, Any

from pydantic import Field

from ludex.learn.notes import LONGEST_NOTE
from ludex.learn.runs import RunState
from ludex.web.schemas.base import Document, Texts


class RankingLine(Document):
    """A table of learned values."""

    game: str
    preset: str
    entries: int
    created_utc: str


class RankedBoard(Document):
    """A board that may have a table of learned values."""

    game: str
    title: str
    preset: str
    shipped: bool
    """Whether a table comes with Ludex."""
    agent: str
    """The agent that plays by the database's table."""


class Rankings(Document):
    """Every table of learned values in the database, and the presets that may have one."""

    rankings: list[RankingLine]
    boards: list[RankedBoard]


class RunLine(Document):
    """A training run in a list."""

    name: str
    game: str
    game_title: Texts
    label: Texts
    """What people call it: its configuration, and the board that it learns."""
    config: str
    created_utc: str
    rows: int
    finished: bool
    group: str | None = None
    """The experiment that it belongs to."""
    state: RunState | None
    """None if the run is damaged."""
    reason: str | None
    """Why it failed."""
    fault: str | None = None


class Runs(Document):
    """Every training run."""

    runs: list[RunLine]


class RunDetail(Document):
    """One training run."""

    name: str
    game: str
    game_title: Texts
    label: Texts
    """What people call it: its configuration, and the board that it learns."""
    config_name: str
    config: str
    created_utc: str
    summary: dict[str, Any] | None
    state: RunState
    reason: str | None
    group: str | None
    """The experiment that it belongs to."""
    headline: str | None
    """The metric that matters, which charts show first."""


class RunNote(Document):
    """What the administrator has written about a run or an experiment."""

    note: Annotated[str, Field(max_length=LONGEST_NOTE)]


class RunMetrics(Document):
    """Rows of a run's metrics from `after` on."""

    name: str
    after: int
    rows: list[dict[str, Any]]
    finished: bool
