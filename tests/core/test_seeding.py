"""The generator: pinned to known numbers, equal in kernels, and random enough."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.core.seeding import MAX_SEED, Rng, generator, state_of, stream_key
from ludex.kernels.jit import draw_below, seed_lane, share, to_word

seeds = st.integers(0, MAX_SEED)
small = st.integers(0, 2**31)


def test_the_output_function_is_splitmix64() -> None:
    rng = Rng(0)
    assert [rng.bits() for _ in range(3)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_replays_outlive_versions_because_the_numbers_are_pinned() -> None:
    rng = generator(seed=42, ply=7, stream=1, lane=3, episode=2)
    assert rng.state == 17602655686794305532
    assert [rng.below(6) for _ in range(12)] == [5, 5, 3, 4, 3, 4, 1, 2, 2, 2, 0, 0]


@pytest.mark.slow
@given(seeds, small, small, small, st.integers(0, 255), st.integers(1, 2**32 - 1))
def test_a_kernel_draws_what_python_draws(
    seed: int, lane: int, episode: int, ply: int, stream: int, bound: int
) -> None:
    lane %= 8
    states = np.zeros(8, np.uint64)
    seed_lane(states, lane, to_word(stream_key(seed, stream)), episode, ply)
    rng = generator(seed, ply, stream, lane=lane, episode=episode)
    assert int(states[lane]) == rng.state
    assert [draw_below(states, lane, bound) for _ in range(5)] == [rng.below(bound) for _ in range(5)]


def test_every_word_of_the_name_matters() -> None:
    base = [1, 2, 3, 4]
    states = {state_of(*base)} | {state_of(*(9 if i == j else word for j, word in enumerate(base))) for i in range(4)}
    assert len(states) == 5
    assert len({stream_key(seed, stream) for seed in (0, 1, 1 << 64, MAX_SEED) for stream in (0, 1, 64)}) == 12


@given(seeds)
def test_a_child_seed_has_128_bits_and_a_stream_of_its_own(seed: int) -> None:
    child = generator(seed, 3, 128).seed()
    assert 0 <= child <= MAX_SEED
    assert stream_key(child, 0) != stream_key(seed, 0)


@pytest.mark.parametrize("bound", [2, 3, 6, 7, 209])
def test_numbers_are_uniform_across_plies(bound: int) -> None:
    draws = 200 * bound
    counts = Counter(generator(seed=1, ply=ply).below(bound) for ply in range(draws))
    chi_square = sum((counts[value] - 200) ** 2 / 200 for value in range(bound))
    # Mean bound-1, variance 2(bound-1): five sigma.
    assert chi_square < (bound - 1) + 5 * math.sqrt(2 * (bound - 1))


def test_a_large_bound_is_not_biased() -> None:
    # Taking 64 bits modulo 3 * 2**30 would favour the first third by 2 : 1.
    bound = 3 * 2**30
    third = sum(generator(seed=2, ply=ply).below(bound) < 2**30 for ply in range(6000))
    assert abs(third - 2000) < 5 * math.sqrt(6000 * 2 / 9)


def test_uniform_stays_in_the_half_open_interval() -> None:
    rng = Rng(7)
    values = [rng.uniform() for _ in range(2000)]
    assert 0 <= min(values) < 0.01
    assert 0.99 < max(values) < 1


def test_shuffle_reaches_every_order() -> None:
    orders = set()
    for ply in range(200):
        items = [1, 2, 3]
        generator(3, ply).shuffle(items)
        orders.add(tuple(items))
    assert len(orders) == 6


@pytest.mark.parametrize("bound", [0, -1, 2**32])
def test_an_impossible_bound_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="bound"):
        Rng(1).below(bound)


@pytest.mark.parametrize("seed", [-1, 2**128])
def test_an_impossible_seed_is_refused(seed: int) -> None:
    with pytest.raises(ValueError, match="seed"):
        generator(seed, 0)


def test_a_plain_function_must_be_marked_before_kernels_may_call_it() -> None:
    def unmarked(x: int) -> int:
        return x

    with pytest.raises(TypeError, match="compilable"):
        share(unmarked)
