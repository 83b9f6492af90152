"""Keys of positions: kept move by move, one for each position, and of everything that matters."""

import random

import pytest

from ludex.core.game import legal_actions
from ludex.games.quoridor.agents.master.moves import code_of, key_after, key_of, zobrist
from ludex.games.quoridor.rules.position import LEFT, PAWN, TURN, H, V, starting, words
from ludex.kernels.jit import to_word
from tests.games.quoridor.support import TRAP, game_of, live_steps, walk

RANDOM = zobrist()


@pytest.mark.parametrize(("size", "walls"), [(3, 2), (5, 6), (9, 10), (11, 40)])
def test_a_key_kept_move_by_move_is_the_key_from_nothing(size: int, walls: int) -> None:
    game, rng = game_of(size, walls), random.Random(35)
    for number in range(12):
        position = game.initial(TRAP)
        key = to_word(key_of(words(position, size), RANDOM))
        while actions := legal_actions(game.legal(position)):
            wanted = [action for action in actions if (action >= game.squares) == (rng.random() < number / 11)]
            action = rng.choice(wanted or actions)
            key = to_word(key_after(key, words(position, size), code_of(action, size), RANDOM))
            position = game.apply(position, action, TRAP)
            assert key == key_of(words(position, size), RANDOM)


@pytest.mark.slow
def test_different_positions_have_different_keys() -> None:
    standing: dict[tuple[int, ...], int] = {}
    for seed in range(40):
        for _, position, _ in walk(seed, 9, 10, 0.5):
            row = words(position, 9)
            standing[tuple(row.tolist())] = key_of(row, RANDOM)
    assert len(standing) > 1500
    assert len(set(standing.values())) == len(standing)


def test_everything_that_stands_or_is_in_stock_matters() -> None:
    changes = [(TURN, 1), (PAWN, 1), (PAWN + 1, 1), (LEFT, 1), (LEFT + 1, 1), (H, 2), (H + 1, 4), (V, 2), (V + 1, 4)]
    for _, position, _ in live_steps(100, 11, 12, seed=36):
        row = words(position, 11)
        keys = {key_of(row, RANDOM)}
        for word, bits in changes:
            changed = row.copy()
            changed[word] ^= to_word(bits)
            keys.add(key_of(changed, RANDOM))
        assert len(keys) == len(changes) + 1


def test_every_stock_and_every_square_of_either_player_has_its_own_word() -> None:
    keys = set()
    for player in (0, 1):
        for word, count in ((LEFT, 51), (PAWN, 121)):
            for value in range(count):
                row = words(starting(11, 0), 11)
                row[word + player] = value
                keys.add(key_of(row, RANDOM))
    # The position itself is met once for each of the four words.
    assert len(keys) == 2 * (51 + 121) - 3


def test_the_words_are_the_same_every_time_and_all_different() -> None:
    assert zobrist().tolist() == RANDOM.tolist()
    assert len(set(RANDOM.tolist())) == len(RANDOM)
