"""What can be trained, as forms show it."""

from typing import Any

from ludex.learn.training_form import TrainingKey
from ludex.web.schemas.base import Document, Texts


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
