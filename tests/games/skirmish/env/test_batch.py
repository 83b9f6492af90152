"""The batch environment during deployment: where it starts, and what it passes on to a learner."""

import numpy as np
import pytest

from ludex.core.seeding import CHANCE
from ludex.games.skirmish.env.batch import SkirmishBatch
from ludex.games.skirmish.rules.engine import layout
from ludex.games.skirmish.rules.engine import observation as see
from ludex.games.skirmish.rules.illegal_actions import DeploymentDeadlockError
from ludex.kernels.sampling import RandomActions
from tests.games.skirmish.support import shipped

pytestmark = pytest.mark.slow

LANES = 4


def test_reset_starts_every_lane_in_deployment() -> None:
    obs, info = SkirmishBatch(shipped("small"), LANES).reset(7)
    assert obs["vector"][:, layout.DEPLOYMENT].tolist() == [1.0] * LANES
    assert info["player"].tolist() == [0] * LANES
    assert not obs["planes"][:, [see.OWN, see.ENEMY]].any()


@pytest.mark.parametrize("name", ["small", "people"])
def test_no_empty_mask_is_passed_on_from_deployment_to_the_end(name: str) -> None:
    """And each episode goes from deployment into the battle, the first choice of which is in the move phase."""
    batch, sampler = SkirmishBatch(shipped(name), LANES), RandomActions(LANES, 3, CHANCE)
    obs, info = batch.reset(7)
    entered, ended = 0, 0
    before = obs["vector"][:, : len(layout.PHASES)].argmax(axis=1)
    for _ in range(1200):
        assert info["mask"].any(axis=1).all()
        obs, _, terminated, _, info = batch.step(sampler.draw(info["mask"]))
        after = obs["vector"][:, : len(layout.PHASES)].argmax(axis=1)
        left = (before == layout.DEPLOYMENT) & (after != layout.DEPLOYMENT)
        assert (after[left] == layout.MOVE).all()
        assert (after[terminated] == layout.DEPLOYMENT).all()
        entered, ended, before = entered + int(left.sum()), ended + int(terminated.sum()), after
    assert entered >= LANES
    assert ended >= (LANES if name == "small" else 1)


def test_a_deadlock_in_a_lane_is_raised_and_no_lane_has_moved() -> None:
    batch = SkirmishBatch(shipped("cramped"), LANES)
    obs, info = batch.reset(7)
    # Three placements each, player 1's pass, player 2's last placement: then player 1 passes again.
    for _ in range(8):
        obs, _, _, _, info = batch.step(info["mask"].argmax(axis=1).astype(np.int64))
    planes, mask = obs["planes"].copy(), info["mask"].copy()
    with pytest.raises(DeploymentDeadlockError, match="lane 0: player 1"):
        batch.step(mask.argmax(axis=1).astype(np.int64))
    assert (obs["planes"] == planes).all()
    assert (info["mask"] == mask).all()
