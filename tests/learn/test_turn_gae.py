"""Advantages of two players that take turns in the same lanes."""

import pytest
import torch

from ludex.learn.rollout import RolloutBuffer
from ludex.learn.turn_gae import turn_gae
from tests.reference.ppo import turn_advantages

CPU = torch.device("cpu")
STEPS, LANES = 40, 12


def filled(values: torch.Tensor, dones: torch.Tensor) -> RolloutBuffer:
    buffer = RolloutBuffer(LANES, STEPS, (1,), 2, CPU)
    for at in range(STEPS):
        nothing = torch.zeros(LANES)
        actions, masks = nothing.long(), torch.ones(LANES, 2, dtype=torch.bool)
        buffer.add(nothing.unsqueeze(1), actions, nothing, nothing, dones[at], values[at], masks)
    return buffer


@pytest.mark.parametrize(("gamma", "lam"), [(1.0, 1.0), (0.9, 0.8), (0.99, 0.0)])
def test_each_player_is_judged_by_its_own_steps(gamma: float, lam: float) -> None:
    random = torch.Generator().manual_seed(7)
    values = torch.randn(STEPS, LANES, generator=random)
    dones = torch.rand(STEPS, LANES, generator=random) < 0.1
    players = torch.randint(0, 2, (STEPS, LANES), generator=random)
    rewards = torch.randn(STEPS, LANES, 2, generator=random)
    last_players, last_values = torch.randint(0, 2, (LANES,), generator=random), torch.randn(LANES, generator=random)
    buffer = filled(values, dones)
    turn_gae(buffer, players, rewards, last_players, last_values, gamma, lam)
    for lane in range(LANES):
        expected = turn_advantages(
            players[:, lane].tolist(),
            [(float(one), float(two)) for one, two in rewards[:, lane].tolist()],
            values[:, lane].tolist(),
            dones[:, lane].tolist(),
            int(last_players[lane]),
            float(last_values[lane]),
            gamma,
            lam,
        )
        assert buffer.advantages[:, lane].tolist() == pytest.approx(expected, abs=1e-4)
    assert torch.allclose(buffer.returns, buffer.advantages + buffer.values)


def test_with_one_player_it_is_the_usual_advantage() -> None:
    random = torch.Generator().manual_seed(1)
    values, rewards = torch.randn(STEPS, LANES, generator=random), torch.randn(STEPS, LANES, generator=random)
    dones = torch.rand(STEPS, LANES, generator=random) < 0.2
    last = torch.randn(LANES, generator=random)
    alone, usual = filled(values, dones), filled(values, dones)
    usual.rewards[:] = rewards
    usual.compute_gae(last, 0.97, 0.9)
    players = torch.zeros(STEPS, LANES, dtype=torch.int64)
    turn_gae(alone, players, torch.stack((rewards, -rewards), 2), players[0], last, 0.97, 0.9)
    assert torch.allclose(alone.advantages, usual.advantages, atol=1e-5)
