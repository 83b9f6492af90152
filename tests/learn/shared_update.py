"""Run by the tests in one process or in several: PPO on a shared batch, and every collective."""

import json

import pytest
import torch
from torch import Tensor, nn

from ludex.core.errors import GroupFailed
from ludex.learn.distributed import Group, join_group
from ludex.learn.launch import read_launch
from ludex.learn.ppo import ppo_step, sample_actions
from ludex.learn.ppo_config import PpoConfig
from ludex.learn.rollout import RolloutBuffer

CPU = torch.device("cpu")
LANES, STEPS, INPUTS, ACTIONS = 8, 6, 5, 4


class Small(nn.Module):
    """A layer, and heads for logits and value."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Linear(INPUTS, 16)
        self.heads = nn.Linear(16, ACTIONS + 1)

    def forward(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        answer = self.heads(torch.tanh(self.body(obs)))
        return answer[:, :ACTIONS], answer[:, ACTIONS]


def rollout(model: Small, generator: torch.Generator, group: Group) -> RolloutBuffer:
    """Random observations and rewards, the policy's own actions: this process's lanes of those of all."""
    lanes = group.share(LANES, "lanes")
    buffer = RolloutBuffer(lanes, STEPS, (INPUTS,), ACTIONS, CPU, extras={"ended": ((), torch.bool)})
    while not buffer.full:
        obs = group.rand(lanes, INPUTS, generator=generator, device=CPU)
        mask = group.rand(lanes, ACTIONS, generator=generator, device=CPU) < 0.7
        mask[:, 0] = True
        rewards = group.rand(lanes, generator=generator, device=CPU)
        dones = group.randint(0, 4, lanes, generator=generator, device=CPU) == 0
        with torch.no_grad():
            logits, values = model(obs)
        actions, logp = sample_actions(logits, mask, generator, group=group)
        buffer.add(obs, actions, logp, rewards, dones, values, mask, {"ended": dones})
    buffer.compute_gae(torch.zeros(lanes))
    return buffer


def curve(group: Group, updates: int) -> list[list[float]]:
    """The losses of some updates, and the weights in the end."""
    torch.manual_seed(group.rank)
    model = Small()
    if group.is_main:
        torch.manual_seed(3)
        model = Small()
    group.broadcast_weights(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    generator = torch.Generator().manual_seed(1)
    cfg = PpoConfig(num_envs=LANES, steps_per_env=STEPS, mini_batches=3)
    rows: list[list[float]] = []
    for _ in range(updates):
        buffer = rollout(model, generator, group).all_gather(group)
        assert buffer.num_envs == LANES
        assert buffer.extras["ended"].dtype == torch.bool
        buffer.normalise()
        for batch in buffer.get_minibatches(16, generator=generator, group=group):
            assert len(batch.actions) == 16 // group.size
            metrics = ppo_step(model, optimizer, batch, cfg, group=group)
            rows.append([float(metric) for metric in metrics.values()])
    group.check_alike(model)
    rows.append(torch.cat([parameter.detach().flatten() for parameter in model.parameters()]).tolist())
    return rows


def collectives(group: Group) -> None:
    """Checks each collective of a group of two."""
    rank = torch.tensor([float(group.rank), 1.0])
    assert group.all_reduce(rank).tolist() == [1.0, 2.0]
    assert group.mean(rank).tolist() == [0.5, 1.0]
    assert group.broadcast_object(lambda: f"found by {group.rank}") == "found by 0"
    assert group.largest(10 * group.rank) == 10
    lanes = torch.full((2, 3, 1), group.rank, dtype=torch.int16)
    assert group.all_gather(lanes)[1, :, 0].tolist() == [0, 0, 0, 1, 1, 1]
    model = Small()
    group.broadcast_weights(model)
    group.check_alike(model)
    if group.is_main:
        model.body.weight.data[0, 0] += 1e-7
    with pytest.raises(GroupFailed, match="weights have come apart"):
        group.check_alike(model)


if __name__ == "__main__":
    with join_group(read_launch()) as processes:
        if processes.size == 2:
            collectives(processes)
        print(json.dumps(curve(processes, 5)))
