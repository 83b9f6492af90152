"""Trainings, training runs and jobs of the laboratory."""

from typing import Annotated, Any

from pydantic import Field

from ludex.lab.job import JobState
from ludex.learn.notes import LONGEST_NOTE
from ludex.learn.runs import RunState
from ludex.learn.training_form import TrainingKey
from ludex.web.schemas.base import Document, Request, Texts


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


class QuickTraining(Document):
    """The training of a game that takes about a minute on two cores."""

    game: str
    game_title: Texts
    name: str
    """The name of its configuration."""
    title: Texts
    sentence: Texts


class QuickTrainings(Document):
    """One training per game, for beginners."""

    trainings: list[QuickTraining]


class TrainingConfiguration(Document):
    """A configuration that can be named, with all its values by dotted key."""

    name: str
    title: Texts
    sentence: Texts
    minute: bool
    """Whether it takes about a minute on two cores."""
    form: int
    """The form in `Trainings.forms` that documents its keys."""
    values: dict[str, Any]


class TrainingForm(Document):
    """The keys of several configurations."""

    knobs: list[str]
    """Those that matter first."""
    keys: list[TrainingKey]
    missing: list[str]
    """Packages that this training needs and the server lacks."""


class Trainings(Document):
    """Every training of a game."""

    game: str
    title: Texts
    boards: dict[str, Texts]
    """By preset, what people call its board."""
    configurations: list[TrainingConfiguration]
    """The shortest first."""
    forms: list[TrainingForm]


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
