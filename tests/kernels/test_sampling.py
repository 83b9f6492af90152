"""Random legal actions in many lanes."""

import numpy as np
import pytest

from ludex.kernels.sampling import RandomActions

LANES, DRAWS = 64, 400


@pytest.mark.parametrize("legal", [[3], [0, 199], list(range(200)), list(range(0, 200, 7))])
def test_every_legal_action_is_equally_likely_however_few_there_are(legal: list[int]) -> None:
    mask = np.zeros((LANES, 200), np.bool_)
    mask[:, legal] = True
    sampler = RandomActions(LANES, 5, 0)
    counts = np.zeros(200)
    for _ in range(DRAWS):
        np.add.at(counts, sampler.draw(mask), 1)
    assert set(np.flatnonzero(counts).tolist()) == set(legal)
    expected = LANES * DRAWS / len(legal)
    assert abs(counts[legal] - expected).max() < 4.5 * expected**0.5 + 1


def test_lanes_draw_by_their_own_masks_and_repeat_with_the_seed() -> None:
    mask = np.eye(LANES, dtype=np.bool_)
    assert RandomActions(LANES, 1, 0).draw(mask).tolist() == list(range(LANES))
    whole = np.ones((LANES, 50), np.bool_)
    first, again, other = (RandomActions(LANES, seed, 0) for seed in (7, 7, 8))
    assert first.draw(whole).tolist() == again.draw(whole).tolist() != other.draw(whole).tolist()
