"""The transposition table: what goes in comes out, the deeper survives, and the past is forgotten."""

import random
from typing import NamedTuple

import numpy as np
import pytest

from ludex.games.quoridor.agents.master.moves import MOVE_CODES, NO_MOVE
from ludex.games.quoridor.agents.master.transposition_table import (
    CERTAIN,
    ENTRY,
    EXACT,
    LOWER,
    MISSING,
    UPPER,
    WIN,
    Table,
    new_table,
    probe,
    store,
)
from ludex.kernels.jit import to_word

BOUNDS = (EXACT, LOWER, UPPER)


class Found(NamedTuple):
    """What a search learns from an entry."""

    move: int
    score: int
    depth: int
    bound: int


def found(table: Table, key: int, ply: int, oldest: int, generation: int) -> Found | None:
    index = probe(table, to_word(key), oldest, generation)
    if index == MISSING:
        return None
    # Scores of wins and losses are counted from the position.
    entry = table[index]
    score = int(entry["score"])
    sign = (score >= CERTAIN) - (score <= -CERTAIN)
    return Found(int(entry["move"]), score - sign * ply, int(entry["depth"]), int(entry["bound"]))


def put(table: Table, key: int, entry: Found, ply: int, oldest: int, generation: int) -> None:
    store(table, to_word(key), *entry, ply, oldest, generation)


def drawn(rng: random.Random, ply: int) -> Found:
    """An entry as a search at a ply may write it; a third of them wins and losses seen to the end."""
    score = rng.randrange(1 - CERTAIN, CERTAIN)
    if rng.random() < 1 / 3:
        score = rng.choice((-1, 1)) * (WIN - ply - rng.randrange(1, 200))
    return Found(rng.randrange(NO_MOVE, MOVE_CODES), score, rng.randrange(65), rng.choice(BOUNDS))


@pytest.mark.parametrize("score", [-WIN, -CERTAIN, 1 - CERTAIN, -1, 0, 1, CERTAIN - 1, CERTAIN, WIN])
def test_scores_at_the_borders_fit(score: int) -> None:
    table, entry = new_table(1), Found(NO_MOVE, score, 0, EXACT)
    put(table, 4, entry, 0, 0, 0)
    assert found(table, 4, 0, 0, 0) == entry


def test_a_win_is_counted_from_the_position_and_read_at_any_ply() -> None:
    rng, table = random.Random(42), new_table(1)
    for key in range(3000):
        ply, later = rng.randrange(65), rng.randrange(65)
        entry = drawn(rng, ply)
        put(table, key, entry, ply, 1, 1)
        # The plies from the root to the end, or none in sight.
        shift = 0 if abs(entry.score) < CERTAIN else (ply - later) * (1 if entry.score > 0 else -1)
        assert found(table, key, ply, 1, 1) == entry
        assert found(table, key, later, 1, 1) == entry._replace(score=entry.score + shift)


def test_a_position_never_stored_is_missing() -> None:
    table = new_table(1)
    assert all(found(table, key, 0, 0, 0) is None for key in (0, 1, 2**63, 2**64 - 1))
    put(table, 7, Found(3, 5, 4, EXACT), 0, 0, 0)
    assert found(table, 7 + 2**40, 0, 0, 0) is None


@pytest.mark.parametrize(("megabytes", "entries"), [(1, 2**16), (2, 2**17), (3, 2**17), (64, 2**22)])
def test_a_table_takes_no_more_than_its_megabytes(megabytes: int, entries: int) -> None:
    table = new_table(megabytes)
    assert len(table) == entries
    assert table.nbytes == entries * 16


def test_an_entry_without_a_move_keeps_the_one_that_was_known() -> None:
    table = new_table(1)
    put(table, 9, Found(33, 10, 4, LOWER), 0, 1, 1)
    put(table, 9, Found(NO_MOVE, -10, 5, UPPER), 0, 1, 1)
    assert found(table, 9, 0, 1, 1) == Found(33, -10, 5, UPPER)


@pytest.mark.parametrize("seed", range(20))
def test_of_positions_that_share_a_bucket_the_deepest_and_the_latest_survive(seed: int) -> None:
    rng, table = random.Random(seed), new_table(1)
    deepest: tuple[int, Found] | None = None
    for number in range(40):
        key, entry = 6 + (number << 20), drawn(rng, 0)
        put(table, key, entry, 0, 1, 1)
        if deepest is None or entry.depth >= deepest[1].depth:
            deepest = key, entry
        assert found(table, key, 0, 1, 1) == entry
        assert found(table, deepest[0], 0, 1, 1) == deepest[1]


def test_an_entry_of_an_earlier_decision_gives_way_however_deep_it_is() -> None:
    table = new_table(1)
    old, new = Found(1, 10, 60, EXACT), Found(2, 20, 1, EXACT)
    put(table, 6, old, 0, 1, 1)
    for number in range(1, 4):
        put(table, 6 + (number << 20), new, 0, 1, 2)
    assert found(table, 6, 0, 1, 2) is None
    assert found(table, 6 + (3 << 20), 0, 1, 2) == new


def test_what_is_remembered_is_found_up_to_the_oldest() -> None:
    table = new_table(1)
    for generation in range(1, 101):
        put(table, generation * 2, Found(5, 50, 3, EXACT), 0, 1, generation)
    for generation in range(1, 101):
        assert (found(table, generation * 2, 0, 41, 100) is not None) == (generation >= 41)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_a_used_table_is_like_an_empty_one_to_the_next_generation(seed: int) -> None:
    rng = random.Random(seed)
    used, generation = np.zeros(8, ENTRY), rng.choice((1, 100, 250, 255, 60_000))
    keys = [rng.getrandbits(64) for _ in range(12)]
    for _ in range(4):
        generation += rng.choice((1, 2, 60, 255, 256, 512))
        empty = np.zeros_like(used)
        for _ in range(120):
            ply = rng.randrange(65)
            key, entry = rng.choice(keys), drawn(rng, ply)
            if rng.random() < 0.7:
                for table in (used, empty):
                    put(table, key, entry, ply, generation, generation)
            for other in keys:
                assert found(used, other, ply, generation, generation) == found(
                    empty, other, ply, generation, generation
                )
