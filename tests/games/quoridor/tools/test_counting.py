"""Playouts, and the signature of the search."""

import math
from collections import Counter

import numpy as np
import pytest

from benchmarks.peers.quoridor import nth, playouts, random_action
from ludex.core.game import legal_actions
from ludex.core.perft import perft
from ludex.core.record import match_of
from ludex.core.registry import make
from ludex.core.seeding import generator
from ludex.games.quoridor.game import Quoridor
from ludex.games.quoridor.rules.movegen import MOST_PAWN_MOVES
from ludex.games.quoridor.rules.position import STATE_WORDS, words
from ludex.games.quoridor.tools.counting import POSITIONS, count, signature
from ludex.kernels.jit import to_word
from tests.games.quoridor.support import game_of, walk


def drawn(game: Quoridor, position: object, draws: int, seed: int) -> Counter[int]:
    rng = np.array([generator(seed, 0).state], np.uint64)
    row = words(position, game.size)  # type: ignore[arg-type]
    moves, scratch = np.empty(MOST_PAWN_MOVES, np.int64), np.empty(STATE_WORDS, np.uint64)
    actions = (random_action(row, game.size, game.geometry, rng, moves, scratch) for _ in range(draws))
    return Counter(int(action) for action in actions)


@pytest.mark.parametrize(("size", "walls"), [(3, 2), (5, 4), (9, 10), (11, 12)])
def test_only_legal_actions_are_drawn(size: int, walls: int) -> None:
    for seed in range(4):
        for game, position, _ in walk(seed, size, walls, 0.5):
            if game.outcome(position) is None:
                assert set(drawn(game, position, 20, seed)) <= set(legal_actions(game.legal(position)))


def test_every_legal_action_is_equally_likely() -> None:
    game = game_of(5, 4)
    for _, position, _ in list(walk(3, 5, 4, 0.6))[2:9:3]:
        legal = legal_actions(game.legal(position))
        counts = drawn(game, position, 200 * len(legal), 1)
        chi_square = sum((counts[action] - 200) ** 2 / 200 for action in legal)
        assert set(counts) == set(legal)
        assert chi_square < len(legal) - 1 + 5 * math.sqrt(2 * (len(legal) - 1))


def test_the_nth_member_of_a_set_is_found_in_both_words() -> None:
    members = [0, 3, 63, 64, 65, 99]
    low = sum(1 << member for member in members if member < 64)
    high = sum(1 << member - 64 for member in members if member >= 64)
    squares = [nth(to_word(low), to_word(high), index) for index in range(len(members))]
    assert squares == members


def test_games_end_within_the_limit_and_differ_by_seed() -> None:
    game = make("quoridor", "5x5")
    assert isinstance(game, Quoridor)
    lengths = playouts(game, 200, 1)
    assert lengths.min() >= 2 * (game.size - 1) - 1
    assert lengths.max() <= game.info.max_plies
    assert (lengths != playouts(game, 200, 2)).any()
    assert (lengths == playouts(game, 200, 1)).all()


@pytest.mark.parametrize(("preset", "depth"), [("3x3", 4), ("5x5", 2)])
def test_counting_by_kernel_equals_counting_by_contract(preset: str, depth: int) -> None:
    game = make("quoridor", preset)
    assert isinstance(game, Quoridor)
    start = game.initial(generator(0, 0))
    assert [count(game, start, plies) for plies in range(depth + 1)] == [
        perft(game, start, plies) for plies in range(depth + 1)
    ]


pytestmark = pytest.mark.slow


def test_the_positions_are_live_and_different() -> None:
    matches = [match_of(f"quoridor 9x9: {line}") for line in POSITIONS]
    assert not any(match.over for match in matches)
    assert len({match.state for match in matches}) == len(POSITIONS) == 10


def test_the_search_is_the_one_that_was_measured() -> None:
    """A change of this number is a change of the search: say why, and show a match."""
    assert signature().nodes == 287977
