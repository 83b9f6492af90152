"""Mine probabilities against `ms_toollib`, a peer that players use, in all stages of games on all presets."""

import ms_toollib
import numpy as np
import pytest

from ludex.games.minesweeper.rules.inference.probabilities import mine_probabilities
from tests.games.minesweeper.rules.inference.support import PRESETS, Numbers, positions_of_games

HIDDEN = 10
"""What the peer has for a hidden cell."""


def peer(numbers: Numbers, mines: int) -> np.ndarray:
    board = np.where(numbers < 0, HIDDEN, numbers).astype(int).tolist()
    found, _ = ms_toollib.cal_probability_onboard(board, mines)
    return np.array(found)


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols", "mines"), PRESETS)
@pytest.mark.parametrize("start", ["zero", "safe"])
@pytest.mark.parametrize(("least", "most"), [(30, 30), pytest.param(130, None, marks=pytest.mark.full)])
def test_probabilities_equal_the_peers(
    rows: int, cols: int, mines: int, start: str, least: int, most: int | None
) -> None:
    positions = list(positions_of_games(rows, cols, mines, start, seed=1000, games=4 if rows == 16 else 32))
    guesses = [numbers for numbers in positions if (mine_probabilities(numbers, mines) != 0.0).all()]
    between = positions[:: max(1, len(positions) // least)]
    assert len(between) >= least
    assert guesses
    for numbers in between + guesses[:most]:
        found, hidden = mine_probabilities(numbers, mines), numbers < 0
        assert np.abs(found - peer(numbers, mines))[hidden].max() < 1e-12
