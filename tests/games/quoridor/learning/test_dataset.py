"""Training positions: the side they are seen from, their mirror images, and their results."""

import numpy as np
import pytest

from ludex.games.quoridor.agents.master.network import FEATURES, MOST_FEATURES, STANDING, list_features
from ludex.games.quoridor.learning.selfplay import UNSCORED, positions_of
from ludex.games.quoridor.rules.paths import distance
from ludex.games.quoridor.rules.position import TURN, Position, words
from ludex.learn.shards import concatenate
from tests.games.quoridor.learning.support import TASK, replayed, some_games
from tests.games.quoridor.support import game_of


def mirrored(position: Position) -> Position:
    """The position with left and right swapped."""
    white, black = (square - square % 9 + 8 - square % 9 for square in position.pawns)
    horizontal, vertical = (
        sum(1 << slot - slot % 9 + 7 - slot % 9 for slot in range(81) if walls >> slot & 1) for walls in position.walls
    )
    return position._replace(pawns=(white, black), walls=(horizontal, vertical))


def features_of(position: Position) -> list[int]:
    out = np.full(MOST_FEATURES, FEATURES, np.int16)
    row = words(position, 9)
    mine, theirs = (distance(row, player, 9, game_of().geometry) for player in (position.turn, 1 - position.turn))
    list_features(row, int(row[TURN]), mine, theirs, out)
    return [int(feature) for feature in out]


def searched() -> list[tuple[Position, int, int]]:
    """Every position of the games that was searched, its score, and how it ended for its mover."""
    rows = []
    for number in range(TASK.count):
        positions, _, scores = replayed(some_games(), number)
        result = int(some_games().results[number])
        for position, score in zip(positions, scores, strict=False):
            if score != UNSCORED:
                rows.append((position, score, result if position.turn == 0 else -result))
    return rows


@pytest.mark.slow
@pytest.mark.parametrize("swapped", [False, True])
def test_features_are_those_of_the_positions_or_of_their_mirror_images(swapped: bool) -> None:
    dataset = positions_of(some_games(), mirrored=swapped)
    expected = searched()
    assert len(dataset.features) == len(expected) == (some_games().scores != UNSCORED).sum()
    for features, (position, _, _) in zip(dataset.features.tolist(), expected, strict=True):
        expected_features = features_of(mirrored(position) if swapped else position)
        assert features[:STANDING] == expected_features[:STANDING]
        # Walls are listed square by square, and their mirror images in another order.
        assert sorted(features) == sorted(expected_features)


@pytest.mark.parametrize("swapped", [False, True])
def test_scores_and_results_are_the_movers(swapped: bool) -> None:
    dataset = positions_of(some_games(), mirrored=swapped)
    assert dataset.scores.tolist() == [score for _, score, _ in searched()]
    assert dataset.results.tolist() == [result for _, _, result in searched()]
    assert {-1, 1} <= set(dataset.results.tolist())


def test_several_batches_follow_each_other() -> None:
    games = some_games()
    one, two = (positions_of(games.part(*part), mirrored=False) for part in ((0, 2), (2, 6)))
    both = positions_of(concatenate([games.part(0, 2), games.part(2, 6)]), mirrored=False)
    assert both.features.tolist() == [*one.features.tolist(), *two.features.tolist()]


def test_no_games_have_no_positions() -> None:
    dataset = positions_of(some_games().part(3, 3), mirrored=False)
    assert dataset.features.shape == (0, MOST_FEATURES)
    assert len(dataset.scores) == len(dataset.results) == 0
