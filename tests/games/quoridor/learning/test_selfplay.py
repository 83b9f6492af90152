"""Games of the engine against itself: legal, the same in any process, and whole on disk."""

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ludex.games.quoridor.agents.master.transposition_table import CERTAIN
from ludex.games.quoridor.learning.selfplay import UNSCORED, Games, play_games
from ludex.learn.shards import concatenate, dump_arrays, load_arrays
from tests.games.quoridor.learning.support import TASK, replayed, same, some_games
from tests.games.quoridor.support import game_of

# Playing


def test_games_are_legal_and_end_as_they_say() -> None:
    game, games = game_of(), some_games()
    assert len(games.lengths) == len(games.results) == TASK.count
    assert len(games.actions) == len(games.scores) == games.lengths.sum()
    for number in range(TASK.count):
        # Whatever is illegal, or comes after the end, is refused here.
        positions, _, scores = replayed(games, number)
        outcome, last = game.outcome(positions[-1]), scores[-1]
        if outcome is not None:
            assert games.results[number] == outcome.scores[0]
        else:
            # The end was seen: the mover's certain win or loss.
            assert abs(last) >= CERTAIN
            white = positions[-2].turn == 0
            assert games.results[number] == (1 if (last > 0) == white else -1)
        assert all(abs(score) < CERTAIN for score in scores[:-1] if score != UNSCORED)


def test_the_first_moves_and_a_share_of_the_others_are_drawn_by_lot() -> None:
    drawn = some_games().scores == UNSCORED
    assert 0.05 < drawn.mean() < 0.4
    without = play_games(replace(TASK, count=2, opening_plies=0, epsilon=0.0))
    assert not (without.scores == UNSCORED).any()


@pytest.mark.slow
def test_what_is_drawn_is_as_often_a_wall_as_a_step() -> None:
    games = play_games(replace(TASK, count=30, nodes=1, opening_plies=8, epsilon=0.0))
    opening = games.actions[games.scores == UNSCORED]
    assert len(opening) > 60
    assert 0.3 < (opening >= 81).mean() < 0.7


@pytest.mark.slow
def test_a_game_depends_on_its_number_alone() -> None:
    # An engine that has played before plays on like a fresh one.
    parts = [play_games(replace(TASK, first=first, count=3)) for first in (3, 0)]
    assert same(concatenate(parts[::-1]), some_games())
    assert same(parts[0], some_games().part(3, 6))


# Keeping


def drawn_games(rng: random.Random, count: int) -> Games:
    """Any numbers in the place of games."""
    lengths = np.array([rng.randrange(1, 30) for _ in range(count)], np.int32)
    plies = int(lengths.sum())
    return Games(
        np.array([rng.randrange(209) for _ in range(plies)], np.uint8),
        np.array([rng.randrange(-30_000, 30_000) for _ in range(plies)], np.int16),
        lengths,
        np.array([rng.choice((-1, 0, 1)) for _ in range(count)], np.int8),
    )


def test_parts_joined_are_the_whole() -> None:
    rng = random.Random(111)
    for _ in range(50):
        games = drawn_games(rng, 9)
        begin, end = sorted((rng.randrange(10), rng.randrange(10)))
        parts = [games.part(0, begin), games.part(begin, end), games.part(end, 9)]
        assert same(concatenate(parts), games)
        assert [len(part.lengths) for part in parts] == [begin, end - begin, 9 - end]
        assert all(len(part.actions) == len(part.scores) == part.lengths.sum() for part in parts)


def test_games_come_back_from_their_file(tmp_path: Path) -> None:
    for games in (some_games(), drawn_games(random.Random(113), 40), some_games().part(2, 2)):
        (tmp_path / "games.npz").write_bytes(dump_arrays(games))
        assert same(load_arrays(Games, tmp_path / "games.npz"), games)
