"""The model that is trained and the kernel that plays are one function."""

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from ludex.games.quoridor.agents.master.moves import NO_MOVE
from ludex.games.quoridor.agents.master.network import (
    FEATURES,
    NET_LAYOUT,
    POINTS,
    UNITS,
    judge_after,
    load_weights,
    save_weights,
    sum_from_nothing,
)
from ludex.games.quoridor.learning.selfplay import UNSCORED, positions_of
from ludex.games.quoridor.learning.training import EvaluationNet
from ludex.games.quoridor.rules.paths import distance
from ludex.games.quoridor.rules.position import words
from tests.games.quoridor.learning.support import TASK, replayed, some_games
from tests.games.quoridor.support import game_of

pytestmark = pytest.mark.slow


def random_net(seed: int) -> EvaluationNet:
    torch.manual_seed(seed)
    net = EvaluationNet()
    with torch.no_grad():
        net.out_bias.normal_(0, 0.2)
    return net


def modelled(net: EvaluationNet) -> NDArray[np.float64]:
    """The model's scores of all searched positions, in points."""
    features = torch.from_numpy(positions_of(some_games(), mirrored=False).features).int()
    with torch.no_grad():
        return np.asarray(net.double()(features)) * POINTS


def played(net: EvaluationNet) -> NDArray[np.float64]:
    """The kernel's scores of the same positions."""
    weights = load_weights(save_weights(net.arrays()), "random")
    scores = []
    for number in range(TASK.count):
        positions, _, known = replayed(some_games(), number)
        for position, score in zip(positions, known, strict=False):
            if score != UNSCORED:
                row = words(position, 9)
                steps = [distance(row, player, 9, game_of().geometry) for player in (position.turn, 1 - position.turn)]
                sum_from_nothing(weights, row, 0)
                scores.append(judge_after(weights, row, 1, NO_MOVE, *steps))
    return np.array(scores, np.float64)


@pytest.mark.parametrize("seed", range(3))
def test_with_weights_that_need_no_rounding_only_the_last_point_differs(seed: int) -> None:
    net = random_net(seed)
    # Weights that whole numbers represent exactly: then only the last division rounds, downwards.
    with torch.no_grad():
        for name, parameter in net.named_parameters():
            unit = UNITS[name.replace(".weight", "").replace("middle.bias", "middle_bias")]
            parameter.copy_(torch.round(parameter * unit) / unit)
    expected, actual = modelled(net), played(net)
    assert len(actual) > 100
    assert np.ptp(actual) > 50
    error = expected - actual
    assert error.min() > -1e-6
    assert error.max() < 1 + 1e-6


def test_rounding_the_weights_moves_a_score_by_little() -> None:
    net = random_net(4)
    error = played(net) - modelled(net)
    # A row's entry is off by 1/1024 on average, in either direction, and some 50 are summed: about 0.01 in each of 64
    # units of about 0.5. Through two layers of that size this is 2 of 100 points of spread: 5 such deviations are safe.
    assert np.abs(error).mean() < 5
    assert np.abs(error).max() < 15


def test_every_stage_of_the_game_has_weights_of_its_own() -> None:
    shapes = {name: array.shape for name, array in random_net(5).arrays().items()}
    assert shapes == {name: NET_LAYOUT[name].shape for name in UNITS}


def test_what_fills_up_the_list_of_features_counts_for_nothing() -> None:
    net = random_net(6)
    features = torch.from_numpy(positions_of(some_games(), mirrored=False).features).int()
    longer = torch.cat([features, torch.full((len(features), 5), FEATURES, dtype=torch.int32)], dim=1)
    with torch.no_grad():
        assert torch.equal(net(longer), net(features))
