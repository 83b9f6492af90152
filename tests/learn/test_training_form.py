"""Every configuration that ships can be filled in as a form, in both languages."""

from typing import Any

import pytest

from ludex.core import registry
from ludex.core.messages import LANGUAGES
from ludex.learn.config import dump_config, load_config, parse_config
from ludex.learn.training_form import configuration, configurations
from ludex.learn.trainings import ALPHAZERO, MINUTE, training_of

SHIPPED = ("tictactoe", "quoridor", "minesweeper", "skirmish")


def _undocumented(game: str) -> dict[str, list[str]]:
    problems = {}
    for one in configurations(registry.spec(game)):
        faults = [key.name for key in one.keys if not key.documentation["en"]]
        faults += [key.name for key in one.keys if key.documentation["fr"] in ("", key.documentation["en"])]
        faults += (
            [] if len({*one.sentence.values()}) == len(LANGUAGES) and one.name not in one.title.values() else ["title"]
        )
        problems[one.name] = faults
    return {name: faults for name, faults in problems.items() if faults}


@pytest.mark.parametrize("game", SHIPPED)
def test_every_key_and_every_configuration_is_documented_in_both_languages(game: str) -> None:
    assert _undocumented(game) == {}


@pytest.mark.parametrize("game", SHIPPED)
def test_every_game_has_a_minute_whose_three_knobs_are_keys(game: str) -> None:
    minute = configuration(registry.spec(game), MINUTE)
    assert len(minute.training.knobs) == 3
    assert {*minute.training.knobs} <= minute.values.keys() == {key.name for key in minute.keys}
    assert all(minute.sentence[language] for language in LANGUAGES)


@pytest.mark.parametrize("game", SHIPPED)
def test_the_values_of_a_form_make_the_same_configuration(game: str) -> None:
    """A form that is sent back unchanged changes nothing: every value is JSON that its key accepts."""
    for one in configurations(registry.spec(game)):
        training = one.training
        again = load_config(training.config, training.configs, one.name, one.values)
        assert again == load_config(training.config, training.configs, one.name, {})
        assert parse_config(training.config, dump_config(again), "copy") == again


@pytest.mark.parametrize(
    ("game", "config", "name", "expected"),
    [
        ("tictactoe", "v1_01", "games", {"kind": "integer", "least": 1, "optional": False}),
        ("tictactoe", "v1_01", "preset", {"kind": "board"}),
        ("tictactoe", "v1_01", "rule.alpha", {"kind": "number"}),
        ("tictactoe", "alphazero", "minutes", {"kind": "number", "optional": True}),
        ("tictactoe", "alphazero", "preset", {"kind": "board", "optional": True}),
        ("minesweeper", "minute", "stage", {"kind": "choice", "choices": ("il", "ppo", "all")}),
        ("minesweeper", "minute", "ppo.amp", {"kind": "boolean"}),
        ("minesweeper", "minute", "boards", {"kind": "json", "optional": True}),
        ("tictactoe", "v1_01", "preset", {"kind": "board", "optional": False}),
    ],
)
def test_a_key_has_the_type_of_its_schema(game: str, config: str, name: str, expected: dict[str, Any]) -> None:
    [key] = [key for key in configuration(registry.spec(game), config).keys if key.name == name]
    assert {attribute: getattr(key, attribute) for attribute in expected} == expected


@pytest.mark.parametrize("game", SHIPPED)
def test_a_key_that_names_a_file_is_in_no_form(game: str) -> None:
    for one in configurations(registry.spec(game)):
        assert not one.values.keys() & {"start_from", "earlier", "agent", "imitation.dataset"}


def test_a_section_of_another_kind_has_other_keys() -> None:
    additive, negamax = (configuration(registry.spec("tictactoe"), name).values for name in ("v1_01", "negamax"))
    assert "rule.alpha" in additive
    assert not any(key.startswith("rule.") for key in negamax)


def test_a_minute_of_the_generic_learner_among_a_games_own_configurations() -> None:
    quoridor = registry.spec("quoridor")
    training = training_of(quoridor, MINUTE)
    assert (training.config, training.run) == (ALPHAZERO.config, ALPHAZERO.run)
    assert load_config(training.config, training.configs, MINUTE, {}).model_dump()["preset"] == "3x3"
    assert training_of(quoridor, "miniature") is quoridor.learning.training
