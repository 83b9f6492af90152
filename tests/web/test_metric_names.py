"""Every metric that a training of ours logs has a name and a sentence for people, in English and French."""

import json

import pytest

from ludex.core import registry
from ludex.core.spec import TrainingSpec
from ludex.learn.trainings import trainings
from ludex.web.page_document import STATIC
from tests.web.page_weight import LANGUAGES

TRAININGS = {
    f"{spec.id} {training.default}": training for spec in registry.available()[0] for training in trainings(spec)
}
each_training = pytest.mark.parametrize("training", TRAININGS.values(), ids=TRAININGS)


def catalogue(section: str, language: str) -> dict[str, str]:
    texts: dict[str, str] = json.loads((STATIC / "texts" / language / "metrics.json").read_text())[section]
    return texts


@each_training
def test_what_a_training_logs_is_declared_with_the_metric_that_matters(training: TrainingSpec) -> None:
    assert training.headline in training.metrics


@pytest.mark.parametrize("language", LANGUAGES)
@each_training
def test_declared_metrics_have_a_name_and_a_sentence(training: TrainingSpec, language: str) -> None:
    names, sentences = catalogue("names", language), catalogue("sentences", language)
    for metric in training.metrics:
        assert names.get(metric), metric
        assert sentences.get(metric, "").endswith("."), metric


def test_no_metric_is_named_that_nothing_logs() -> None:
    logged = {metric for training in TRAININGS.values() for metric in training.metrics}
    opponents = {"earlier_network", "no_network"}
    for section in ("names", "sentences"):
        english, french = (catalogue(section, language) for language in LANGUAGES)
        assert set(english) == set(french) == logged | opponents
