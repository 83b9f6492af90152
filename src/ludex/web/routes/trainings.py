"""What can be trained: the configurations of every game, as forms."""

import asyncio
from functools import cache
from typing import Any

from fastapi import APIRouter

from ludex.core import registry
from ludex.core.log import logger
from ludex.core.packages import missing_packages
from ludex.core.spec import GameSpec
from ludex.learn.training_form import Configuration, TrainingKey, configuration, configurations
from ludex.learn.trainings import MINUTE, training_names
from ludex.operations.training import MEASURED
from ludex.web.answers import StrictRoute
from ludex.web.boards import board_title, game_title
from ludex.web.errors import problems
from ludex.web.schemas.base import Document, Texts

log = logger("web.trainings")
router = APIRouter(prefix="/api/trainings", tags=["jobs"], route_class=StrictRoute)


class QuickTraining(Document):
    """The training of a game that takes a few minutes on two cores."""

    game: str
    game_title: Texts
    name: str
    """The name of its configuration."""
    title: Texts
    sentence: Texts
    minutes: float
    """How long it takes on two cores."""
    measured: int
    """Games per step that measure at the end what was learned, as `TrainRequest.measured`."""
    missing: list[str]
    """Packages that it needs and that are not installed here."""


class QuickTrainings(Document):
    """One training per game, for beginners."""

    trainings: list[QuickTraining]


class TrainingConfiguration(Document):
    """A configuration that can be named, with all its values by dotted key."""

    name: str
    title: Texts
    sentence: Texts
    minutes: float | None
    """How long it takes on two cores, if that was measured."""
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
    configurations: list[TrainingConfiguration]
    """The shortest first."""
    forms: list[TrainingForm]


@router.get("", responses=problems())
async def quick_trainings() -> QuickTrainings:
    """One training per game that takes a few minutes on two cores."""
    return await asyncio.to_thread(_quick)


@router.get("/{game}", responses=problems("unknown_game", "broken_game", "bad_request"))
async def trainings(game: str) -> Trainings:
    """The configurations that a game can be trained by, each key with its documentation."""
    return await asyncio.to_thread(_trainings, game)


@cache
def _quick() -> QuickTrainings:
    trainings = (_minute(spec) for spec in registry.available()[0])
    return QuickTrainings(trainings=[training for training in trainings if training is not None])


def _minute(spec: GameSpec) -> QuickTraining | None:
    try:
        if MINUTE not in training_names(spec):
            return None
        quick = configuration(spec, MINUTE)
    except Exception as error:
        # A third-party board may fail in any way, and must not hide the other games.
        log.warning("no quick training", game=spec.id, error=f"{type(error).__name__}: {error}")
        return None
    return QuickTraining(
        game=spec.id,
        game_title=game_title(spec.id),
        name=quick.name,
        title=quick.title,
        sentence=quick.sentence,
        minutes=quick.minutes or 1.0,
        measured=MEASURED,
        missing=missing_packages(quick.training.requires),
    )


@cache
def _trainings(game: str) -> Trainings:
    spec = registry.spec(game)
    named = sorted(configurations(spec), key=lambda config: config.name != MINUTE)
    # Configurations of one model share their keys.
    models = [*dict.fromkeys(config.training.config for config in named)]
    return Trainings(
        game=game,
        title=game_title(game),
        boards={preset: board_title(game, preset) for preset in spec.presets},
        configurations=[
            TrainingConfiguration(
                name=config.name,
                title=config.title,
                sentence=config.sentence,
                minutes=1.0 if config.minutes is None and config.name == MINUTE else config.minutes,
                form=models.index(config.training.config),
                values=config.values,
            )
            for config in named
        ],
        forms=[_form([config for config in named if config.training.config is model]) for model in models],
    )


def _form(named: list[Configuration]) -> TrainingForm:
    keys, training = {key.name: key for config in named for key in config.keys}, named[0].training
    missing = missing_packages(training.requires)
    return TrainingForm(knobs=[*training.knobs], keys=[*keys.values()], missing=missing)
