"""Games for training begin apart, and the same way each time."""

from collections.abc import Iterator

import numpy as np
import pytest
import torch

from ludex.games.skirmish.learning.self_play import TrainingLanes
from ludex.games.skirmish.rules.engine import layout
from tests.games.skirmish.support import shipped

pytestmark = pytest.mark.slow

LANES = 40


@pytest.fixture
def lanes() -> Iterator[TrainingLanes]:
    training_lanes = TrainingLanes(shipped("small"), LANES, 2, torch.float32)
    yield training_lanes
    training_lanes.close()


def states(lanes: TrainingLanes) -> np.ndarray:
    return np.concatenate([batch.lanes.states for batch in lanes.batches])


def test_some_games_begin_while_others_are_far(lanes: TrainingLanes) -> None:
    lanes.reset(3)
    assert lanes.deploying[0]
    assert 2 <= lanes.deploying.sum() <= LANES // 2
    assert len(np.unique(states(lanes)[:, layout.TURN])) >= 3


def test_a_seed_names_the_games(lanes: TrainingLanes) -> None:
    lanes.reset(3)
    first = states(lanes)
    lanes.reset(4)
    assert (states(lanes) != first).any()
    lanes.reset(3)
    assert (states(lanes) == first).all()


def test_games_restart_in_the_given_lanes_only(lanes: TrainingLanes) -> None:
    lanes.reset(3)
    before, episode = states(lanes), lanes.episode.copy()
    restarted = np.arange(LANES) % 3 == 0
    lanes.restart(restarted)
    assert (states(lanes)[~restarted] == before[~restarted]).all()
    assert (lanes.episode == episode + restarted).all()
    assert lanes.deploying[restarted].all()
    assert (lanes.mask[restarted] == lanes.mask[0]).all()
