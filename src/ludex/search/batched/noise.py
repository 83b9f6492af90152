"""The noise at a root, drawn from a generator that follows from seed, game, episode and ply."""

import numpy as np
from numpy.typing import NDArray

from ludex.core import seeding
from ludex.kernels.jit import bare_kernel, to_word
from ludex.search.batched.layout import EPISODE, NOISE_ALPHA, PLY, PUCT, RULE

USUAL_ALPHA = 10.0
"""Divided by the legal actions it is the parameter of the Dirichlet distribution, unless one is given."""


@bare_kernel
def _uniform(word: int) -> float:
    """A number in (0, 1) from 64 random bits."""
    return (np.float64(word >> to_word(11)) + 0.5) * 2.0**-53


@bare_kernel
def draw_noise(
    key: int,
    lane: int,
    game: NDArray[np.int64],
    count: int,
    options: NDArray[np.float64],
    noise: NDArray[np.float64],
) -> None:
    """Write a number per edge of the root: Gumbel's distribution, or one draw of Dirichlet's for PUCT."""
    state = seeding.state_of(to_word(key), to_word(lane), to_word(game[EPISODE]), to_word(game[PLY]))
    if options[RULE] != PUCT:
        for index in range(count):
            state = seeding.advance(state)
            noise[index] = -np.log(-np.log(_uniform(seeding.mix(state))))
        return
    alpha = options[NOISE_ALPHA] if options[NOISE_ALPHA] > 0.0 else USUAL_ALPHA / count
    # Marsaglia and Tsang: a draw of Gamma(alpha + 1), and the power of a uniform number that leads to Gamma(alpha).
    shape = alpha + 1.0 - 1.0 / 3.0
    total = 0.0
    for index in range(count):
        while True:
            state = seeding.advance(state)
            radius = np.sqrt(-2.0 * np.log(_uniform(seeding.mix(state))))
            state = seeding.advance(state)
            normal = radius * np.cos(2.0 * np.pi * _uniform(seeding.mix(state)))
            cube = (1.0 + normal / np.sqrt(9.0 * shape)) ** 3
            state = seeding.advance(state)
            accepted = np.log(_uniform(seeding.mix(state)))
            if cube > 0.0 and accepted < 0.5 * normal * normal + shape * (1.0 - cube + np.log(cube)):
                break
        state = seeding.advance(state)
        # A power of a small alpha may vanish: at least one number must stay.
        drawn = max(shape * cube * _uniform(seeding.mix(state)) ** (1.0 / alpha), 1e-300)
        noise[index] = drawn
        total += drawn
    for index in range(count):
        noise[index] /= total
