"""The documents of the API about jobs of the laboratory."""

from typing import Any

from pydantic import Field

from ludex.lab.job_state import JobState
from ludex.web.schemas.base import Document, Request, Texts


class JobLine(Document):
    """A job in a list."""

    id: str
    kind: str
    """The id of its operation, such as `train` or `tournament`; empty if the job's folder is damaged."""
    game: str
    game_title: Texts
    """What people call the game."""
    title: str
    label: Texts
    """What people call it: its title, or where it was given none, what it does."""
    state: JobState
    reason: str | None
    """Why it failed, or paused by itself."""
    done: int
    total: int | None
    """In the unit of the job: steps or games; None where it is unknown."""
    created_utc: str
    runs: list[str]
    """The names of the training runs that it works on."""
    tournament: str | None
    """The name of the tournament that it plays."""


class Jobs(Document):
    """The newest jobs, the last first, and how many this server runs."""

    jobs: list[JobLine]
    at_once: int
    """How many run at once; with 0 this server runs none."""
    waiting: int
    """How many may wait."""


class JobDetail(JobLine):
    """One job."""

    request: dict[str, Any]
    """The request, with every default."""
    result: dict[str, Any] | None
    """What came of it, once it is finished."""
    log: str | None
    """The end of what its process wrote, for the administrator."""


class JobTitle(Request):
    """A new title."""

    title: str = Field(min_length=1, max_length=100)
