"""The levels as they were measured: steps that a person can climb, and the ratings that the specs declare."""

from itertools import pairwise

import pytest

from benchmarks.documents import RESULTS, read
from benchmarks.tables.levels import ratings, step_score
from ludex.core import registry

DOCUMENT = read("levels", RESULTS)
LADDERS = [game for game, document in DOCUMENT.items() if "matches" in document]


@pytest.mark.parametrize("game", LADDERS)
def test_every_level_was_measured_against_the_one_below(game: str) -> None:
    levels = [name for name, level in registry.spec(game).levels.items() if level.rating is not None]
    matches = DOCUMENT[game]["matches"]
    assert len(levels) >= 4
    assert [match["agents"] for match in matches] == [[*pair] for pair in zip(levels[1:], levels, strict=False)]
    for match in matches:
        assert match["games"] == 400
        assert 0.65 <= match["score"] <= 0.85, match["agents"]
        assert match["ci95"][0] > 0.55, match["agents"]


@pytest.mark.parametrize("game", LADDERS)
def test_the_ratings_of_a_spec_follow_from_the_scores(game: str) -> None:
    spec = registry.spec(game)
    assert DOCUMENT[game]["preset"] == spec.offered_presets[0]
    assert {name: level.rating for name, level in spec.levels.items() if level.rating is not None} == ratings()[game]


def test_the_levels_of_a_game_for_one_are_steps_too() -> None:
    rows = DOCUMENT["minesweeper"]["evaluations"]
    assert [row["agent"] for row in rows] == [*registry.spec("minesweeper").levels]
    for step in pairwise(rows):
        score, reach = step_score(step)
        assert 0.65 <= score <= 0.85
        assert score - reach > 0.55
